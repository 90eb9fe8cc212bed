package faults

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sequenceConnectionsDelete are the faults of the end of a connection after others were
// made or ended, or one of both users renamed.
func sequenceConnectionsDelete() []Fault {
	return slices.Concat(
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
		breaks("connections.delete.removes",
			fault("sequence-second-end-leaves-follower", "who ends a follow for the second time stays among the followers",
				overrideStore(func(inner refserver.Store, s *overrides) {
					ends := &memory[int]{}
					stale := keepStaleUsers(&s.followers, inner.User)
					s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) { stale.forget(app, to, from) })
					s.onDisconnect(func(app store.App, from, to store.ID) {
						if tally(ends, keyOf(app, from, to)) >= 2 {
							stale.keep(app, to, from, 0)
						}
					})
				})),
			fault("sequence-social-follower-stays-listed", "who followed a user by social identifiers and ends that stays among its followers",
				overrideStore(func(inner refserver.Store, s *overrides) {
					socially, stale := connectedSocially(s), keepStaleUsers(&s.followers, inner.User)
					s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) { stale.forget(app, to, from) })
					disconnect := s.disconnect
					s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
						followed := among(inner.Followers, app, to, from)
						err := disconnect(app, from, to, types...)
						if err == nil && followed && socially(app, from, to) {
							stale.keep(app, to, from, 0)
						}
						return err
					}
				})),
			fault("sequence-renamed-follower-stays-listed", "who was renamed after a follow, and ends it, stays among the followers",
				overrideStore(func(inner refserver.Store, s *overrides) {
					names, stale := &memory[string]{}, keepStaleUsers(&s.followers, inner.User) // by follower and followed
					s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
						stale.forget(app, to, from)
						if user, err := inner.User(app, from); err == nil && typ == store.Follow {
							names.keep(keyOf(app, from, to), user.UserName)
						}
					})
					s.onDisconnect(func(app store.App, from, to store.ID) {
						was := names.keep(keyOf(app, from, to), "")
						if user, err := inner.User(app, from); err == nil && was != "" && was != user.UserName {
							stale.keep(app, to, from, 0)
						}
					})
				})),
			fault("sequence-friendship-ended-by-who-asked-last-stays", "where two users have asked each other to be friends, and the one who asked last ends it, that one stays among the friends of the other",
				overrideStore(halfFriendshipsStay)),
			fault("sequence-unfollowed-elsewhere-stays-listed", "a user whom another session of the follower unfollows stays on the list of follows that the session sees which had made the follow", unfollowedElsewhereStay)),
		breaks("connections.delete.unknown",
			fault("sequence-second-end-answers-200", "the end of a connection that was ended already is answered with 200",
				afterEnd(func(again match) mutation {
					return rewriteResponse(disconnects().and(again), replaceStatus(404, 200, "{}"))
				}))),
		breaks("connections.delete.only-own",
			fault("sequence-end-of-friendship-ends-the-others-follow", "who ends a friendship also ends the follow of the other",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
						friends := among(inner.Friends, app, from, to)
						err := inner.Disconnect(app, from, to, types...)
						if err == nil && friends && !among(inner.Friends, app, from, to) {
							_ = inner.Disconnect(app, to, from, store.Follow) // which there may be none of
						}
						return err
					}
				})),
			fault("sequence-end-between-followers-of-each-other-ends-both", "of two users who follow each other the one who ends it ends the follow of the other, too",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
						each := follows(inner, app, from, to) && follows(inner, app, to, from)
						err := inner.Disconnect(app, from, to, types...)
						if err == nil && each && !follows(inner, app, from, to) {
							err = inner.Disconnect(app, to, from, store.Follow)
						}
						return err
					}
				}))),
	)
}

// halfFriendshipsStay leaves the half that the first of two friends has asked for.
func halfFriendshipsStay(inner refserver.Store, s *overrides) {
	asked, last := &memory[bool]{}, &memory[bool]{} // by who asked and who was asked
	stale, disconnect := keepStaleUsers(&s.friends, inner.User), s.disconnect
	s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
		if typ != store.Friend {
			return
		}
		stale.forget(app, from, to)
		stale.forget(app, to, from)
		if !asked.keep(keyOf(app, from, to), true) {
			last.keep(keyOf(app, from, to), asked.get(keyOf(app, to, from)))
		}
	})
	s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
		were := befriends(inner, app, from, to)
		err := disconnect(app, from, to, types...)
		if err != nil || !were || befriends(inner, app, from, to) {
			return err
		}
		if last.get(keyOf(app, from, to)) {
			stale.keep(app, to, from, 0)
		}
		for _, key := range []string{keyOf(app, from, to), keyOf(app, to, from)} {
			asked.keep(key, false)
			last.keep(key, false)
		}
		return nil
	}
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
