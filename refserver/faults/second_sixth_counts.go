package faults

import (
	"maps"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sixthScale are the faults of a batch that begins anew, and of a row that is full.
func sixthScale() []Fault {
	const batch, row = 10, 8
	return slices.Concat(
		breaks("feed.event-shape",
			fault("scale-eleventh-event-has-metadata-of-the-tenth", "the eleventh event of a feed also has the entries of metadata of the tenth, as one map is used again",
				rewriteFeeds(func(_ reader, feed []store.Event) []store.Event {
					if len(feed) <= batch || len(feed[batch-1].Metadata) == 0 {
						return feed
					}
					feed = slices.Clone(feed)
					entries := maps.Clone(feed[batch-1].Metadata)
					maps.Copy(entries, feed[batch].Metadata)
					feed[batch].Metadata = entries
					return feed
				}))),
		breaks("connections.friends.mutual",
			fault("scale-friends-of-who-has-eight-do-not-list-it", "who has more than eight friends is not listed by those behind the eighth of them",
				overrideStore(func(inner refserver.Store, s *overrides) {
					filter(&s.friends, func(app store.App, id store.ID, friend store.User) bool {
						return slices.Index(idsOf(inner.Friends, app, friend.ID), id) >= row
					})
				}))),
	)
}

// sixthRepetition is the fault of a switch in place of a request.
func sixthRepetition() []Fault {
	return breaks("connections.lists.follows",
		fault("repetition-same-follow-again-ends-it", "a follow that is asked for again is ended, as by a switch",
			overrideStore(func(inner refserver.Store, s *overrides) {
				s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
					made, isNew, err := inner.Connect(app, from, to, typ)
					if err == nil && !isNew && typ == store.Follow {
						err = inner.Disconnect(app, from, to, typ)
					}
					return made, isNew, err
				}
			})))
}

// sixthConcurrency are the faults of what two requests at once read, change and write back whole.
func sixthConcurrency() []Fault {
	return slices.Concat(
		breaks("feed.merge",
			fault("concurrency-posts-of-two-followed-lose-one", "of the events that two users post at once one is not in the feed of who follows both",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					running, last, lost := &overlaps{}, &memory[store.ID]{}, &memory[store.ID]{} // who posted last, by application; beside whom, by event
					s.createEvent = func(app store.App, owner store.ID, event store.Event) (made store.Event, err error) {
						var other store.ID
						_, before := running.during(keyOf(app), func() {
							made, err = inner.CreateEvent(app, owner, event)
							other = last.keep(keyOf(app), owner)
						})
						if err == nil && before > 0 && other != owner {
							lost.keep(keyOf(app, made.ID), other)
						}
						return made, err
					}
					s.hideFromFeeds(func(r reader, event store.Event) bool {
						other, is := lost.lookup(keyOf(r.app, event.ID))
						return is && r.follows(event.Owner) && r.follows(other)
					})
				}))),
		breaks("connections.lists.follows",
			fault("concurrency-follow-beside-update-of-user-lost", "a user who is followed while the follower updates itself is not among its follows",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					lost := &memory[bool]{} // by follower and followed
					found := func(app store.App, from, to store.ID) { lost.keep(keyOf(app, from, to), false) }
					s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) { found(app, from, to) })
					s.onDisconnect(found)
					s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (store.User, error) {
						before := idsOf(inner.Follows, app, id)
						time.Sleep(window)
						user, err := inner.UpdateUser(app, id, change)
						for _, to := range idsOf(inner.Follows, app, id) {
							if err == nil && !slices.Contains(before, to) {
								lost.keep(keyOf(app, id, to), true)
							}
						}
						return user, err
					}
					filter(&s.follows, func(app store.App, id store.ID, user store.User) bool { return lost.get(keyOf(app, id, user.ID)) })
				}))),
	)
}
