package faults

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sequenceUsersDelete are the faults of the deletion of users after certain steps.
func sequenceUsersDelete() []Fault {
	return slices.Concat(
		breaks("users.me.delete.status",
			fault("sequence-who-ended-a-connection-not-deletable", "the deletion of a user who has ended a connection is answered with 409, and does nothing",
				overrideStore(func(_ refserver.Store, s *overrides) {
					ended, remove := &memory[bool]{}, s.deleteUser
					s.onDisconnect(func(app store.App, from, _ store.ID) { ended.keep(keyOf(app, from), true) })
					s.deleteUser = func(app store.App, id store.ID) error {
						if ended.get(keyOf(app, id)) {
							return fmt.Errorf("a connection %w", store.ErrConflict)
						}
						return remove(app, id)
					}
				}))),
		breaks("users.me.delete.gone",
			fault("sequence-record-stays-after-second-login", "the record of a deleted user who had logged in twice is still shown",
				overrideStore(func(inner refserver.Store, s *overrides) {
					logins, records := &memory[int]{}, &memory[store.User]{}
					s.onLogin(func(app store.App, user store.ID, _ string) { tally(logins, keyOf(app, user)) })
					s.onDeleteUser(func(user store.User) {
						if logins.get(keyOf(user.App, user.ID)) >= 2 {
							records.keep(keyOf(user.App, user.ID), user)
						}
					})
					s.user = func(app store.App, id store.ID) (store.User, error) {
						if user, kept := records.lookup(keyOf(app, id)); kept {
							return user, nil
						}
						return inner.User(app, id)
					}
				})),
			fault("sequence-record-read-before-deletion-stays", "the record of a deleted user is still shown where anybody had read it by its id before", recordsReadStay),
			fault("sequence-record-of-deleted-shown-to-followers", "the record of a deleted user is still shown to those who followed it", recordsStayForFollowers),
			fault("sequence-deleted-user-readable-by-who-searched", "who has found a user by a search still reads its record when it is deleted, as search results are cached by id", foundStayReadable),
			fault("sequence-user-who-deleted-all-events-stays-readable", "a user who posted, deleted all of it and then the account can still be read, as there is nothing to purge",
				overrideStore(func(inner refserver.Store, s *overrides) {
					events, left := &memory[int]{}, &memory[store.User]{}
					s.onCreateEvent(func(event store.Event) { tally(events, keyOf(event.App, event.Owner)) })
					s.onDeleteEvent(func(app store.App, owner, _ store.ID) {
						events.update(keyOf(app, owner), func(n int) int { return n - 1 })
					})
					s.onDeleteUser(func(user store.User) {
						if count, posted := events.lookup(keyOf(user.App, user.ID)); posted && count == 0 {
							left.keep(keyOf(user.App, user.ID), user)
						}
					})
					s.user = func(app store.App, id store.ID) (store.User, error) {
						if user, stays := left.lookup(keyOf(app, id)); stays {
							return user, nil
						}
						return inner.User(app, id)
					}
				})),
			fault("sequence-read-before-delete", "who read a user before its deletion goes on getting what was read", cachedByReader)),
	)
}

// recordsReadStay goes on showing users that were read before they were deleted.
func recordsReadStay(o *refserver.Options) {
	read := &memory[[]byte]{} // by application and id
	rewriteResponse(readsUser(), func(r *http.Request, resp *response) {
		key := appIn(r) + " " + lastSegment(r)
		if resp.ok() {
			read.keep(key, resp.body)
		}
		if record, was := read.lookup(key); was && resp.status == http.StatusNotFound {
			resp.become(http.StatusOK, string(record))
		}
	})(o)
}

// cachedByReader answers a session that asks for a deleted user with what it got before.
func cachedByReader(o *refserver.Options) {
	cached := &memory[[]byte]{} // by session and path
	rewriteResponse(readsUser(), func(r *http.Request, resp *response) {
		key := sessionIn(r) + r.URL.Path
		if body, known := cached.lookup(key); known && resp.status == http.StatusNotFound {
			resp.become(http.StatusOK, string(body))
		} else if resp.ok() {
			cached.keep(key, resp.body)
		}
	})(o)
}

// recordsStayForFollowers goes on showing deleted users to their followers.
func recordsStayForFollowers(o *refserver.Options) {
	records, followed := &memory[[]byte]{}, &memory[bool]{} // by id; by id and follower
	combine(
		intercept(deletesUser(), func(next http.Handler, r *http.Request) *response {
			own := ownRecord(next, r)
			followers := call(next, r, http.MethodGet, "/0.2/user/followers", nil)
			resp := record(next, r)
			if id := fieldText(own, "id"); resp.ok() && id != "" {
				records.keep(id, encode(own))
				inEach(func(user map[string]any) { followed.keep(id+" "+fieldText(user, "id"), true) })(r, followers)
			}
			return resp
		}),
		intercept(readsUser(), func(next http.Handler, r *http.Request) *response {
			resp := record(next, r)
			gone, kept := records.lookup(lastSegment(r))
			if resp.status == http.StatusNotFound && kept && followed.get(lastSegment(r)+" "+fieldText(ownRecord(next, r), "id")) {
				resp.become(http.StatusOK, string(gone))
			}
			return resp
		}),
	)(o)
}

// foundStayReadable answers with search results where there is no such user any more.
func foundStayReadable(o *refserver.Options) {
	found := &memory[[]byte]{} // by session and user
	combine(
		rewriteResponse(searches(), func(r *http.Request, resp *response) {
			inEach(func(user map[string]any) { found.keep(sessionIn(r)+" "+fieldText(user, "id"), encode(user)) })(r, resp)
		}),
		rewriteResponse(readsUser(), onStatus(404, func(r *http.Request, resp *response) {
			if user, known := found.lookup(sessionIn(r) + " " + lastSegment(r)); known {
				resp.become(200, string(user))
			}
		})),
	)(o)
}
