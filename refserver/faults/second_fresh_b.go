package faults

import (
	"bytes"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// moreFaultsB are further faults of the second order.
func moreFaultsB() []Fault {
	return slices.Concat(
		ofKind(Scale, newScale()),
		ofKind(Repetition, newRepetition()),
		ofKind(Concurrency, newConcurrency()),
		ofKind(Time, newTime()),
		ofKind(Sequence, newSequencesOfFeeds(), newSequencesOfUsers()),
	)
}

// newScale are those of numbers that real systems have as limits.
func newScale() []Fault {
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

// newRepetition are those of the second or third same write, or of one reading in several.
func newRepetition() []Fault {
	return slices.Concat(
		breaks("sessions.login.wrong-password",
			fault("repetition-same-wrong-password-taken", "a wrong password that was refused for a user name is taken when it is given again",
				knowingPasswords(func(known *passwords) mutation {
					tries := &memory[int]{}
					return rewriteBody(logsInByName(), func(login map[string]any) {
						given := fieldText(login, "password")
						right, is := known.by(login)
						if is && given != "" && given != right && tally(tries, fieldText(login, "user_name")+"\n"+given) >= 2 {
							login["password"] = right
						}
					})
				}))),
		breaks("connections.delete.removes",
			fault("repetition-follow-counted", "a follow that was asked for twice is there until it is ended twice",
				overrideStore(func(inner refserver.Store, s *overrides) {
					times := &memory[int]{}
					s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
						if typ == store.Follow {
							tally(times, keyOf(app, from, to))
						}
					})
					s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
						n := times.get(keyOf(app, from, to))
						if n >= 2 && slices.Contains(types, store.Follow) && follows(inner, app, from, to) {
							times.keep(keyOf(app, from, to), n-1)
							if befriends(inner, app, from, to) && slices.Contains(types, store.Friend) {
								return inner.Disconnect(app, from, to, store.Friend)
							}
							return nil
						}
						times.keep(keyOf(app, from, to), 0)
						return inner.Disconnect(app, from, to, types...)
					}
				}))),
		breaks("feed.merge",
			fault("repetition-second-follow-doubles-events", "what a user posts after it was followed twice is in the feed twice",
				overrideStore(func(_ refserver.Store, s *overrides) {
					times, since := &memory[int]{}, &memory[time.Time]{}
					s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
						if typ == store.Follow && tally(times, keyOf(app, from, to)) == 2 {
							since.keep(keyOf(app, from, to), time.Now())
						}
					})
					s.onDisconnect(func(app store.App, from, to store.ID) {
						times.keep(keyOf(app, from, to), 0)
						since.keep(keyOf(app, from, to), time.Time{})
					})
					s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
						again := without(slices.Clone(feed), func(event store.Event) bool {
							at := since.get(keyOf(r.app, r.id, event.Owner))
							return at.IsZero() || event.CreatedAt.Before(at)
						})
						return newestFirst(append(feed, again...))
					})
				}))),
		breaks("feed.only-connected",
			fault("repetition-fifth-feed-of-followers", "every fifth reading of a feed also holds the events of the reader's followers",
				overrideStore(func(_ refserver.Store, s *overrides) {
					all, readings := archived(s), &memory[int]{}
					s.addToFeeds(func(r reader, _ []store.Event) []store.Event {
						if tally(readings, keyOf(r.app, r.id))%5 != 0 {
							return nil
						}
						followers := idsOf(r.store.Followers, r.app, r.id)
						return all.of(r.app, func(owner store.ID) bool { return slices.Contains(followers, owner) })
					})
				}))),
		breaks("feed.event-delete",
			fault("repetition-third-deleted-event-stays", "every third event that a user deletes stays in the feeds of followers",
				overrideStore(func(inner refserver.Store, s *overrides) {
					stale, deletions := keepStaleReads(s), &memory[int]{}
					s.onDisconnect(func(app store.App, from, to store.ID) { stale.forget(app, from, to) })
					s.deleteEvent = func(app store.App, owner, id store.ID) error {
						left := map[store.ID][]store.Event{}
						for _, reader := range idsOf(inner.Followers, app, owner) {
							left[reader] = without(ownedBy(inner, app, reader, owner), func(event store.Event) bool { return event.ID != id })
						}
						err := inner.DeleteEvent(app, owner, id)
						if err != nil || tally(deletions, keyOf(app, owner))%3 != 0 {
							return err
						}
						for reader, events := range left {
							stale.keep(app, reader, events, atOnce(time.Now()))
						}
						return nil
					}
				}))),
		breaks("events.update.keeps-identity",
			fault("repetition-same-change-of-another-event", "a change of an event that says byte for byte what the session's last change of another said is answered with that other event",
				func(o *refserver.Options) {
					type last struct {
						path         string
						sent, answer []byte
					}
					latest := &memory[last]{}
					intercept(updatesEvent(), func(next http.Handler, r *http.Request) *response {
						sent := peekBody(r)
						resp := record(next, r)
						if !resp.ok() {
							return resp
						}
						before := latest.get(r.Header.Get("Authorization"))
						if before.path != r.URL.Path && len(sent) > 0 && bytes.Equal(before.sent, sent) {
							resp.body = before.answer
							return resp
						}
						latest.keep(r.Header.Get("Authorization"), last{r.URL.Path, sent, resp.body})
						return resp
					})(o)
				})),
	)
}

// newConcurrency are those of two operations at once.
func newConcurrency() []Fault {
	return slices.Concat(
		breaks("search.exact",
			fault("concurrency-index-of-names-loses-one", "of two users created at once the one that comes second is not found by the whole user name",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					running, lost := &overlaps{}, &memory[bool]{}
					s.createUser = func(app store.App, user store.User) (made store.User, err error) {
						_, before := running.during(keyOf(app), func() { made, err = inner.CreateUser(app, user) })
						if before > 0 && err == nil {
							lost.keep(keyOf(app, made.ID), true)
						}
						return made, err
					}
					s.onUpdateUser(func(_, after store.User) { lost.keep(keyOf(after.App, after.ID), false) })
					s.searchBy(func(user store.User, term string, found bool) bool {
						return found && !(user.UserName == term && lost.get(keyOf(user.App, user.ID)))
					})
				}))),
		breaks("connections.lists.followers",
			fault("concurrency-followers-lose-one", "of two users who follow a third at once one is not among its followers",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					running, lost := &overlaps{}, &memory[bool]{}
					s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (made store.Connection, isNew bool, err error) {
						if typ != store.Follow {
							return inner.Connect(app, from, to, typ)
						}
						_, before := running.during(keyOf(app, to), func() { made, isNew, err = inner.Connect(app, from, to, typ) })
						if isNew && err == nil {
							lost.keep(keyOf(app, from, to), before > 0)
						}
						return made, isNew, err
					}
					filter(&s.followers, func(app store.App, id store.ID, follower store.User) bool {
						return lost.get(keyOf(app, follower.ID, id))
					})
				}))),
		breaks("sessions.logout.destroys",
			fault("concurrency-two-sessions-logged-out", "of two sessions of a user that are logged out at once one goes on working",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					running := &overlaps{}
					s.closeSession = func(app store.App, token string) error {
						user, err := inner.Session(app, token)
						if err != nil {
							return inner.CloseSession(app, token)
						}
						if _, before := running.during(keyOf(app, user), func() {}); before > 0 {
							return nil
						}
						return inner.CloseSession(app, token)
					}
				}))),
		breaks("feed.purge.followers",
			fault("concurrency-two-purges-of-a-feed", "of two users deleted at once the events of the second stay in the feed of who followed both",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					stale, under := keepStaleReads(s), &memory[int]{} // deletions under way, by reader
					s.deleteUser = func(app store.App, id store.ID) error {
						left := map[store.ID][]store.Event{}
						readers := idsOf(inner.Followers, app, id)
						for _, reader := range readers {
							if tally(under, keyOf(app, reader)) >= 2 {
								left[reader] = ownedBy(inner, app, reader, id)
							}
						}
						time.Sleep(window)
						err := inner.DeleteUser(app, id)
						for _, reader := range readers {
							under.update(keyOf(app, reader), func(n int) int { return n - 1 })
							if err == nil {
								stale.keep(app, reader, left[reader], atOnce(time.Now()))
							}
						}
						return err
					}
				}))),
		breaks("connections.delete.removes",
			fault("concurrency-two-unfollows-at-once", "of two users whom a user unfollows at once one goes on being followed",
				overrideRacyStore(func(inner refserver.Store, s *overrides) {
					running := &overlaps{}
					s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
						if !slices.Contains(types, store.Follow) || !follows(inner, app, from, to) {
							return inner.Disconnect(app, from, to, types...)
						}
						if _, before := running.during(keyOf(app, from), func() {}); before > 0 {
							return nil
						}
						return inner.Disconnect(app, from, to, types...)
					}
				}))),
		breaks("users.me.get",
			fault("concurrency-own-records-in-one-flight", "of two users who read their own records at once one is answered with the other's", ownRecordsInOneFlight)),
	)
}

// ownRecordsInOneFlight answers own records that are asked for at once with the first.
func ownRecordsInOneFlight(o *refserver.Options) {
	var mu sync.Mutex
	flights := map[string][]byte{} // by application
	rewriteResponse(readsOwnRecord(), func(r *http.Request, resp *response) {
		if !resp.ok() {
			return
		}
		mu.Lock()
		first, there := flights[appIn(r)]
		if !there {
			flights[appIn(r)] = resp.body
		}
		mu.Unlock()
		if there {
			resp.body = first
			return
		}
		time.Sleep(window)
		mu.Lock()
		delete(flights, appIn(r))
		mu.Unlock()
	})(o)
}

// newTime are those of what expires, or comes back, after some seconds.
func newTime() []Fault {
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

// leftByFriends watches ends of friendships. What it returns says when a user was
// last left by a friend; never, or befriended again since, is the zero time.
func leftByFriends(inner refserver.Store, s *overrides) func(app store.App, left, by store.ID) time.Time {
	at, disconnect := &memory[time.Time]{}, s.disconnect // by the one who was left and the other
	s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
		were := befriends(inner, app, from, to)
		err := disconnect(app, from, to, types...)
		if err == nil && were && !befriends(inner, app, from, to) {
			at.keep(keyOf(app, to, from), time.Now())
		}
		return err
	}
	s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
		if typ == store.Friend {
			at.keep(keyOf(app, from, to), time.Time{})
			at.keep(keyOf(app, to, from), time.Time{})
		}
	})
	return func(app store.App, left, by store.ID) time.Time { return at.get(keyOf(app, left, by)) }
}

// signedEvents remembers the user names under which events were posted.
func signedEvents(inner refserver.Store, s *overrides) *memory[string] {
	names := &memory[string]{} // by event
	s.onCreateEvent(func(event store.Event) {
		if user, err := inner.User(event.App, event.Owner); err == nil {
			names.keep(keyOf(event.App, event.ID), user.UserName)
		}
	})
	return names
}

// newSequencesOfFeeds are those of events and feeds.
func newSequencesOfFeeds() []Fault {
	return slices.Concat(
		breaks("feed.purge.keeps-others",
			fault("sequence-purge-by-former-name", "the deletion of a user takes out of feeds what another posted while that one bore its user name",
				overrideStore(func(inner refserver.Store, s *overrides) {
					names, deleted := signedEvents(inner, s), &memory[time.Time]{} // by name
					s.onDeleteUser(func(user store.User) { deleted.keep(keyOf(user.App)+user.UserName, time.Now()) })
					s.hideFromFeeds(func(r reader, event store.Event) bool {
						name, known := names.lookup(keyOf(r.app, event.ID))
						at, gone := deleted.lookup(keyOf(r.app) + name)
						if !known || !gone || event.CreatedAt.After(at) {
							return false
						}
						owner, err := inner.User(r.app, event.Owner)
						return err == nil && owner.UserName != name
					})
				}))),
		breaks("feed.purge.followers",
			fault("sequence-purge-forgets-follower-left-as-friend", "a deleted user's events stay in the feed of a follower whose friendship it had ended",
				purgePassesOver(allOf, readers(followersAlone).where(func(inner refserver.Store, s *overrides) func(store.App, store.ID, store.ID) bool {
					left := leftByFriends(inner, s)
					return func(app store.App, owner, id store.ID) bool { return !left(app, id, owner).IsZero() }
				}), atOnce)),
			fault("sequence-purged-return-at-next-login", "a deleted user's events are back in the feed of a follower who logs in after that",
				overrideStore(func(inner refserver.Store, s *overrides) {
					stale, deleted := keepStaleReads(s), watchDeletions(inner, s)
					s.onLogin(func(app store.App, user store.ID, _ string) {
						for _, gone := range deleted.in(app) {
							if slices.Contains(gone.followers, user) {
								stale.keep(app, user, gone.events, atOnce(gone.at))
							}
						}
					})
				}))),
		breaks("feed.follow.new-events",
			fault("sequence-follow-after-friendship-gets-nothing-new", "who follows a user that had ended their friendship does not see what that one posts from then on",
				overrideStore(func(inner refserver.Store, s *overrides) {
					left, since := leftByFriends(inner, s), &memory[time.Time]{}
					s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
						if typ == store.Follow && !left(app, from, to).IsZero() && !since.has(keyOf(app, from, to)) {
							since.keep(keyOf(app, from, to), time.Now())
						}
					})
					s.hideFromFeeds(func(r reader, event store.Event) bool {
						at, known := since.lookup(keyOf(r.app, r.id, event.Owner))
						return known && event.CreatedAt.After(at) && !r.befriends(event.Owner)
					})
				}))),
		breaks("feed.event-delete",
			fault("sequence-zz-twin", "a deleted event stays in the feed of who had ended the follow of its owner and made it again",
				deletionPassesOver(allOf, onceEnded(followersAlone), atOnce))),
		breaks("events.update.others",
			fault("sequence-taker-of-name-changes-events", "who took over a user name may change the events that its former bearer posted under it",
				overrideStore(func(inner refserver.Store, s *overrides) {
					names, owners := signedEvents(inner, s), ownersOf(s)
					s.updateEvent = func(app store.App, user, id store.ID, change func(*store.Event)) (store.Event, error) {
						event, err := inner.UpdateEvent(app, user, id, change)
						owner, name := owners.get(keyOf(app, id)), names.get(keyOf(app, id))
						taker, unknown := inner.User(app, user)
						former, gone := inner.User(app, owner)
						if errors.Is(err, store.ErrForbidden) && unknown == nil && gone == nil && taker.UserName == name && former.UserName != name {
							return inner.UpdateEvent(app, owner, id, change)
						}
						return event, err
					}
				}))),
	)
}

// newSequencesOfUsers are those of users, names, sessions and applications.
func newSequencesOfUsers() []Fault {
	return slices.Concat(
		breaks("auth.app-isolation",
			fault("sequence-updated-found-by-other-app", "a search also finds the users of other applications who have been updated, by their user names",
				mixed(func(apps applications, s *overrides) {
					updated := &memory[bool]{}
					s.onUpdateUser(func(_, after store.User) { updated.keep(keyOf(after.App, after.ID), true) })
					s.search = func(app store.App, term string) ([]store.User, error) {
						hits, err := apps.inner.Search(app, term)
						for _, other := range apps.besides(app) {
							found, cause := apps.inner.Search(other, term)
							for _, user := range found {
								if cause == nil && updated.get(keyOf(other, user.ID)) && holdsText(user.UserName, term) {
									hits = append(hits, user)
								}
							}
						}
						return hits, err
					}
				})),
			fault("sequence-hot-record-served-to-other-app", "a user's record that was read three times by its application is served to others too", func(o *refserver.Options) {
				type hot struct {
					app  string
					body []byte
				}
				reads, kept := &memory[int]{}, &memory[hot]{} // by path
				rewriteResponse(readsUser(), func(r *http.Request, resp *response) {
					if resp.ok() && tally(reads, r.URL.Path) >= 3 {
						kept.keep(r.URL.Path, hot{appIn(r), resp.body})
					}
					if cached, is := kept.lookup(r.URL.Path); is && resp.status == 404 && cached.app != appIn(r) {
						resp.status, resp.body = 200, cached.body
					}
				})(o)
			})),
		breaks("users.me.update.applies",
			fault("sequence-other-session-keeps-old-record", "a session that read its user goes on showing it as it was when another session updates it", func(o *refserver.Options) {
				kept := &memory[[]byte]{} // by session
				combine(
					rewriteResponse(updatesUser(), func(r *http.Request, resp *response) {
						if resp.ok() {
							kept.keep(sessionIn(r), nil)
						}
					}),
					rewriteResponse(readsOwnRecord(), func(r *http.Request, resp *response) {
						before := kept.get(sessionIn(r))
						switch {
						case !resp.ok():
						case len(before) > 0 && fieldText(objectOf(before), "updated_at") != fieldText(objectOf(resp.body), "updated_at"):
							resp.body = before
						default:
							kept.keep(sessionIn(r), resp.body)
						}
					}),
				)(o)
			})),
		breaks("sessions.deleted-user",
			fault("sequence-session-before-rename-outlives-user", "a session from before its user was renamed goes on showing it when it is deleted in another", sessionBeforeRenameOutlives),
			fault("sequence-deleted-password-opens-namesake", "name and password of a deleted user log in to a new one of the same name",
				knowingPasswords(func(known *passwords) mutation {
					deleted := &memory[string]{} // a password by name
					return combine(
						intercept(deletesUser(), func(next http.Handler, r *http.Request) *response {
							name := ownName(next, r)
							password := known.byName.get(name)
							resp := record(next, r)
							if resp.ok() && password != "" {
								deleted.keep(name, password)
							}
							return resp
						}),
						rewriteBody(logsInByName(), func(login map[string]any) {
							old, gone := deleted.lookup(fieldText(login, "user_name"))
							if right, is := known.by(login); gone && is && login["password"] == old {
								login["password"] = right
							}
						}),
					)
				}))),
		breaks("search.exact",
			fault("sequence-taken-name-not-found", "who took a user name that another gave up is not found by it",
				overrideStore(func(_ refserver.Store, s *overrides) {
					givenUp := &memory[store.ID]{} // by name
					s.onUpdateUser(func(before, after store.User) {
						if before.UserName != after.UserName {
							givenUp.keep(keyOf(before.App)+before.UserName, before.ID)
						}
					})
					s.searchBy(func(user store.User, term string, found bool) bool {
						by, is := givenUp.lookup(keyOf(user.App) + term)
						return found && !(user.UserName == term && is && by != user.ID)
					})
				}))),
		breaks("sessions.logout.destroys",
			fault("sequence-registration-token-outlives-logout", "the session of a create goes on working after its logout where its user has logged in since",
				overrideStore(func(inner refserver.Store, s *overrides) {
					registered, logins, first := &memory[bool]{}, &memory[int]{}, &memory[bool]{} // by user; by user; by token
					s.onCreateUser(func(user store.User) {
						registered.keep(keyOf(user.App, user.ID), !user.LastLogin.IsZero())
					})
					s.onLogin(func(app store.App, user store.ID, token string) {
						if tally(logins, keyOf(app, user)) == 1 && registered.get(keyOf(app, user)) {
							first.keep(token, true)
						}
					})
					s.closeSession = func(app store.App, token string) error {
						user, err := inner.Session(app, token)
						if err == nil && first.get(token) && logins.get(keyOf(app, user)) >= 2 {
							return nil
						}
						return inner.CloseSession(app, token)
					}
				}))),
	)
}

// sessionBeforeRenameOutlives ends, with a user, the sessions that were opened under its last name.
func sessionBeforeRenameOutlives(o *refserver.Options) {
	type session struct{ id, name string }
	sessions, records := &memory[session]{}, &memory[map[string]any]{} // by token; by id
	combine(
		intercept(opensSession(), func(next http.Handler, r *http.Request) *response {
			resp := record(next, r)
			resp.object(func(user map[string]any) {
				if token := fieldText(user, "session_token"); token != "" {
					as := r.Clone(r.Context())
					as.SetBasicAuth(appIn(r), token)
					sessions.keep(token, session{fieldText(user, "id"), ownName(next, as)})
				}
			})
			return resp
		}),
		rewriteResponse(logsOut(), func(r *http.Request, resp *response) {
			if resp.ok() {
				sessions.keep(sessionIn(r), session{})
			}
		}),
		intercept(deletesUser(), func(next http.Handler, r *http.Request) *response {
			own := ownRecord(next, r)
			resp := record(next, r)
			if resp.ok() {
				records.keep(fieldText(own, "id"), own)
			}
			return resp
		}),
		recordsShown(func(token string) ([]byte, bool) {
			s, known := sessions.lookup(token)
			record, gone := records.lookup(s.id)
			return encode(record), known && gone && s.id != "" && fieldText(record, "user_name") != s.name
		}),
	)(o)
}
