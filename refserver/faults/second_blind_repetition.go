package faults

import (
	"bytes"
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// blindRepetition are those of the second or third same write, or of one reading in several.
func blindRepetition() []Fault {
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

// blindConcurrency are those of two operations at once.
func blindConcurrency() []Fault {
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
func ownRecordsInOneFlight(o *refserver.Options) { inOneFlight(readsOwnRecord(), appIn)(o) }
