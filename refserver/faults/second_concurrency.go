package faults

import (
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// window is how long an operation stays open to others, so that two at once do overlap.
// It is never held open under a lock that others wait for.
const window = 25 * time.Millisecond

// inOneFlight answers requests of one key that are there at once with what the first gets.
func inOneFlight(m match, key func(*http.Request) string) mutation {
	var mu sync.Mutex
	flights := map[string][]byte{}
	return rewriteResponse(m, func(r *http.Request, resp *response) {
		if !resp.ok() {
			return
		}
		mu.Lock()
		first, there := flights[key(r)]
		if !there {
			flights[key(r)] = resp.body
		}
		mu.Unlock()
		if there {
			resp.body = first
			return
		}
		time.Sleep(window)
		mu.Lock()
		delete(flights, key(r))
		mu.Unlock()
	})
}

// overlaps knows the operations of one key that are under way.
type overlaps struct {
	mu    sync.Mutex
	under map[string]*overlap
}

// overlap is a group of operations of which each was under way with another.
type overlap struct{ now, ever, ended int }

// during does an operation in a window. It returns how many its group has had so
// far, and how many of them had ended before it.
func (o *overlaps) during(key string, do func()) (ever, before int) {
	o.mu.Lock()
	if o.under == nil {
		o.under = map[string]*overlap{}
	}
	group := o.under[key]
	if group == nil {
		group = &overlap{}
		o.under[key] = group
	}
	group.now++
	group.ever++
	o.mu.Unlock()
	time.Sleep(window)
	do()
	o.mu.Lock()
	defer o.mu.Unlock()
	before = group.ended
	group.ended++
	if group.now--; group.now == 0 {
		delete(o.under, key)
	}
	return group.ever, before
}

// open reports whether an operation is under way.
func (o *overlaps) open(key string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.under[key] != nil
}

// failsTwice answers requests of one key that overlap with 500.
func failsTwice(m match, key func(*http.Request) string) mutation {
	return func(o *refserver.Options) {
		running := &overlaps{}
		intercept(m, func(next http.Handler, r *http.Request) (resp *response) {
			if ever, _ := running.during(key(r), func() { resp = record(next, r) }); ever > 1 {
				resp.become(500, complaint("deadlock"))
			}
			return resp
		})(o)
	}
}

// latestOf gives the answers to requests that overlap the field of the latest one.
func latestOf(m match, field string) mutation {
	return func(o *refserver.Options) {
		latest := &memory[any]{}
		rewriteObject(m, func(object map[string]any) {
			latest.keep("", object[field])
			time.Sleep(window)
			object[field] = latest.get("")
		})(o)
	}
}

// concurrentWrites are the faults of two writes to the same at once.
func concurrentWrites() []Fault {
	return slices.Concat(
		breaks("users.me.update.applies",
			fault("concurrency-update-of-user-lost", "of two updates of a user at once the later one writes all fields as they were before the other",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (store.User, error) {
						before, missing := inner.User(app, id)
						time.Sleep(window)
						return inner.UpdateUser(app, id, func(user *store.User) {
							if missing == nil {
								before.Password, before.LastLogin = user.Password, user.LastLogin
								*user = before
							}
							change(user)
						})
					}
				}))),
		breaks("events.update.applies",
			fault("concurrency-change-of-event-lost", "of two changes of an event at once the later one writes all fields as they were before the other",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					versions := &memory[store.Event]{}
					s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
						before, known := versions.lookup(keyOf(app, id))
						time.Sleep(window)
						return inner.UpdateEvent(app, owner, id, func(event *store.Event) {
							if known {
								*event = before
							}
							change(event)
						})
					}
					s.onCreateEvent(func(event store.Event) { versions.keep(keyOf(event.App, event.ID), event) })
					s.onUpdateEvent(func(event store.Event) { versions.keep(keyOf(event.App, event.ID), event) })
				}))),
		breaks("connections.lists.follows",
			fault("concurrency-follow-stands-twice", "a user who is followed twice at once is listed twice among the follows",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					running, doubled := &overlaps{}, &memory[bool]{}
					s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (made store.Connection, isNew bool, err error) {
						ever, _ := running.during(keyOf(app, from, to), func() { made, isNew, err = inner.Connect(app, from, to, typ) })
						if ever > 1 && typ == store.Follow {
							doubled.keep(keyOf(app, from, to), true)
						}
						return made, isNew, err
					}
					s.follows = func(app store.App, id store.ID) ([]store.User, error) {
						users, err := inner.Follows(app, id)
						for _, user := range users {
							if doubled.get(keyOf(app, id, user.ID)) {
								users = append(users, user)
							}
						}
						return users, err
					}
				}))),
		breaks("connections.friends.mutual",
			fault("concurrency-friends-on-one-side", "of two users who befriend each other at once one does not list the other",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					running, hidden := &overlaps{}, &memory[bool]{}
					s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (made store.Connection, isNew bool, err error) {
						first, second := min(from, to), max(from, to)
						ever, _ := running.during(keyOf(app, first, second), func() { made, isNew, err = inner.Connect(app, from, to, typ) })
						if ever > 1 && typ == store.Friend {
							hidden.keep(keyOf(app, first, second), true)
						}
						return made, isNew, err
					}
					filter(&s.friends, func(app store.App, id store.ID, friend store.User) bool { return hidden.get(keyOf(app, id, friend.ID)) })
				}))),
		breaks("users.id-stable",
			fault("concurrency-create-answers-anothers-id", "of two users created at once the first is answered with the id of the other",
				latestOf(plainCreate(), "id"))),
		breaks("errors.no-5xx",
			fault("concurrency-two-logouts-fail", "two logouts of a session at once fail with 500", failsTwice(logsOut(), sessionIn)),
			fault("concurrency-two-deletions-of-event-fail", "two deletions of an event at once fail with 500", failsTwice(deletesEvent(), lastSegment)),
			fault("concurrency-two-follows-fail", "two connections to the same user at once fail with 500",
				failsTwice(connects(), func(r *http.Request) string { return sessionIn(r) + string(peekBody(r)) }))),
	)
}

// concurrentSessions are the faults of logins and logouts beside something else.
func concurrentSessions() []Fault {
	return slices.Concat(
		breaks("sessions.login.user-name",
			fault("concurrency-login-answers-anothers-token", "of two logins by user name at once the first gets the session token of the other",
				latestOf(logsInByName(), "session_token"))),
		breaks("sessions.logout.destroys",
			fault("concurrency-token-used-during-logout-lasts", "a session token that is used while it is logged out goes on working",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					running, cached := &overlaps{}, &memory[store.ID]{}
					s.closeSession = func(app store.App, token string) (err error) {
						running.during(token, func() { err = inner.CloseSession(app, token) })
						return err
					}
					s.session = func(app store.App, token string) (store.ID, error) {
						id, err := inner.Session(app, token)
						if err == nil && running.open(token) {
							cached.keep(keyOf(app)+token, id)
						}
						if cached, known := cached.lookup(keyOf(app) + token); err != nil && known {
							return cached, nil
						}
						return id, err
					}
				}))),
		breaks("sessions.deleted-user",
			fault("concurrency-login-during-deletion-lasts", "the session of a login while its user is deleted goes on reading the feed",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					running, survivors := &overlaps{}, &memory[store.ID]{}
					s.deleteUser = func(app store.App, id store.ID) (err error) {
						running.during(keyOf(app, id), func() { err = inner.DeleteUser(app, id) })
						return err
					}
					s.onLogin(func(app store.App, user store.ID, token string) {
						if running.open(keyOf(app, user)) {
							survivors.keep(keyOf(app)+token, user)
						}
					})
					s.session = func(app store.App, token string) (store.ID, error) {
						id, err := inner.Session(app, token)
						if user, known := survivors.lookup(keyOf(app) + token); err != nil && known {
							return user, nil
						}
						return id, err
					}
				}))),
	)
}
