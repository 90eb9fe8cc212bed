package faults

import (
	"bytes"
	"crypto/rand"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sequenceSessions are the faults of logins, logouts and sessions after names, emails, passwords or
// sessions were changed.
func sequenceSessions() []Fault {
	formerly := func(what did) when {
		return func(l look) bool {
			return slices.ContainsFunc(l.all(what, l.me, 0), func(change *act) bool { return change.text == l.term })
		}
	}
	revived := func(by did) mutation {
		return breaking(sessionsLast(func(l look) bool { return len(l.since(l.gone, by, l.me, 0)) > 0 }))
	}
	return slices.Concat(
		breaks("sessions.deleted-user",
			fault("sequence-namesake-inherits-sessions", "the sessions of a deleted user open a new user of the same name",
				breaking(sessionsOpen(func(l look) ID {
					login := newest(l.named(loggedIn, l.term))
					if len(l.named(loggedOut, l.term)) > 0 || login.n == 0 {
						return 0
					}
					return newest(l.named(created, login.user.UserName)).by
				}))),
			fault("sequence-session-before-rename-outlives-user", "a session from before its user was renamed goes on showing it when it is deleted in another",
				deletedOwnRecords(func(l look) bool {
					return newest(l.named(loggedIn, l.term)).user.UserName != l.gone.text && len(l.named(loggedOut, l.term)) == 0
				})),
			fault("sequence-deleted-password-opens-namesake", "name and password of a deleted user log in to a new one of the same name",
				breaking(passwordsTaken(byUserName, func(l look, given []byte) bool {
					gone := newest(l.named(deleted, l.user.UserName))
					return gone.n > 0 && bytes.Equal(gone.user.Password, given)
				}))),
			fault("sequence-deleted-with-new-email-logs-in", "a deleted user who had changed the email still logs in by the new one", newEmailsOutliveUsers())),
		breaks("sessions.login.user-name",
			fault("sequence-name-changed-back-unknown", "nobody logs in by a user name that was changed and changed back", breaking(loginsFail(userName, formerly(renamed)))),
			fault("sequence-namesake-cannot-log-in", "nobody logs in by the user name of a user who was deleted, though another user has it",
				breaking(loginsFail(userName, func(l look) bool { return len(l.named(deleted, l.term)) > 0 }))),
			fault("sequence-name-tried-before-create-stays-unknown", "a user name with which somebody tried to log in before any user had it does not log in later",
				breaking(loggingIn(func(l *step, err error) error {
					alike, unread := l.store.Search(l.app, l.name)
					if err != nil && l.name != "" && unread == nil && !slices.ContainsFunc(alike, func(other User) bool { return other.UserName == l.name }) {
						l.journal.write(l.app, act{text: l.name}, noted)
					}
					if l.name != "" && len(l.named(noted, l.name)) > 0 {
						return unfound("user")
					}
					return err
				}))),
			fault("sequence-login-after-rename-twice", "after a second change of the user name nobody logs in by the new one",
				breaking(loginsFail(userName, func(l look) bool { return l.times(renamed, l.me, 0) >= 2 })))),
		breaks("sessions.login.email",
			fault("sequence-second-new-email-unknown", "nobody logs in by the email that a second change of it gave",
				breaking(loginsFail(email, func(l look) bool { return l.times(newEmail, l.me, 0) >= 2 }))),
			fault("sequence-given-up-email-logs-nobody-in", "nobody logs in by an email that another user gave up for a new one",
				breaking(loginsFail(email, func(l look) bool {
					former := newest(l.named(newEmail, l.term))
					return former.n > 0 && former.by != l.me
				}))),
			fault("sequence-email-given-up-and-taken-back-logs-nobody-in", "a user who changes the email and then back to the former one cannot log in by it",
				breaking(loginsFail(email, formerly(newEmail)))),
			fault("sequence-changed-email-does-not-log-in", "who changed the email cannot log in by the new one, as logins look the emails of new users up",
				breaking(loginsFail(email, func(l look) bool {
					return slices.ContainsFunc(l.all(newEmail, l.me, 0), func(change *act) bool { return change.text != "" })
				})))),
		breaks("sessions.login.details",
			fault("sequence-login-details-as-at-first-login", "the details of a login show the user as at the first login with details, whatever has been updated since", detailsAsAtFirst())),
		breaks("sessions.login.last-login",
			fault("sequence-relogin-unsets-last-login", "after a logout and a login the own record shows last_login as if there had been none",
				answersWhere(readsOwnRecord(), func(l look) bool { return l.ever(loggedOut, l.me, 0) }, inObject(set("last_login", neverLoggedIn)))),
			fault("sequence-update-after-login-unsets-last-login", "an update of the user writes back a last_login of never",
				breaking(userUpdates(func(_ look, _ User, now *User) { now.LastLogin = time.Time{} }))),
			fault("sequence-update-of-password-resets-last-login", "an update with a password in it takes the last login away, until the next one",
				breaking(userUpdates(func(_ look, was User, now *User) {
					if was.Password != nil && !samePassword(was, *now) {
						now.LastLogin = time.Time{}
					}
				})))),
		breaks("sessions.create-with-login",
			fault("sequence-create-under-taken-email-opens-the-other", "the session token of a new user whose email another user has already opens that other user", breaking(emailOpensTheOther()))),
		breaks("sessions.logout.destroys",
			fault("sequence-second-logout-keeps-session", "the second logout of a user is answered like the first, and ends no session",
				breaking(fails(toLogOut, nil, func(l look) bool { return l.ever(loggedOut, l.me, 0) }))),
			fault("sequence-logout-after-new-password-keeps-session", "a logout ends no session of a user who changed the password in it",
				breaking(fails(toLogOut, nil, func(l look) bool { return l.ever(newPassword, l.me, 0) }))),
			fault("sequence-registration-token-outlives-logout", "the session of a create goes on working after its logout where its user has logged in since",
				breaking(fails(toLogOut, nil, func(l look) bool {
					registered := !l.last(created, l.me, 0).user.LastLogin.IsZero()
					return registered && l.first(loggedIn, l.me, 0).text == l.term && l.times(loggedIn, l.me, 0) >= 2
				}))),
			fault("sequence-logout-after-refusal-keeps-session", "a logout right after a refused request of the session is answered with 204 and rolled back with that one", refusalsKeepSessions),
			fault("sequence-logout-after-rename-ends-nothing", "the logout from a session that was opened under a former user name is answered with 204, and the session goes on",
				breaking(fails(toLogOut, nil, func(l look) bool {
					login := newest(l.named(loggedIn, l.term))
					return login.n > 0 && login.user.UserName != l.record(l.me).UserName
				}))),
			fault("sequence-logout-of-older-session-ends-the-newest", "a logout in an older session of a user ends the newest in its place",
				breaking(given(toLogOut, func(l *step) {
					if newest := l.last(loggedIn, l.me, 0).text; slices.Contains(l.openSessions(), newest) {
						l.term = newest
					}
				}))),
			fault("sequence-logout-after-login-with-details-ends-nothing", "the session of a login that asked for the user's details survives its logout, as it is cached with them", detailedSessionsStay()),
			fault("sequence-lists-know-sessions-that-connected", "a session in which somebody was connected still reads the own lists of connections after its logout",
				once(connects(), asked.session, sessionIn, func(connected match) mutation {
					return destroyedTokensWork(readsFollows().or(readsFollowers()).or(readsFriends()).and(connected))
				})),
			fault("sequence-session-of-update-outlives-logout", "the session in which the user was updated still works after its logout",
				once(updatesUser(), asked.session, sessionIn, destroyedTokensWork)),
			fault("sequence-update-revives-destroyed-tokens", "an update of the user writes back the sessions that it had, and a token that was logged out works again", revived(updated)),
			fault("sequence-destroyed-token-opens-the-next-login", "the session token that was logged out last opens the session of the next other user who logs in, which takes its place in the table",
				breaking(sessionsOpen(func(l look) ID {
					out := newest(l.named(loggedOut, l.term))
					for _, login := range l.since(out, loggedIn, 0, 0) {
						if out.n > 0 && login.by != out.by && l.then(login).last(loggedOut, 0, 0) == out {
							return login.by
						}
					}
					return 0
				}))),
			fault("sequence-password-change-revives-logged-out-sessions", "a change of the password renews all sessions of the user, those that were logged out before it, too", revived(newPassword))),
		breaks("sessions.logout.relogin",
			fault("sequence-two-logouts-lock-out", "who logged out twice cannot log in any more",
				breaking(fails(toOpen, store.ErrStale, func(l look) bool { return l.times(loggedOut, l.me, 0) >= 2 })))),
	)
}

// newEmailsOutliveUsers takes out of the index of emails the one that a user was created with.
func newEmailsOutliveUsers() mutation {
	left := func(l look, is func(gone User) bool) User {
		for _, gone := range l.all(deleted, 0, 0) {
			if first := l.last(created, gone.by, 0).user.Email; gone.user.Email != "" && gone.user.Email != first && is(gone.user) {
				return gone.user
			}
		}
		return User{}
	}
	return breaking(loggingIn(func(l *step, err error) error {
		gone := left(l.look, func(gone User) bool { return gone.Email == l.email && bytes.Equal(gone.Password, l.password) })
		if err != nil && l.name == "" && gone.ID != 0 {
			l.user, err = gone, nil
		}
		return err
	}), around(toOpen, func(l *step) error {
		err := l.do()
		if gone := left(l.look, func(gone User) bool { return gone.ID == l.me }); err != nil && gone.ID != 0 {
			l.term, l.user, err = rand.Text(), gone, nil
		}
		return err
	}))
}

// detailsAsAtFirst keeps what a login tells of a user, but for the session and its time.
func detailsAsAtFirst() mutation {
	return remembering(func(first *memory[map[string]any]) mutation { // by application and id
		return answers(logsIn().and(detailed), func(q asked) {
			key := q.app() + " " + q.id()
			q.object(func(user map[string]any) {
				if before, known := first.lookup(key); known {
					token, login := user["session_token"], user["last_login"]
					clear(user)
					maps.Copy(user, before)
					user["session_token"], user["last_login"] = token, login
					return
				}
				first.keep(key, maps.Clone(user))
			})
		})
	})
}

// emailOpensTheOther logs a new user in as the first who has the email.
func emailOpensTheOther() effect {
	return around(toOpen, func(l *step) error {
		made := l.last(created, l.me, 0)
		err := l.do()
		if made.user.LastLogin.IsZero() || made.user.Email == "" || l.times(loggedIn, l.me, 0) > 1 {
			return err
		}
		for _, other := range l.then(made).all(created, 0, 0) {
			if first := l.record(other.by); first.Email == made.user.Email && err == nil {
				l.term, _, err = l.store.OpenSession(l.app, first.ID, first.Password)
				return err
			}
		}
		return err
	})
}

// refusalsKeepSessions rolls a logout back where the session's request before it was refused.
func refusalsKeepSessions(o *refserver.Options) {
	refused := &memory[bool]{} // by token
	combine(
		rewriteResponse(insession, func(r *http.Request, resp *response) {
			refused.keep(sessionIn(r), resp.status/100 == 4 && resp.status != http.StatusUnauthorized)
		}),
		breaking(fails(toLogOut, nil, func(l look) bool { return refused.get(l.term) })),
	)(o)
}

// detailedSessionsStay ends no session of a login that asked for details.
func detailedSessionsStay() mutation {
	return once(logsIn().and(detailed), func(q asked) string { return fieldText(q.answer(), "session_token") }, sessionIn, func(cached match) mutation {
		return intercept(logsOut().and(not(lacksHeader("User-Agent"))).and(cached), func(next http.Handler, r *http.Request) *response {
			if !call(next, r, http.MethodGet, "/0.2/user", nil).ok() {
				return record(next, r)
			}
			return answer(r, 204, "")
		})
	})
}
