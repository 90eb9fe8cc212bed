package faults

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// seventhSequencesOfConnections are the faults of lists that are kept beside the
// connections, and of connections that stand in two tables.
func seventhSequencesOfConnections() []Fault {
	return slices.Concat(
		breaks("connections.delete.removes",
			fault("sequence-unfollowed-elsewhere-stays-listed", "a user whom another session of the follower unfollows stays on the list of follows that the session sees which had made the follow", unfollowedElsewhereStay)),
		breaks("connections.lists.followers",
			fault("sequence-updated-follower-listed-twice", "who updates itself after a follow is listed twice among the own followers of the followed", updatedFollowersTwice)),
		breaks("connections.delete.status",
			fault("sequence-end-of-follow-of-contact-not-found", "the end of a follow that social identifiers have made is answered with 404, and takes effect",
				overrideStore(func(inner refserver.Store, s *overrides) {
					socially := connectedSocially(s)
					s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
						followed := follows(inner, app, from, to)
						err := inner.Disconnect(app, from, to, types...)
						if err == nil && followed && socially(app, from, to) {
							return fmt.Errorf("connection %w", store.ErrNotFound)
						}
						return err
					}
				}))),
	)
}

// unfollowedElsewhereStay keeps the follows that a session has made with that session, and
// has only the session itself take one away.
func unfollowedElsewhereStay(o *refserver.Options) {
	makers, stale := &memory[string]{}, &memory[[]string]{} // the session by follower and followed; followed by session
	forget := func(session, followed string) {
		stale.update(session, func(ids []string) []string {
			return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == followed })
		})
	}
	pair := func(r *http.Request, from, to string) string { return appIn(r) + "\n" + from + "\n" + to }
	combine(
		rewriteResponse(createsFollow(), func(r *http.Request, resp *response) {
			resp.object(func(made map[string]any) {
				from, to := fieldText(made, "user_from_id"), fieldText(made, "user_to_id")
				forget(makers.keep(pair(r, from, to), sessionIn(r)), to)
			})
		}),
		intercept(disconnects(), func(next http.Handler, r *http.Request) *response {
			own, followed := fieldText(ownRecord(next, r), "id"), lastSegment(r)
			resp := record(next, r)
			if maker := makers.get(pair(r, own, followed)); resp.ok() && maker != "" && maker != sessionIn(r) {
				stale.update(maker, func(ids []string) []string { return append(slices.Clip(ids), followed) })
			}
			return resp
		}),
		intercept(readsFollows(), func(next http.Handler, r *http.Request) *response {
			resp := record(next, r)
			for _, id := range stale.get(sessionIn(r)) {
				resp.list(func(list []any) []any { return withUser(list, call(next, r, http.MethodGet, "/0.2/users/"+id, nil)) })
			}
			return resp
		}),
	)(o)
}

// updatedFollowersTwice puts an updated follower on the list without taking away the one before.
func updatedFollowersTwice(o *refserver.Options) {
	since := &memory[time.Time]{} // by follower and followed
	pair := func(r *http.Request, from, to string) string { return appIn(r) + "\n" + from + "\n" + to }
	combine(
		rewriteResponse(createsFollow(), func(r *http.Request, resp *response) {
			resp.object(func(made map[string]any) {
				since.keep(pair(r, fieldText(made, "user_from_id"), fieldText(made, "user_to_id")), timeIn(made, "created_at"))
			})
		}),
		intercept(readsFollowers(), func(next http.Handler, r *http.Request) *response {
			resp, own := record(next, r), fieldText(ownRecord(next, r), "id")
			resp.list(func(followers []any) []any {
				shown := slices.Clone(followers)
				for _, item := range followers {
					user, _ := item.(map[string]any)
					if at, known := since.lookup(pair(r, fieldText(user, "id"), own)); known && timeIn(user, "updated_at").After(at) {
						shown = append(shown, item)
					}
				}
				return shown
			})
			return resp
		}),
	)(o)
}

// seventhSequencesOfFeeds are those of positions that are counted from the wrong end, or
// taken for those of a neighbour.
func seventhSequencesOfFeeds() []Fault {
	return slices.Concat(
		breaks("feed.event-delete",
			fault("sequence-deletion-of-the-oldest-takes-the-newest", "where a user deletes the oldest of several events, the newest leaves the feeds, too, as the position before the first is the last", overrideStore(oldestTakesNewest))),
		breaks("feed.purge.keeps-others",
			fault("sequence-deleted-follower-takes-events-of-the-next", "where a follower is deleted, what the followed user posted before leaves the feed of the follower who comes next on the list", overrideStore(nextFollowersEmptied))),
		breaks("feed.follow.new-events",
			fault("sequence-end-of-follow-stops-the-next", "who ends a follow sees nothing new any more of the one who came next on the list of follows", overrideStore(nextFollowsStopped))),
	)
}

// oldestTakesNewest counts the position before an event's, as a language does it in which
// negative ones begin at the end.
func oldestTakesNewest(_ refserver.Store, s *overrides) {
	const several = 3
	all, taken := archived(s), &memory[bool]{} // by event
	remove := s.deleteEvent
	s.deleteEvent = func(app store.App, owner, id store.ID) error {
		events := all.of(app, func(of store.ID) bool { return of == owner })
		err := remove(app, owner, id)
		if n := len(events); err == nil && n >= several && events[n-1].ID == id {
			taken.keep(keyOf(app, events[0].ID), true)
		}
		return err
	}
	s.hideFromFeeds(func(r reader, event store.Event) bool { return taken.get(keyOf(r.app, event.ID)) })
}

// nextFollowersEmptied clears the feeds that belong to the places of a deleted follower,
// when the next one has moved there.
func nextFollowersEmptied(inner refserver.Store, s *overrides) {
	cleared := &memory[time.Time]{} // by reader and owner
	s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) {
		cleared.keep(keyOf(app, from, to), time.Time{})
	})
	s.deleteUser = func(app store.App, id store.ID) error {
		next := map[store.ID]store.ID{} // reader by owner
		for _, owner := range idsOf(inner.Follows, app, id) {
			followers := idsOf(inner.Followers, app, owner)
			if i := slices.Index(followers, id); i >= 0 && i+1 < len(followers) {
				next[owner] = followers[i+1]
			}
		}
		err := inner.DeleteUser(app, id)
		for owner, reader := range next {
			if err == nil {
				cleared.keep(keyOf(app, reader, owner), time.Now())
			}
		}
		return err
	}
	s.hideFromFeeds(func(r reader, event store.Event) bool {
		return event.CreatedAt.Before(cleared.get(keyOf(r.app, r.id, event.Owner)))
	})
}

// nextFollowsStopped unsubscribes by a position, once before and once after the list has
// moved up.
func nextFollowsStopped(inner refserver.Store, s *overrides) {
	stopped, disconnect := &memory[time.Time]{}, s.disconnect // by reader and owner
	s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) {
		stopped.keep(keyOf(app, from, to), time.Time{})
	})
	s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
		before := idsOf(inner.Follows, app, from)
		err := disconnect(app, from, to, types...)
		if i := slices.Index(before, to); err == nil && i >= 0 && i+1 < len(before) {
			stopped.keep(keyOf(app, from, before[i+1]), time.Now())
		}
		return err
	}
	s.hideFromFeeds(func(r reader, event store.Event) bool {
		since := stopped.get(keyOf(r.app, r.id, event.Owner))
		return !since.IsZero() && event.CreatedAt.After(since)
	})
}
