package faults

import (
	"errors"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// drawnConnectionSequences are the faults of connections that ended, or were never there.
func drawnConnectionSequences() []Fault {
	return slices.Concat(
		breaks("connections.lists.one-way",
			fault("sequence-follow-after-friendship-revives-it", "who follows a user after their friendship ended is its friend again",
				overrideStore(func(inner refserver.Store, s *overrides) {
					left, stale := leftByFriends(inner, s), keepStaleUsers(&s.friends, inner.User)
					s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
						if typ == store.Follow && !(left(app, from, to).IsZero() && left(app, to, from).IsZero()) {
							stale.keep(app, from, to, 0)
							stale.keep(app, to, from, 0)
						}
					})
					s.onDisconnect(func(app store.App, from, to store.ID) {
						stale.forget(app, from, to)
						stale.forget(app, to, from)
					})
				}))),
		breaks("connections.lists.followers",
			fault("sequence-vain-end-shortens-followers", "who ends a connection that there is not is answered with 404, and the own followers of the other are listed short of one", vainEndsCount)),
		breaks("feed.merge",
			fault("sequence-unfollow-takes-all-between", "who ends a follow also loses what others posted between the first and the last event of that user",
				overrideStore(func(inner refserver.Store, s *overrides) {
					lost, disconnect := &memory[bool]{}, s.disconnect // by reader and event
					s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
						feed, missing := inner.Feed(app, from)
						err := disconnect(app, from, to, types...)
						if err != nil || missing != nil {
							return err
						}
						own := func(event store.Event) bool { return event.Owner == to }
						between := feed[max(0, slices.IndexFunc(feed, own)):]
						for len(between) > 0 && !own(between[len(between)-1]) {
							between = between[:len(between)-1]
						}
						for _, event := range between {
							lost.keep(keyOf(app, from, event.ID), !own(event))
						}
						return nil
					}
					s.hideFromFeeds(func(r reader, event store.Event) bool { return lost.get(keyOf(r.app, r.id, event.ID)) })
				}))),
	)
}

// vainEndsCount counts a follower less for each end of a connection that there is not.
func vainEndsCount(o *refserver.Options) {
	short := &memory[int]{} // by application and id
	combine(
		rewriteResponse(disconnects(), onStatus(http.StatusNotFound, func(r *http.Request, _ *response) { tally(short, appIn(r)+lastSegment(r)) })),
		intercept(readsFollowers(), func(next http.Handler, r *http.Request) *response {
			resp := record(next, r)
			n := short.get(appIn(r) + fieldText(ownRecord(next, r), "id"))
			resp.list(func(followers []any) []any { return followers[:max(0, len(followers)-n)] })
			return resp
		}),
	)(o)
}

// drawnFeedSequences are the faults of loops that stop early, and of what a follow brings along.
func drawnFeedSequences() []Fault {
	followers := readers(followersAlone)
	return slices.Concat(
		breaks("feed.event-delete",
			fault("sequence-deletion-stops-at-who-left", "a deleted event stays in the feeds of followers where one of them has ended the follow",
				deletionPassesOver(allOf, followers.where(func(_ refserver.Store, s *overrides) func(store.App, store.ID, store.ID) bool {
					left := &memory[bool]{}
					s.onDisconnect(func(app store.App, _, to store.ID) { left.keep(keyOf(app, to), true) })
					return func(app store.App, owner, _ store.ID) bool { return left.get(keyOf(app, owner)) }
				}), atOnce)),
			fault("sequence-follow-brings-deleted-events", "who follows a user for the first time also sees what that one had deleted before", overrideStore(followBringsDeleted))),
		breaks("feed.purge.followers",
			fault("sequence-purge-stops-at-deleted-follower", "a deleted user's events stay in the feeds of followers where one of them was deleted before",
				purgePassesOver(allOf, followers.where(func(inner refserver.Store, s *overrides) func(store.App, store.ID, store.ID) bool {
					ever := &memory[[]store.ID]{} // by the user whom they followed
					s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
						if typ == store.Follow {
							ever.update(keyOf(app, to), func(all []store.ID) []store.ID { return append(slices.Clip(all), from) })
						}
					})
					return func(app store.App, owner, _ store.ID) bool {
						return slices.ContainsFunc(ever.get(keyOf(app, owner)), func(id store.ID) bool {
							_, gone := inner.User(app, id)
							return errors.Is(gone, store.ErrNotFound)
						})
					}
				}), atOnce))),
		breaks("feed.update-visible",
			fault("sequence-follow-brings-first-versions", "who follows a user sees the events that were changed before as they were at first",
				overrideStore(func(_ refserver.Store, s *overrides) {
					firsts, since := &memory[store.Event]{}, firstFollows(s)
					s.onCreateEvent(func(event store.Event) { firsts.keep(keyOf(event.App, event.ID), event) })
					s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
						for i, event := range feed {
							if first, known := firsts.lookup(keyOf(r.app, event.ID)); known && since(r.app, r.id, event.Owner).After(event.UpdatedAt) {
								feed[i] = first
							}
						}
						return feed
					})
				}))),
	)
}

// followBringsDeleted shows a user's deleted events to who follows it for the first time.
func followBringsDeleted(inner refserver.Store, s *overrides) {
	all, deleted, followed := &memory[store.Event]{}, &memory[[]store.Event]{}, &memory[bool]{} // by event; by owner; by both
	stale := keepStaleReads(s)
	s.onCreateEvent(func(event store.Event) { all.keep(keyOf(event.App, event.ID), event) })
	s.onDeleteEvent(func(app store.App, owner, id store.ID) {
		if event, known := all.lookup(keyOf(app, id)); known {
			deleted.update(keyOf(app, owner), func(events []store.Event) []store.Event { return append(slices.Clip(events), event) })
		}
	})
	s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
		if typ == store.Follow && !followed.keep(keyOf(app, from, to), true) {
			stale.keep(app, from, deleted.get(keyOf(app, to)), whileThere(inner, app, to))
		}
	})
	s.onDisconnect(func(app store.App, from, to store.ID) { stale.forget(app, from, to) })
}
