package faults

import (
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// blindScale are those of numbers that real systems have as limits.
func blindScale() []Fault {
	return slices.Concat(
		breaks("sessions.logout.destroys",
			fault("scale-logout-of-fourth-session", "of a user's open sessions the fourth and those after it are not ended by their logout",
				overrideStore(func(inner refserver.Store, s *overrides) {
					open := &memory[[]string]{}
					s.onLogin(func(app store.App, user store.ID, token string) {
						open.update(keyOf(app, user), func(tokens []string) []string { return append(slices.Clip(tokens), token) })
					})
					s.closeSession = func(app store.App, token string) error {
						user, err := inner.Session(app, token)
						if err != nil {
							return inner.CloseSession(app, token)
						}
						if slices.Index(open.get(keyOf(app, user)), token) >= 3 {
							return nil
						}
						open.update(keyOf(app, user), func(tokens []string) []string {
							return slices.DeleteFunc(slices.Clone(tokens), func(other string) bool { return other == token })
						})
						return inner.CloseSession(app, token)
					}
				}))),
		breaks("sessions.deleted-user",
			fault("scale-deletion-ends-five-sessions", "the deletion of a user ends its five latest sessions, and the older ones go on showing it", deletionEndsFive)),
		breaks("events.update.status",
			fault("scale-ten-latest-events-changeable", "of a user's events those before the ten latest are not found by a change", overrideStore(latestChangeable(10)))),
		breaks("feed.friends",
			fault("scale-feed-of-eight-friends", "the events of a user's ninth friend and those after it are not in the feed",
				hideFromFeeds(func(r reader, event store.Event) bool {
					return slices.Contains(fromPosition(idsOf(r.store.Friends, r.app, r.id), 8), event.Owner) && !r.follows(event.Owner)
				}))),
		breaks("connections.lists.follows",
			fault("scale-friends-crowd-out-follows", "of twelve connections that are read the friends come first, and the follows beyond them are not listed",
				intercept(readsFollows(), func(next http.Handler, r *http.Request) *response {
					resp, friends := record(next, r), 0
					call(next, r, http.MethodGet, "/0.2/user/friends", nil).list(func(list []any) []any { friends = len(list); return list })
					resp.list(func(list []any) []any { return list[:min(len(list), max(0, 12-friends))] })
					return resp
				}))),
		breaks("search.user-name",
			fault("scale-deleted-crowd-out-of-search", "where five deleted users had a term in the user name, a search for it does not find those who came after them",
				overrideStore(func(_ refserver.Store, s *overrides) {
					deleted := &memory[[]store.User]{}
					s.onDeleteUser(func(user store.User) {
						deleted.update(keyOf(user.App), func(all []store.User) []store.User { return append(slices.Clip(all), user) })
					})
					s.searchBy(func(user store.User, term string, found bool) bool {
						if !found || !holdsText(user.UserName, term) || whole(user.UserName, term) || holdsText(user.FirstName+"\n"+user.LastName+"\n"+user.Email, term) {
							return found
						}
						before := 0
						for _, gone := range deleted.get(keyOf(user.App)) {
							if gone.ID < user.ID && holdsText(gone.UserName, term) {
								before++
							}
						}
						return before < 5
					})
				}))),
	)
}

// deletionEndsFive shows a deleted user to the sessions that it had before its five latest.
func deletionEndsFive(o *refserver.Options) {
	owners, open, kept := &memory[string]{}, &memory[[]string]{}, &memory[[]byte]{} // an id by token; tokens by id; a record by token
	combine(
		opened(func(_ *http.Request, _ map[string]any, id, token string) {
			owners.keep(token, id)
			open.update(id, func(tokens []string) []string { return append(slices.Clip(tokens), token) })
		}),
		rewriteResponse(logsOut(), func(r *http.Request, resp *response) {
			if resp.ok() {
				open.update(owners.get(sessionIn(r)), func(tokens []string) []string {
					return slices.DeleteFunc(slices.Clone(tokens), func(token string) bool { return token == sessionIn(r) })
				})
			}
		}),
		intercept(deletesUser(), func(next http.Handler, r *http.Request) *response {
			own := ownRecord(next, r)
			resp := record(next, r)
			tokens := open.get(fieldText(own, "id"))
			for _, token := range tokens[:max(0, len(tokens)-5)] {
				if resp.ok() && token != sessionIn(r) {
					kept.keep(token, encode(own))
				}
			}
			return resp
		}),
		recordsShown(func(token string) ([]byte, bool) { return kept.lookup(token) }),
	)(o)
}

// recordsShown answers readings of the own record that are refused.
func recordsShown(of func(token string) ([]byte, bool)) mutation {
	return rewriteResponse(readsOwnRecord(), onStatus(401, func(r *http.Request, resp *response) {
		if record, is := of(sessionIn(r)); is && sessionIn(r) != "" {
			resp.status, resp.body = 200, record
			resp.header.Del("WWW-Authenticate")
		}
	}))
}

// latestChangeable finds, for a change, the latest events of a user alone.
func latestChangeable(n int) func(inner refserver.Store, s *overrides) {
	return func(inner refserver.Store, s *overrides) {
		events := &memory[[]store.ID]{} // by owner
		s.onCreateEvent(func(event store.Event) {
			events.update(keyOf(event.App, event.Owner), func(ids []store.ID) []store.ID { return append(slices.Clip(ids), event.ID) })
		})
		s.onDeleteEvent(func(app store.App, owner, id store.ID) {
			events.update(keyOf(app, owner), func(ids []store.ID) []store.ID {
				return slices.DeleteFunc(slices.Clone(ids), func(other store.ID) bool { return other == id })
			})
		})
		s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
			ids := events.get(keyOf(app, owner))
			if i := slices.Index(ids, id); i >= 0 && i < len(ids)-n {
				return store.Event{}, store.ErrNotFound
			}
			return inner.UpdateEvent(app, owner, id, change)
		}
	}
}

// blindTime are those of what expires, or comes back, after some seconds.
func blindTime() []Fault {
	return slices.Concat(
		breaks("users.me.update.password",
			fault("time-old-password-works-again", "four seconds after a change of password the one before logs in again, beside the new one",
				knowingPasswords(oldPasswordsLater(4*time.Second)))),
		breaks("sessions.login.email",
			fault("time-email-forgotten", "nobody logs in by email six seconds after the user was created or updated last",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.identify = func(app store.App, name, email string, password []byte) (store.User, error) {
						user, err := inner.Identify(app, name, email, password)
						if err == nil && name == "" && time.Since(user.UpdatedAt) >= 6*time.Second {
							return store.User{}, store.ErrNotFound
						}
						return user, err
					}
				}))),
		breaks("events.delete.others",
			fault("time-owner-of-event-forgotten", "three seconds after an event was posted or changed anybody may delete it",
				overrideStore(func(inner refserver.Store, s *overrides) {
					events := &memory[store.Event]{}
					s.onCreateEvent(func(event store.Event) { events.keep(keyOf(event.App, event.ID), event) })
					s.onUpdateEvent(func(event store.Event) { events.keep(keyOf(event.App, event.ID), event) })
					s.deleteEvent = func(app store.App, user, id store.ID) error {
						err := inner.DeleteEvent(app, user, id)
						event, known := events.lookup(keyOf(app, id))
						if errors.Is(err, store.ErrForbidden) && known && time.Since(event.UpdatedAt) >= 3*time.Second {
							return inner.DeleteEvent(app, event.Owner, id)
						}
						return err
					}
				}))),
	)
}

// oldPasswordsLater takes the password before the latest change again, some time after it.
func oldPasswordsLater(after time.Duration) func(known *passwords) mutation {
	type change struct {
		old string
		at  time.Time
	}
	return func(known *passwords) mutation {
		changes := &memory[change]{} // by user name and by email
		return combine(
			intercept(updatesUser(), func(next http.Handler, r *http.Request) *response {
				old := known.byName.get(ownName(next, r))
				resp := record(next, r)
				body := requestObject(r)
				if now := fieldText(body, "password"); resp.ok() && old != "" && now != "" && now != old {
					changes.keep("name "+fieldText(body, "user_name"), change{old, time.Now()})
					changes.keep("email "+fieldText(body, "email"), change{old, time.Now()})
				}
				return resp
			}),
			rewriteBody(logsIn(), func(login map[string]any) {
				key := "email " + fieldText(login, "email")
				if name := fieldText(login, "user_name"); name != "" {
					key = "name " + name
				}
				last, changed := changes.lookup(key)
				right, is := known.by(login)
				if changed && is && login["password"] == last.old && time.Since(last.at) >= after {
					login["password"] = right
				}
			}),
		)
	}
}
