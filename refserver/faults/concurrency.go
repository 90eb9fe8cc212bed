package faults

import (
	"bytes"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// concurrencyConnectionsSocial are the faults of connections that are made or ended beside
// another operation: one of both is lost, stands twice, or stands on one side alone.
func concurrencyConnectionsSocial() []Fault {
	listsOfUsers := readsFollowsOf().or(readsFollowersOf()).or(readsFriendsOf())
	return slices.Concat(
		breaks("connections.delete.removes",
			fault("concurrency-two-unfollows-at-once", "of two users whom a user unfollows at once one goes on being followed",
				racing(around(toUnfollow, func(l *step) error {
					if _, before := l.during(func() {}, l.me); before > 0 {
						return nil
					}
					return l.do()
				}))),
			fault("concurrency-end-of-follow-beside-new-follow-lost", "a user who is unfollowed while the follower begins to follow another goes on being followed",
				racing(around(toFollow, func(l *step) error {
					before := l.followsOf(l.me)
					time.Sleep(window)
					err := l.do()
					for _, followed := range before {
						if l.other = followed; err == nil && !l.follows() {
							_, _, _ = l.store.Connect(l.app, l.me, followed, store.Follow) // who is deleted stays away
						}
					}
					return err
				}))),
			fault("concurrency-follows-ended-at-once-leave-one", "of two follows that a user ends at once the one that ended last is among the follows again",
				racing(around(toUnfollow, func(l *step) (err error) {
					if _, before := l.during(func() { err = l.do() }, l.me); err == nil && before > 0 {
						l.mark(l.me, l.other)
					}
					return err
				}), list.addsThose(ofFollows, func(l look) (ids []ID) {
					for _, mark := range l.all(noted, l.me, 0) {
						if l.marked(l.me, mark.to, ended) {
							ids = append(ids, mark.to)
						}
					}
					return ids
				})))),
		breaks("connections.lists.follows",
			fault("concurrency-follow-stands-twice", "a user who is followed twice at once is listed twice among the follows",
				racing(around(toFollow, func(l *step) (err error) {
					if ever, _ := l.during(func() { err = l.do() }, l.me, l.other); ever > 1 {
						l.mark(l.me, l.other)
					}
					return err
				}), list.repeats(ofFollows, func(l look) bool { return l.marked(l.me, l.other) }))),
			fault("concurrency-one-of-two-follows-lost", "of two users whom a user follows at once one is not among its follows",
				racing(around(toConnect, func(l *step) (err error) {
					if _, before := l.during(func() { err = l.do() }, l.me); before > 0 && l.isNew && l.of(store.Follow) {
						l.mark(l.me, l.other)
					}
					return err
				}), list.lacks(ofFollows, func(l look) bool { return l.marked(l.me, l.other, connected) }))),
			fault("concurrency-follows-of-each-other-lose-one", "of two users who follow each other at once the second does not follow the first",
				racing(around(toFollow, func(l *step) (err error) {
					if _, before := l.during(func() { err = l.do() }, min(l.me, l.other), max(l.me, l.other)); err == nil && l.isNew && before > 0 {
						err = l.store.Disconnect(l.app, l.me, l.other, store.Follow)
					}
					return err
				}))),
			fault("concurrency-follow-beside-update-of-user-lost", "a user who is followed while the follower updates itself is not among its follows",
				racing(around(toUpdate, func(l *step) error {
					before := l.followsOf(l.me)
					time.Sleep(window)
					err := l.do()
					for _, to := range l.followsOf(l.me) {
						if err == nil && !slices.Contains(before, to) {
							l.mark(l.me, to)
						}
					}
					return err
				}), list.lacks(ofFollows, func(l look) bool { return l.marked(l.me, l.other, connected, ended) })))),
		breaks("connections.lists.followers",
			fault("concurrency-followers-lose-one", "of two users who follow a third at once one is not among its followers",
				racing(around(toFollow, func(l *step) (err error) {
					if _, before := l.during(func() { err = l.do() }, l.other); err == nil && l.isNew && before > 0 {
						l.mark(l.me, l.other)
					}
					return err
				}), list.lacks(ofFollowers, func(l look) bool { return l.marked(l.other, l.me, ended) })))),
		breaks("connections.lists.of-user",
			fault("concurrency-lists-of-two-users-are-one", "who reads a list of two users at once gets that of the first for both, as requests are brought together by their route",
				inOneFlight(listsOfUsers, func(r *http.Request) string { return sessionIn(r) + lastSegment(r) })),
			fault("concurrency-followers-of-users-in-one-flight", "who asks for the followers of a user while those of another are being read gets the same list",
				inOneFlight(readsFollowersOf(), appIn))),
		breaks("connections.lists.after-user-delete",
			fault("concurrency-follow-during-deletion-stays", "a user who is followed while it is deleted stays among the follows",
				racing(longDeletions(), around(toFollow, func(l *step) error {
					err := l.do()
					if err == nil && l.under(l.other) {
						l.journal.write(l.app, act{by: l.me, to: l.other, user: l.record(l.other)}, noted)
					}
					return err
				}), list.adds(ofFollows, func(l look) (users []User) {
					for _, mark := range l.all(noted, l.me, 0) {
						users = append(users, mark.user)
					}
					return users
				})))),
		breaks("connections.friends.mutual",
			fault("concurrency-friends-on-one-side", "of two users who befriend each other at once one does not list the other",
				racing(around(toConnect, func(l *step) (err error) {
					ever, _ := l.during(func() { err = l.do() }, min(l.me, l.other), max(l.me, l.other))
					if ever > 1 && l.of(store.Friend) {
						l.mark(min(l.me, l.other), max(l.me, l.other))
					}
					return err
				}), list.lacks(ofFriends, func(l look) bool { return l.marked(l.me, l.other) }))),
			fault("concurrency-friends-asking-at-once-unlisted", "two users who ask each other at once to be friends do not list each other",
				racing(around(toConnect, func(l *step) error {
					if l.of(store.Friend) {
						l.during(func() {
							if l.under(l.other, l.me) {
								l.mark(l.me, l.other)
								l.mark(l.other, l.me)
							}
						}, l.me, l.other)
					}
					err := l.do()
					return err
				}), list.lacks(ofFriends, func(l look) bool {
					return l.marked(l.me, l.other, ended) && l.back().marked(l.other, l.me, ended)
				})))),
		breaks("social.connects",
			fault("concurrency-second-social-connect-lost", "of two connectings by social identifiers of a user at once the second connects nobody",
				racing(socially(func(c contacts, proceed func([]string) error) error {
					if _, before := c.during(func() {}, c.me); before > 0 {
						return nil
					}
					return proceed(c.ids)
				})))),
	)
}

// concurrencyErrors are the faults of an operation that fails where the same one is under
// way.
func concurrencyErrors() []Fault {
	return breaks("errors.no-5xx",
		fault("concurrency-two-logouts-fail", "two logouts of a session at once fail with 500", failsTwice(logsOut(), sessionIn)),
		fault("concurrency-two-deletions-of-event-fail", "two deletions of an event at once fail with 500", failsTwice(deletesEvent(), lastSegment)),
		fault("concurrency-two-follows-fail", "two connections to the same user at once fail with 500",
			failsTwice(connects(), func(r *http.Request) string { return sessionIn(r) + string(peekBody(r)) })),
		fault("concurrency-two-deletions-of-user-fail", "two deletions of a user at once fail with 500", failsTwice(deletesUser(), sessionIn)),
		fault("concurrency-second-update-of-user-is-stale", "of updates of one user that overlap the first to end is done, and the others fail with 500",
			racing(around(toUpdate, func(l *step) error {
				if _, before := l.during(func() {}, l.me); before > 0 {
					return errors.New("attempted to update a stale object")
				}
				return l.do()
			}))))
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

// concurrencyUsersSessions are the faults of logins, logouts, and writes of a user beside
// another operation: a session that lasts, an answer that is another's, an update that is
// lost.
func concurrencyUsersSessions() []Fault {
	return slices.Concat(
		breaks("sessions.login.user-name",
			fault("concurrency-login-answers-anothers-token", "of two logins by user name at once the first gets the session token of the other",
				latestOf(logsInByName(), "session_token"))),
		breaks("sessions.logout.destroys",
			fault("concurrency-token-used-during-logout-lasts", "a session token that is used while it is logged out goes on working",
				racing(around(toLogOut, func(l *step) (err error) {
					l.journal.running.during(l.term, func() { err = l.do() })
					return err
				}), after(toUse, func(l *step) {
					if l.journal.running.open(l.term) {
						l.noteSession()
					}
				}), sessionsOpen(notedSession))),
			fault("concurrency-two-sessions-logged-out", "of two sessions of a user that are logged out at once one goes on working",
				racing(around(toLogOut, func(l *step) error {
					if _, before := l.during(func() {}, l.me); before > 0 {
						return nil
					}
					return l.do()
				})))),
		breaks("sessions.deleted-user",
			fault("concurrency-login-during-deletion-lasts", "the session of a login while its user is deleted goes on reading the feed",
				racing(longDeletions(), after(toOpen, func(l *step) {
					if l.under(l.me) {
						l.noteSession()
					}
				}), around(toUse, func(l *step) error {
					err := l.do()
					if kept := newest(l.named(noted, l.term)); err != nil && kept.n > 0 {
						l.me, err = kept.by, nil
					}
					return err
				})))),
		breaks("users.id-stable",
			fault("concurrency-create-answers-anothers-id", "of two users created at once the first is answered with the id of the other",
				latestOf(plainCreate(), "id"))),
		breaks("users.me.get",
			fault("concurrency-own-records-in-one-flight", "of two users who read their own records at once one is answered with the other's", ownRecordsInOneFlight)),
		breaks("users.me.update.applies",
			fault("concurrency-update-of-user-lost", "of two updates of a user at once the later one writes all fields as they were before the other",
				racing(staleUpdates(func(before User, user *User, asked func(*User)) {
					if before.ID != 0 {
						before.Password, before.LastLogin = user.Password, user.LastLogin
						*user = before
					}
					asked(user)
				}))),
			fault("concurrency-login-writes-over-update", "a login writes the user as it was when the login began, whatever an update has changed by then",
				racing(around(toOpen, func(l *step) error {
					before := l.record(l.me)
					time.Sleep(window)
					err := l.do()
					if err != nil || before.ID == 0 || before.UpdatedAt.Equal(l.user.UpdatedAt) {
						return err
					}
					_, err = l.store.UpdateUser(l.app, l.me, func(now *User) {
						now.FirstName, now.LastName, now.URL, now.CustomID = before.FirstName, before.LastName, before.URL, before.CustomID
						now.Metadata, now.SocialIDs, now.Activated = before.Metadata, before.SocialIDs, before.Activated
					})
					return err
				})))),
		breaks("users.me.update.password",
			fault("concurrency-update-beside-new-password-brings-the-old-back", "an update of the user beside another that changes the password writes the password as it was before",
				racing(staleUpdates(func(before User, user *User, asked func(*User)) {
					standing := user.Password
					if asked(user); before.ID != 0 && bytes.Equal(user.Password, standing) {
						user.Password = before.Password
					}
				})))),
	)
}

// ownRecordsInOneFlight answers own records that are asked for at once with the first.
func ownRecordsInOneFlight(o *refserver.Options) { inOneFlight(readsOwnRecord(), appIn)(o) }
