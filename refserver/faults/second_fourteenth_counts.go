package faults

import (
	"maps"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// fourteenthScale are the faults of what is beyond an index or a message.
func fourteenthScale() []Fault {
	const mostIndexed, largestMessage = 3, 4 << 10
	beyondIndex := func(user store.User, platform string) bool {
		indexed := slices.Sorted(maps.Keys(user.SocialIDs))
		return slices.Contains(fromPosition(indexed, mostIndexed), platform)
	}
	return slices.Concat(
		breaks("social.connects",
			fault("scale-fourth-social-id-finds-nobody", "who has more than three social ids is connected by the first three alone, in the order of the platforms",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
						all, err := inner.Search(app, "")
						if err != nil {
							return err
						}
						for _, user := range all {
							if beyondIndex(user, platform) {
								ids = slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == user.SocialIDs[platform] })
							}
						}
						return inner.ConnectSocial(app, from, platform, ids, typ)
					}
				}))),
		breaks("feed.event-shape",
			fault("scale-large-events-in-feeds-without-metadata", "an event of more than 4 KiB has no metadata in feeds, as the message that hands it out leaves it behind",
				rewriteFeeds(func(_ reader, feed []store.Event) []store.Event {
					feed = slices.Clone(feed)
					for i, event := range feed {
						if len(encode(event)) > largestMessage {
							feed[i].Metadata = nil
						}
					}
					return feed
				}))),
	)
}

// fourteenthRepetition are those of one time of several.
func fourteenthRepetition() []Fault {
	return slices.Concat(
		breaks("versions.current",
			fault("repetition-fourth-versions-of-an-old-node", "every fourth reading of the versions comes from a node where 0.2 is beta",
				everyNth(4, readsVersions(), func(fourth match) mutation {
					return rewriteResponse(fourth, ofVersion("0.2", set("status", "beta")))
				}))),
		breaks("search.last-name",
			fault("repetition-third-update-leaves-last-name-indexed", "after every third update of a user a search goes by the last name that it had before", overrideStore(thirdUpdateNotIndexed))),
	)
}

// thirdUpdateNotIndexed has the search look at former last names.
func thirdUpdateNotIndexed(_ refserver.Store, s *overrides) {
	updates, indexed := &memory[int]{}, &memory[store.User]{}
	s.onUpdateUser(func(before, after store.User) {
		key := keyOf(after.App, after.ID)
		if tally(updates, key)%3 == 0 {
			after = before
		}
		indexed.keep(key, after)
	})
	s.searchBy(func(user store.User, term string, found bool) bool {
		old, known := indexed.lookup(keyOf(user.App, user.ID))
		if !known || old.LastName == user.LastName {
			return found
		}
		return slices.ContainsFunc([]string{user.UserName, user.FirstName, user.Email, old.LastName}, func(text string) bool { return holdsText(text, term) })
	})
}

// fourteenthConcurrency is that of requests that wait for one another's answer.
func fourteenthConcurrency() []Fault {
	listsOfUsers := readsFollowsOf().or(readsFollowersOf()).or(readsFriendsOf())
	return breaks("connections.lists.of-user",
		fault("concurrency-lists-of-two-users-are-one", "who reads a list of two users at once gets that of the first for both, as requests are brought together by their route",
			inOneFlight(listsOfUsers, func(r *http.Request) string { return sessionIn(r) + lastSegment(r) })))
}
