package faults

import (
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// dataConnections are the faults of lists from which, or to which, a join by certain values
// loses or adds users.
func dataConnections() []Fault {
	return slices.Concat(
		breaks("connections.lists.follows",
			fault("data-follows-that-differ-in-case-listed-once", "of followed users whose user names differ in case alone one is listed",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.follows = func(app store.App, id store.ID) ([]store.User, error) {
						users, err := inner.Follows(app, id)
						return onceByCase(users), err
					}
				}))),
		breaks("connections.lists.followers",
			fault("data-followers-of-the-same-name-listed-once", "of several own followers with the same first and last name one is listed",
				rewriteResponse(readsFollowers(), inList(onceByName)))),
		breaks("connections.lists.friends",
			fault("data-friends-repeat-by-metadata", "an own friend is listed once for each entry of its metadata",
				rewriteResponse(readsFriends(), inList(oncePerEntry)))),
	)
}

func onceByCase(users []store.User) []store.User {
	seen := map[string]bool{}
	return slices.DeleteFunc(users, func(user store.User) bool {
		again := seen[folded(user.UserName)]
		seen[folded(user.UserName)] = true
		return again
	})
}

// onceByName leaves of the users with the same first and last name the first.
func onceByName(users []any) []any {
	seen := map[string]bool{}
	return slices.DeleteFunc(users, func(item any) bool {
		user, _ := item.(map[string]any)
		first, last := fieldText(user, "first_name"), fieldText(user, "last_name")
		if first == "" || last == "" {
			return false
		}
		again := seen[first+"\n"+last]
		seen[first+"\n"+last] = true
		return again
	})
}

// oncePerEntry repeats users as a join with their metadata does.
func oncePerEntry(users []any) []any {
	rows := []any{}
	for _, item := range users {
		user, _ := item.(map[string]any)
		metadata, _ := user["metadata"].(map[string]any)
		for range max(1, len(metadata)) {
			rows = append(rows, item)
		}
	}
	return rows
}
