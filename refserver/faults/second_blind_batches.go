package faults

import (
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// blindBatches are the faults of what is done, or kept, in batches of some number.
func blindBatches() []Fault {
	const unfollowed, refollowed, since, merged, detailed, ranked, purged = 10, 5, 8, 6, 10, 6, 5
	return slices.Concat(
		breaks("feed.unfollow",
			fault("scale-unfollow-takes-ten-events", "of the events of a user who is no longer followed the ten newest leave the feed",
				overrideStore(func(inner refserver.Store, s *overrides) {
					stale, disconnect := keepStaleReads(s), s.disconnect
					s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
						left := fromPosition(ownedBy(inner, app, from, to), unfollowed)
						err := disconnect(app, from, to, types...)
						if err == nil {
							stale.keep(app, from, left, whileThere(inner, app, to))
						}
						return err
					}
					s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) { stale.forget(app, from, to) })
				}))),
		breaks("feed.refollow",
			fault("scale-refollow-brings-five-back", "who follows a user again sees of its events so far the five newest alone",
				overrideStore(func(_ refserver.Store, s *overrides) {
					ended := endedAt(s)
					s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
						back := map[store.ID]int{}
						return without(feed, func(event store.Event) bool {
							if !event.CreatedAt.Before(ended(r.app, r.id, event.Owner)) {
								return false
							}
							back[event.Owner]++
							return back[event.Owner] > refollowed
						})
					})
				}))),
		breaks("feed.event-delete",
			fault("scale-deletion-among-eight-latest", "a deleted event stays in the feeds of followers where its owner posted eight or more after it",
				deletionPassesOver(func(events []store.Event) []store.Event { return fromPosition(events, since) }, followersAlone, atOnce))),
		breaks("feed.order",
			fault("scale-feed-merges-six-users", "of more than six followed users the events of the others stand behind those of the first six",
				rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
					followed := idsOf(r.store.Follows, r.app, r.id)
					batch := func(event store.Event) int { return max(0, slices.Index(followed, event.Owner)) / merged }
					slices.SortStableFunc(feed, func(a, b store.Event) int { return batch(a) - batch(b) })
					return feed
				}))),
		breaks("feed.event-shape",
			fault("scale-feed-details-of-first-ten", "in a feed the events beyond the tenth have neither metadata nor an object",
				rewriteFeeds(func(_ reader, feed []store.Event) []store.Event {
					for i := range fromPosition(feed, detailed) {
						feed[detailed+i].Metadata, feed[detailed+i].Object = nil, nil
					}
					return feed
				}))),
		breaks("search.exact",
			fault("scale-search-drops-exact-among-many", "a search that finds more than six users leaves out who is called exactly so",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.search = func(app store.App, term string) ([]store.User, error) {
						hits, err := inner.Search(app, term)
						if len(hits) > ranked {
							hits = slices.DeleteFunc(hits, func(user store.User) bool { return whole(user.UserName, term) })
						}
						return hits, err
					}
				}))),
		breaks("feed.purge.keeps-others",
			fault("scale-purge-takes-one-more", "where more than five events of a deleted user leave a follower's feed, the event that comes behind them leaves, too",
				overrideStore(purgeTakesOneMore(purged)))),
		breaks("sessions.logout.destroys",
			fault("scale-denylist-of-twelve-logouts", "a destroyed session token works again after twelve more logouts of anybody", overrideStore(denylist(12)))),
	)
}

// whileThere shows a stale event as long as its owner is there.
func whileThere(inner refserver.Store, app store.App, owner store.ID) showing {
	return func([]store.Event) bool {
		_, gone := inner.User(app, owner)
		return gone == nil
	}
}

// purgeTakesOneMore takes another's event along where a purge takes more than some number.
func purgeTakesOneMore(most int) func(inner refserver.Store, s *overrides) {
	return func(inner refserver.Store, s *overrides) {
		taken := &memory[bool]{} // by reader and event
		s.deleteUser = func(app store.App, id store.ID) error {
			next := map[store.ID]store.ID{} // an event by reader
			for _, reader := range idsOf(inner.Followers, app, id) {
				feed, err := inner.Feed(app, reader)
				own := ownedBy(inner, app, reader, id)
				if err != nil || len(own) <= most {
					continue
				}
				last := slices.IndexFunc(feed, func(event store.Event) bool { return event.ID == own[len(own)-1].ID })
				if last >= 0 && last+1 < len(feed) {
					next[reader] = feed[last+1].ID
				}
			}
			err := inner.DeleteUser(app, id)
			for reader, event := range next {
				taken.keep(keyOf(app, reader, event), err == nil)
			}
			return err
		}
		s.hideFromFeeds(func(r reader, event store.Event) bool { return taken.get(keyOf(r.app, r.id, event.ID)) })
	}
}

// denylist knows the latest sessions alone that were logged out, and serves all others.
func denylist(size int) func(inner refserver.Store, s *overrides) {
	type session struct {
		user  store.ID
		token string
	}
	const most = 1000
	return func(inner refserver.Store, s *overrides) {
		ended := &memory[[]session]{} // by application, in order
		s.onLogout(func(app store.App, user store.ID, token string) {
			ended.update(keyOf(app), func(all []session) []session {
				return append(slices.Clip(all[max(0, len(all)-most):]), session{user, token})
			})
		})
		s.session = func(app store.App, token string) (store.ID, error) {
			id, err := inner.Session(app, token)
			all := ended.get(keyOf(app))
			for _, forgotten := range all[:max(0, len(all)-size)] {
				if _, gone := inner.User(app, forgotten.user); err != nil && gone == nil && forgotten.token == token {
					return forgotten.user, nil
				}
			}
			return id, err
		}
	}
}
