package faults

import (
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// blindNodes are the faults of several nodes that take turns, of which one has not heard
// of a change, and of what is counted by mistake.
func blindNodes() []Fault {
	return slices.Concat(
		breaks("search.deleted-excluded",
			fault("repetition-deleted-found-by-every-fourth-search", "every fourth search for a term also finds the deleted users who have it in the user name",
				overrideStore(func(inner refserver.Store, s *overrides) {
					searches, deleted := &memory[int]{}, &memory[[]store.User]{} // by term; by application
					s.onDeleteUser(func(user store.User) {
						deleted.update(keyOf(user.App), func(all []store.User) []store.User { return append(slices.Clip(all), user) })
					})
					s.search = func(app store.App, term string) ([]store.User, error) {
						hits, err := inner.Search(app, term)
						if tally(searches, keyOf(app)+term)%4 != 0 {
							return hits, err
						}
						for _, user := range deleted.get(keyOf(app)) {
							if holdsText(user.UserName, term) {
								hits = append(hits, user)
							}
						}
						return hits, err
					}
				}))),
		breaks("sessions.logout.destroys",
			fault("repetition-destroyed-token-at-every-fourth-use", "a destroyed session token works at every fourth use",
				overrideStore(func(inner refserver.Store, s *overrides) {
					ended, uses := &memory[store.ID]{}, &memory[int]{} // a user by token; by token
					s.onLogout(func(app store.App, user store.ID, token string) { ended.keep(keyOf(app)+token, user) })
					s.session = func(app store.App, token string) (store.ID, error) {
						id, err := inner.Session(app, token)
						user, known := ended.lookup(keyOf(app) + token)
						if err == nil || !known || tally(uses, keyOf(app)+token)%4 != 0 {
							return id, err
						}
						if _, gone := inner.User(app, user); gone != nil {
							return id, err
						}
						return user, nil
					}
				}))),
		breaks("users.me.update.applies",
			fault("repetition-third-own-record-outdated", "every third reading of the own record in a session shows names, url and metadata as before the latest update", thirdRecordOutdated)),
		breaks("users.me.update.password",
			fault("repetition-old-password-at-every-third-try", "every third login by user name with the password before the latest change is taken", knowingPasswords(oldPasswordsAtThird))),
		breaks("feed.merge",
			fault("repetition-third-change-doubles-event", "an event that was changed three times is in feeds twice",
				overrideStore(func(_ refserver.Store, s *overrides) {
					changes := &memory[int]{}
					s.onUpdateEvent(func(event store.Event) { tally(changes, keyOf(event.App, event.ID)) })
					s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
						again := without(slices.Clone(feed), func(event store.Event) bool { return changes.get(keyOf(r.app, event.ID)) < 3 })
						return newestFirst(append(feed, again...))
					})
				}))),
	)
}

func thirdRecordOutdated(o *refserver.Options) {
	before := &memory[map[string]any]{} // by session
	combine(
		intercept(updatesUser(), func(next http.Handler, r *http.Request) *response {
			own := ownRecord(next, r)
			resp := record(next, r)
			if resp.ok() && own != nil {
				before.keep(sessionIn(r), own)
			}
			return resp
		}),
		everyNth(3, readsOwnRecord(), func(third match) mutation {
			return rewriteResponse(third, func(r *http.Request, resp *response) {
				old := before.get(sessionIn(r))
				resp.object(func(user map[string]any) {
					for _, field := range []string{"first_name", "last_name", "url", "metadata"} {
						if value, had := old[field]; had {
							user[field] = value
						} else if old != nil {
							delete(user, field)
						}
					}
				})
			})
		}),
	)(o)
}

// oldPasswordsAtThird takes, at every third try, the password before the latest change.
func oldPasswordsAtThird(known *passwords) mutation {
	old, tries := &memory[string]{}, &memory[int]{} // by user name
	return combine(
		intercept(updatesUser(), func(next http.Handler, r *http.Request) *response {
			before := known.byName.get(ownName(next, r))
			resp := record(next, r)
			name, now := fieldText(requestObject(r), "user_name"), fieldText(requestObject(r), "password")
			if resp.ok() && before != "" && now != "" && now != before {
				old.keep(name, before)
			}
			return resp
		}),
		rewriteResponse(createsUser(), func(r *http.Request, resp *response) {
			if resp.ok() {
				old.keep(fieldText(requestObject(r), "user_name"), "") // another user may bear the name
			}
		}),
		rewriteBody(logsInByName(), func(login map[string]any) {
			name, right := fieldText(login, "user_name"), ""
			if right, _ = known.by(login); right == "" || old.get(name) == "" || login["password"] != old.get(name) {
				return
			}
			if tally(tries, name)%3 == 0 {
				login["password"] = right
			}
		}),
	)
}

// blindArchive are the faults of events that are kept elsewhere after four seconds.
func blindArchive() []Fault {
	const recent = 4 * time.Second
	return slices.Concat(
		breaks("events.update.status",
			fault("time-older-events-not-changeable", "an event that was posted four seconds ago is not found by a change",
				overrideStore(func(inner refserver.Store, s *overrides) {
					posted := &memory[store.Event]{}
					s.onCreateEvent(func(event store.Event) { posted.keep(keyOf(event.App, event.ID), event) })
					s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
						if event, known := posted.lookup(keyOf(app, id)); known && event.Owner == owner && time.Since(event.CreatedAt) >= recent {
							return store.Event{}, store.ErrNotFound
						}
						return inner.UpdateEvent(app, owner, id, change)
					}
				}))),
		breaks("feed.order",
			fault("time-older-events-in-reverse", "in a feed the events that were posted four seconds ago or earlier stand the oldest first, behind the newer ones",
				rewriteFeeds(func(_ reader, feed []store.Event) []store.Event {
					older := slices.IndexFunc(feed, func(event store.Event) bool { return time.Since(event.CreatedAt) >= recent })
					if older >= 0 {
						slices.Reverse(feed[older:])
					}
					return feed
				}))),
	)
}
