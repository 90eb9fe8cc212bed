package faults

import (
	"errors"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// ninthScale are the faults of a limit for each of several, and of what is written to every
// row of a user.
func ninthScale() []Fault {
	const ofEach, rows = 10, 12
	return slices.Concat(
		breaks("feed.merge",
			fault("scale-feed-shows-ten-of-each-user", "the feed of several users has the ten newest events of each",
				rewriteFeeds(func(_ reader, feed []store.Event) []store.Event {
					several := slices.ContainsFunc(feed, func(event store.Event) bool { return event.Owner != feed[0].Owner })
					shown := map[store.ID]int{}
					return without(feed, func(event store.Event) bool {
						shown[event.Owner]++
						return several && shown[event.Owner] > ofEach
					})
				}))),
		breaks("errors.no-5xx",
			fault("scale-update-of-who-posted-much-fails", "the update of a user who has posted more than twelve events fails with 500, as it takes too long to write its name to all of them",
				overrideStore(func(inner refserver.Store, s *overrides) {
					posted := &memory[int]{} // by user
					s.onCreateEvent(func(event store.Event) { tally(posted, keyOf(event.App, event.Owner)) })
					s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (store.User, error) {
						if posted.get(keyOf(app, id)) > rows {
							return store.User{}, errStatementTimeout
						}
						return inner.UpdateUser(app, id, change)
					}
				}))),
	)
}

// errStatementTimeout is what a database says that an answer knows no status for.
var errStatementTimeout = errors.New("statement timeout")

// ninthConcurrency is the fault of a follow that copies events which are going away.
func ninthConcurrency() []Fault {
	return breaks("feed.event-delete",
		fault("concurrency-follow-copies-event-during-deletion", "an event that is deleted while somebody begins to follow its owner stays in that one's feed",
			overrideRacyStore(func(inner refserver.Store, s *overrides) {
				stale, all := keepStaleReads(s), archived(s)
				s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
					posted := func() []store.Event { return all.of(app, func(owner store.ID) bool { return owner == to }) }
					before := posted()
					time.Sleep(window)
					made, isNew, err := inner.Connect(app, from, to, typ)
					if now := posted(); err == nil && isNew && typ == store.Follow {
						stale.keep(app, from, without(before, func(event store.Event) bool { return holdsEvent(now, event.ID) }), whileThere(inner, app, to))
					}
					return made, isNew, err
				}
				s.onDisconnect(func(app store.App, from, to store.ID) { stale.forget(app, from, to) })
			})))
}

// ninthTime is the fault of an archive that has no room for all there is.
func ninthTime() []Fault {
	const young = 3 * time.Second
	return breaks("feed.event-shape",
		fault("time-older-events-without-display-names", "in a feed the objects of events that were posted three seconds ago have no display names",
			rewriteEach(readsFeed(), func(event map[string]any) {
				if time.Since(timeIn(event, "created_at")) >= young {
					within("object", drop("display_name"))(event)
				}
			})))
}
