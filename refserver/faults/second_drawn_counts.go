package faults

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// drawnScale are the faults of more than some number of things.
func drawnScale() []Fault {
	const listed, purged = 12, 12
	return slices.Concat(
		breaks("search.last-name",
			fault("scale-user-names-crowd-out-last-names", "where twelve users have a term in the user name, a search for it finds nobody who has it in the last name alone",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.search = func(app store.App, term string) ([]store.User, error) {
						hits, err := inner.Search(app, term)
						named := 0
						for _, user := range hits {
							if term != "" && holdsText(user.UserName, term) {
								named++
							}
						}
						return slices.DeleteFunc(hits, func(user store.User) bool {
							return named >= listed && holdsText(user.LastName, term) && !holdsText(user.UserName+"\n"+user.FirstName+"\n"+user.Email, term)
						}), err
					}
				}))),
		breaks("feed.order",
			fault("scale-feed-sorts-numbers-of-events-as-text", "in a feed a user's events are sorted by their numbers as text, in which the tenth stands before the second", overrideStore(numbersAsText))),
		breaks("users.me.delete.gone",
			fault("scale-deletion-leaves-record-of-busy-user", "the record of a deleted user who had more than twelve events is still shown",
				overrideStore(func(inner refserver.Store, s *overrides) {
					deleted := watchDeletions(inner, s)
					s.user = func(app store.App, id store.ID) (store.User, error) {
						for _, gone := range deleted.in(app) {
							if gone.user.ID == id && len(gone.events) > purged {
								return gone.user, nil
							}
						}
						return inner.User(app, id)
					}
				}))),
	)
}

// numbersAsText sorts each user's events, in the places that they have in a feed.
func numbersAsText(_ refserver.Store, s *overrides) {
	counts, numbers := &memory[int]{}, &memory[string]{} // by owner; by event
	s.onCreateEvent(func(event store.Event) {
		numbers.keep(keyOf(event.App, event.ID), strconv.Itoa(tally(counts, keyOf(event.App, event.Owner))))
	})
	s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
		events := map[store.ID][]store.Event{}
		for _, event := range feed {
			events[event.Owner] = append(events[event.Owner], event)
		}
		for _, own := range events {
			slices.SortStableFunc(own, func(a, b store.Event) int {
				return cmp.Compare(numbers.get(keyOf(r.app, b.ID)), numbers.get(keyOf(r.app, a.ID)))
			})
		}
		for i, event := range feed {
			feed[i], events[event.Owner] = events[event.Owner][0], events[event.Owner][1:]
		}
		return feed
	})
}

// drawnConcurrency are the faults of two operations at once.
func drawnConcurrency() []Fault {
	return slices.Concat(
		breaks("connections.lists.follows",
			fault("concurrency-one-of-two-follows-lost", "of two users whom a user follows at once one is not among its follows",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					running, lost := &overlaps{}, &memory[bool]{}
					s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (made store.Connection, isNew bool, err error) {
						_, before := running.during(keyOf(app, from), func() { made, isNew, err = inner.Connect(app, from, to, typ) })
						lost.keep(keyOf(app, from, to), before > 0 && isNew && typ == store.Follow)
						return made, isNew, err
					}
					filter(&s.follows, func(app store.App, id store.ID, user store.User) bool { return lost.get(keyOf(app, id, user.ID)) })
				}))),
		breaks("feed.purge.followers",
			fault("concurrency-feed-read-during-purge-is-kept", "who reads the feed while a followed user is deleted goes on seeing that one's events",
				duringDeletion(func(inner refserver.Store, s *overrides, deleting func(store.App, store.ID) bool) {
					stale := keepStaleReads(s)
					s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
						for _, event := range feed {
							if deleting(r.app, event.Owner) && !r.befriends(event.Owner) {
								stale.keep(r.app, r.id, []store.Event{event}, atOnce(event.CreatedAt))
							}
						}
						return feed
					})
				}))),
	)
}
