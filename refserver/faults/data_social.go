package faults

import (
	"maps"
	"slices"
	"strings"
)

// dataConnections are the faults of lists from which, or to which, a join by certain values
// loses or adds users.
func dataConnections() []Fault {
	return slices.Concat(
		breaks("connections.lists.follows",
			fault("data-follows-that-differ-in-case-listed-once", "of followed users whose user names differ in case alone one is listed",
				breaking(list.changes(ofFollows, func(_ look, users []User) []User {
					return firstOfEach(users, func(user User) any { return folded(user.UserName) })
				})))),
		breaks("connections.lists.followers",
			fault("data-followers-of-the-same-name-listed-once", "of several own followers with the same first and last name one is listed",
				rewriteResponse(readsFollowers(), inList(onceByName)))),
		breaks("connections.lists.friends",
			fault("data-friends-repeat-by-metadata", "an own friend is listed once for each entry of its metadata",
				rewriteResponse(readsFriends(), inList(oncePerEntry)))),
	)
}

// onceByName leaves of the users with the same first and last name the first.
func onceByName(users []any) []any {
	return firstOfEach(users, func(item any) any {
		user, _ := item.(map[string]any)
		if first, last := fieldText(user, "first_name"), fieldText(user, "last_name"); first != "" && last != "" {
			return first + "\n" + last
		}
		return idOf(item)
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

// dataSocial are the faults of certain social identifiers and platforms, with which
// connecting misses or takes too many.
func dataSocial() []Fault {
	asking := func(change func(id string) string) mutation {
		return rewriteBody(connectsSocially().and(sendsA("connection_ids", isA[[]any])),
			mapField("connection_ids", eachItem(of(func(id string) any { return change(id) }))))
	}
	return breaks("social.connects",
		fault("data-social-platform-in-lower-case", "connecting by social identifiers puts the platform into lower case, and not what it is compared with",
			rewriteBody(connectsSocially(), lowerCased("platform"))),
		fault("data-social-ids-are-numbers", "connecting by social identifiers of digits drops their leading zeros", asking(asNumber)),
		fault("data-social-ids-end-at-comma", "connecting by social identifiers reads each up to its first comma",
			asking(cutAt(func(r rune) bool { return r == ',' }))),
		fault("data-social-id-by-its-beginning", "connecting by social identifiers also connects to users whose id on the platform merely begins with one given",
			breaking(asksFor(func(c contacts) []string {
				for _, user := range c.bearers() {
					own := user.SocialIDs[c.platform]
					if slices.ContainsFunc(c.ids, func(id string) bool { return id != "" && strings.HasPrefix(own, id) }) {
						c.ids = append(c.ids, own)
					}
				}
				return c.ids
			}))),
		fault("data-social-id-twice-connects-nobody", "connecting by a list that has an identifier twice connects nobody",
			rewriteBody(connectsSocially(), mapField("connection_ids", func(value any) any {
				list, _ := value.([]any)
				seen := map[any]bool{}
				for _, id := range list {
					if text, ok := id.(string); ok && seen[text] {
						return []any{}
					}
					if isA[string](id) {
						seen[id] = true
					}
				}
				return value
			}))),
		fault("data-social-platform-with-dot-connects-nobody", "connecting by social identifiers finds nobody on a platform with a dot in its name",
			rewriteBody(connectsSocially().and(sendsA("platform", textIs(func(name string) bool { return strings.Contains(name, ".") }))), mapField("connection_ids", of(func([]any) any { return []any{} })))),
		fault("data-social-phone-numbers-lose-plus", "connecting by social identifiers drops the + in front of digits",
			asking(changing(func(id string) bool { return strings.HasPrefix(id, "+") && isDigits(id[1:]) }, func(id string) string { return id[1:] }))),
		fault("data-social-own-id-ends-the-list", "of social identifiers those that come behind the session user's own one are passed over",
			breaking(asksFor(func(c contacts) []string {
				if own := c.record(c.me).SocialIDs[c.platform]; own != "" && slices.Contains(c.ids, own) {
					return c.ids[:slices.Index(c.ids, own)]
				}
				return c.ids
			}))),
		fault("data-social-id-of-two-connects-one", "of two users who have the same id on a platform connecting by social identifiers finds one", breaking(socially(oneBearerOfEach))),
		fault("data-social-ids-compared-without-case", "connecting by social identifiers also connects to users whose id on the platform differs from one given in case",
			breaking(asksFor(func(c contacts) []string {
				for _, user := range c.bearers() {
					id := user.SocialIDs[c.platform]
					if !slices.Contains(c.ids, id) && slices.ContainsFunc(c.ids, func(given string) bool { return strings.EqualFold(given, id) }) {
						c.ids = append(c.ids, id)
					}
				}
				return c.ids
			}))),
		fault("data-social-id-zero-passed-over", "connecting by social identifiers takes the identifier 0 for none",
			breaking(asksFor(func(c contacts) []string { return slices.DeleteFunc(c.ids, func(id string) bool { return id == "0" }) }))),
		fault("data-social-id-on-two-platforms-found-on-one", "a user who has the same social id on two platforms is found on the alphabetically last of them alone",
			breaking(asksFor(func(c contacts) []string {
				onALaterOne := func(user User) bool {
					return slices.ContainsFunc(slices.Collect(maps.Keys(user.SocialIDs)), func(other string) bool {
						return other > c.platform && user.SocialIDs[other] == user.SocialIDs[c.platform]
					})
				}
				return slices.DeleteFunc(c.ids, func(id string) bool { return slices.ContainsFunc(c.bearersOf(id), onALaterOne) })
			}))))
}

// oneBearerOfEach connects, for each social id, to the bearer that was found last.
func oneBearerOfEach(c contacts, _ func([]string) error) error {
	for _, id := range c.ids {
		found := slices.DeleteFunc(c.bearersOf(id), func(user User) bool { return user.ID == c.me })
		if err := c.connect(c.typ, found[max(0, len(found)-1):]...); err != nil {
			return err
		}
	}
	return nil
}
