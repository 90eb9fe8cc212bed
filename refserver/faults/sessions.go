package faults

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

func sessions() []Fault {
	return slices.Concat(logins(), lastLogins(), refusedLogins(), createsWithLogin(), logouts(), lastingSessions(), renamedUsers(), endedUsers(), straySessionTokens())
}

const neverLoggedIn = "0000-01-01T00:00:00Z"

func logsInByName() match  { return logsIn().and(sends("user_name")) }
func logsInByEmail() match { return logsIn().and(sends("email")) }

// opensSession picks the requests that may be answered with a session token.
func opensSession() match { return logsIn().or(createsUser()) }

// detailed picks the logins that ask for the whole user.
func detailed(r *http.Request) bool { return hasQuery("withUserDetails", "true")(r) }

// logins are the faults of what a login answers (Endpoints, row 2).
func logins() []Fault {
	brief, query := not(detailed), func(query string) func(*http.Request) { return func(r *http.Request) { r.URL.RawQuery = query } }
	numberID := func(user map[string]any) { user["id"] = json.Number(fieldText(user, "id")) }
	return slices.Concat(
		breaks("sessions.login.user-name",
			fault("sessions-user-name-login-refused", "a login by user name finds nobody, one by email does",
				rewriteBody(logsInByName(), set("user_name", "nobody-at-all"))),
			fault("sessions-user-name-login-token-void", "the session token of a login by user name, beside another session, opens nothing",
				tokensBesideOthersVoid)),
		breaks("sessions.login.email",
			fault("sessions-email-login-refused", "a login reads the user name alone", rewriteBody(logsInByEmail(), drop("email"))),
			fault("sessions-email-login-opens-another-session", "a login by email gives the session that another user opened last",
				givesTokenOfAnother(logsInByEmail())),
			fault("sessions-email-login-answers-201", "a login by email, without details, answers 201",
				rewriteResponse(logsInByEmail().and(brief), status(201)))),
		breaks("sessions.login.id-string",
			fault("sessions-login-id-number", "a login answers the id as a number", rewriteObject(logsIn().and(brief), numberID)),
			fault("sessions-email-login-id-number", "a login by email answers the id as a number", rewriteObject(logsInByEmail().and(brief), numberID))),
		breaks("sessions.login.details",
			fault("sessions-login-details-ignored", "a login answers id and session token alone, whatever withUserDetails says",
				rewriteRequest(logsIn(), query(""))),
			fault("sessions-login-details-without-metadata", "the details of a login leave out the metadata",
				rewriteObject(logsIn().and(detailed), drop("metadata"))),
			fault("sessions-login-details-without-token", "a login with details answers no session token",
				rewriteObject(logsIn().and(detailed), drop("session_token"))),
			fault("sessions-email-login-details-ignored", "a login by email answers id and session token alone, whatever withUserDetails says",
				rewriteRequest(logsInByEmail(), query("")))),
		breaks("sessions.login.brief",
			fault("sessions-login-always-detailed", "every login answers the full user", rewriteRequest(logsIn(), query("withUserDetails=true"))),
			fault("sessions-email-login-tells-expiry", "a login by email also tells when the session expires",
				rewriteObject(logsInByEmail().and(brief), set("expires_in", 3600)))),
	)
}

// opened calls a function for every opened session, which may change the answer.
func opened(do func(r *http.Request, user map[string]any, id, token string)) mutation {
	return rewriteResponse(opensSession(), func(r *http.Request, resp *response) {
		resp.object(func(user map[string]any) {
			if token := fieldText(user, "session_token"); token != "" {
				do(r, user, fieldText(user, "id"), token)
			}
		})
	})
}

func tokensBesideOthersVoid(o *refserver.Options) {
	owners, open := &memory[string]{}, &memory[int]{} // an id by token; sessions by id
	combine(
		rewriteResponse(logsOut(), func(r *http.Request, resp *response) {
			if id, known := owners.lookup(sessionIn(r)); known && resp.ok() {
				open.update(id, func(n int) int { return n - 1 })
			}
		}),
		opened(func(r *http.Request, user map[string]any, id, token string) {
			if open.get(id) > 0 && logsInByName()(r) {
				user["session_token"] = refserver.NewAppToken()
				return
			}
			owners.keep(token, id)
			open.update(id, func(n int) int { return n + 1 })
		}),
	)(o)
}

// voidToken puts a token of no session in the place of the one that was opened.
func voidToken(user map[string]any) {
	if user["session_token"] != nil {
		user["session_token"] = refserver.NewAppToken()
	}
}

// givesPreviousToken gives the requests that match the token of the session that
// the one before them opened.
func givesPreviousToken(m match) mutation {
	return func(o *refserver.Options) {
		latest := &memory[string]{}
		opened(func(r *http.Request, user map[string]any, _, token string) {
			if !m(r) {
				return
			}
			if before := latest.keep("", token); before != "" {
				user["session_token"] = before
			}
		})(o)
	}
}

// givesTokenOfAnother gives the requests that match the token of the session that another
// user opened last.
func givesTokenOfAnother(m match) mutation {
	return func(o *refserver.Options) {
		opening := &others[string]{}
		opened(func(r *http.Request, user map[string]any, id, token string) {
			if given := opening.of(id); given != "" && m(r) {
				user["session_token"] = given
			}
			opening.keep(id, token)
		})(o)
	}
}

// lastLogins are the faults of what a login does to last_login.
func lastLogins() []Fault {
	return breaks("sessions.login.last-login",
		fault("sessions-last-login-unset-in-own-record", "the own record shows last_login as if there had been no login",
			rewriteObject(readsOwnRecord(), set("last_login", neverLoggedIn))),
		fault("sessions-last-login-lags-in-details", "the details of a first login show last_login as it was before that login",
			answersWhere(logsIn().and(detailed), func(l look) bool { return l.times(loggedIn, l.me, 0) == 1 }, inObject(set("last_login", neverLoggedIn)))),
		fault("sessions-email-login-leaves-last-login", "a login by email leaves last_login as it was", emailLoginLeavesLastLogin),
		fault("sessions-update-unsets-last-login", "after an update the own record shows last_login as if there had been no login",
			afterUpdate(set("last_login", neverLoggedIn))))
}

func emailLoginLeavesLastLogin(o *refserver.Options) {
	otherwise := &memory[bool]{} // who came in by other ways than by email
	unset := func(user map[string]any) {
		if _, shown := user["last_login"]; shown && !otherwise.get(fieldText(user, "id")) {
			user["last_login"] = neverLoggedIn
		}
	}
	combine(
		opened(func(r *http.Request, user map[string]any, id, _ string) {
			if !logsInByEmail()(r) {
				otherwise.keep(id, true)
			}
		}),
		rewriteObject(opensSession().or(readsOwnRecord()), unset),
	)(o)
}

// afterUpdate changes the own record of users who were updated.
func afterUpdate(change objectEdit) mutation {
	return recalls(updatesUser(), asked.id, readsOwnRecord(), asked.id, func(q asked, _ exchange) { q.object(change) })
}

// refusedLogins are the faults of logins that give no session (Authentication,
// item 5; Endpoints, row 2).
func refusedLogins() []Fault {
	unnamed := logsIn().and(not(sends("user_name"))).and(not(sends("email")))
	noPassword := func(_, given string) bool { return given == "" }
	firstBytes := func(n int) func(right, given string) bool {
		return func(right, given string) bool { return len(given) >= n && len(right) >= n && given[:n] == right[:n] }
	}
	return slices.Concat(
		breaks("sessions.login.wrong-password",
			fault("sessions-email-login-takes-any-password", "a login by email takes any password",
				misled(logsInByEmail(), func(_, given string) bool { return given != "" })),
			fault("sessions-password-case-ignored", "a password may be given in another case", misled(logsIn(), strings.EqualFold)),
			fault("sessions-password-end-ignored", "of a password the first 16 characters count", misled(logsIn(), firstBytes(16))),
			fault("sessions-password-cut-at-72-bytes", "of a password the first 72 bytes count", misled(logsIn(), firstBytes(72))),
			fault("sessions-password-may-go-on", "a login needs a password that begins with the right one",
				misled(logsIn(), func(right, given string) bool { return strings.HasPrefix(given, right) })),
			fault("sessions-password-between-blanks", "a password may stand between blanks",
				misled(logsIn(), func(right, given string) bool { return strings.TrimSpace(given) == right })),
			fault("sessions-wrong-password-answers-403", "a wrong password is answered with 403",
				knowingPasswords(func(known *passwords) mutation {
					return rewriteResponse(logsIn(), onStatus(401, func(r *http.Request, resp *response) {
						login := requestObject(r)
						if right, exists := known.by(login); exists && login["password"] != right {
							resp.status = 403
						}
					}))
				}))),
		breaks("sessions.login.unknown-user",
			fault("sessions-unknown-user-goes-by-password", "a login with an unknown user name succeeds as a user with that password",
				knowingPasswords(func(known *passwords) mutation {
					return rewriteBody(logsInByName(), func(login map[string]any) {
						if _, exists := known.by(login); !exists {
							known.name(login)
						}
					})
				})),
			fault("sessions-unknown-email-answers-409", "a login by an unknown email answers 409",
				knowingPasswords(func(known *passwords) mutation {
					return rewriteResponse(logsInByEmail(), onStatus(401, func(r *http.Request, resp *response) {
						if _, exists := known.by(requestObject(r)); !exists {
							resp.status = 409
						}
					}))
				}))),
		breaks("sessions.login.password-required",
			fault("sessions-password-optional", "a login by email needs no password", misled(logsInByEmail(), noPassword)),
			fault("sessions-no-password-characters", "a login by user name with no character as the password needs none",
				misled(logsInByName().and(sends("password")), noPassword)),
			fault("sessions-missing-password-answers-404", "a login by user name without a password answers 404",
				rewriteResponse(logsInByName().and(not(sends("password"))), replaceStatus(422, 404, complaint("no such user"))))),
		breaks("sessions.login.identifier-required",
			fault("sessions-password-alone-logs-in", "a password alone, without a name, logs in as its user",
				knowingPasswords(func(known *passwords) mutation { return rewriteBody(unnamed, known.name) })),
			fault("sessions-missing-identifier-answers-403", "a login without an identifier answers 403",
				rewriteResponse(unnamed, replaceStatus(422, 403, complaint("log in"))))),
	)
}

// misled lets logins that match in by a password that is not the right one, when
// taken says so of the two; given is blank where the login has none.
func misled(m match, taken func(right, given string) bool) mutation {
	return knowingPasswords(func(known *passwords) mutation {
		return rewriteBody(m, func(body map[string]any) {
			right, ok := known.by(body)
			if given, _ := body["password"].(string); ok && taken(right, given) {
				body["password"] = right
			}
		})
	})
}

// passwords are the users' passwords as they were sent, by user name and email.
type passwords struct{ byName, byEmail, names memory[string] }

// knowingPasswords makes a mutation that knows the password of every create and
// update that succeeded.
func knowingPasswords(mutate func(*passwords) mutation) mutation {
	return func(o *refserver.Options) {
		p := &passwords{}
		combine(
			rewriteResponse(createsUser().or(updatesUser()), func(r *http.Request, resp *response) {
				body := requestObject(r)
				password, _ := body["password"].(string)
				if !resp.ok() || password == "" {
					return
				}
				p.byName.keep(fieldText(body, "user_name"), password)
				p.byEmail.keep(fieldText(body, "email"), password)
				p.names.keep(password, fieldText(body, "user_name"))
			}),
			mutate(p),
		)(o)
	}
}

// by is the password of a login's user.
func (p *passwords) by(login map[string]any) (string, bool) {
	if name := fieldText(login, "user_name"); name != "" {
		return p.byName.lookup(name)
	}
	return p.byEmail.lookup(fieldText(login, "email"))
}

// name makes a login one of the user who has its password.
func (p *passwords) name(login map[string]any) {
	if name, known := p.names.lookup(fieldText(login, "password")); known {
		login["user_name"] = name
	}
}

// renamedUsers are the faults of logins after an update of what a user logs in by.
func renamedUsers() []Fault {
	return slices.Concat(
		breaks("sessions.login.user-name",
			fault("sessions-new-user-name-unknown", "nobody logs in by a user name that an update gave", newNamesUnknown(userName, renamed))),
		breaks("sessions.login.email",
			fault("sessions-new-email-unknown", "nobody logs in by an email that an update gave", newNamesUnknown(email, newEmail))),
		breaks("sessions.login.unknown-user",
			fault("sessions-former-user-name-logs-in", "a user also logs in by a former user name", formerNamesLast(userName, renamed)),
			fault("sessions-former-email-logs-in", "a user also logs in by a former email", formerNamesLast(email, newEmail))),
	)
}

// newNamesUnknown has nobody found by a name that an update gave.
func newNamesUnknown(by attribute, change did) mutation {
	return breaking(loginsFail(by, func(l look) bool { return l.last(change, l.me, 0).text != "" }))
}

// formerNamesLast has users found by a name that they bore.
func formerNamesLast(by attribute, change did) mutation {
	return breaking(given(toIdentify, func(l *step) {
		former, now := &l.name, newest(l.named(change, l.name)).user.UserName
		if isEmail(by) {
			former, now = &l.email, newest(l.named(change, l.email)).user.Email
		}
		if *former != "" && now != "" {
			*former = now
		}
	}))
}

// logouts are the faults of what a logout does (States and transitions, row
// 'session token valid').
func logouts() []Fault {
	return slices.Concat(
		breaks("sessions.logout.status",
			fault("sessions-logout-answers-200", "a logout answers 200 and an empty object", rewriteResponse(logsOut(), replaceSuccess(200, "{}"))),
			fault("sessions-logout-answers-202", "a logout answers 202", rewriteResponse(logsOut(), replaceSuccess(202, "")))),
		breaks("sessions.logout.destroys",
			fault("sessions-logout-keeps-session", "a logout answers 204 and leaves the session as it is", breaking(sessionsLast(always))),
			fault("sessions-logout-takes-a-moment", "a session token is served for a second after its logout",
				breaking(sessionsLast(func(l look) bool { return !l.later(time.Second) }))),
			fault("sessions-destroyed-token-revives", "a second after its logout a session token works again", breaking(sessionsLast(aMomentAgo))),
			fault("sessions-relogin-revives-tokens", "a login makes the user's destroyed session tokens valid again",
				breaking(sessionsLast(func(l look) bool { return len(l.since(l.gone, loggedIn, l.me, 0)) > 0 }))),
			fault("sessions-logout-ends-oldest-session", "a logout ends the user's oldest session, whichever was logged out",
				breaking(given(toLogOut, func(l *step) { l.term = append(l.openSessions(), l.term)[0] }))),
			fault("sessions-destroyed-token-reads-feed", "the feed is served to destroyed session tokens, as it was when they were",
				once(logsOut(), asked.session, sessionIn, func(out match) mutation { return rewriteResponse(readsFeed().and(out), served("[]")) }))),
		breaks("sessions.logout.relogin",
			fault("sessions-logout-locks-user-out", "who logged out cannot log in any more", breaking(fails(toOpen, store.ErrStale, func(l look) bool { return l.ever(loggedOut, l.me, 0) }))),
			fault("sessions-logout-locks-email", "who logged out logs in by user name, and not by email",
				breaking(loginsFail(email, func(l look) bool { return l.ever(loggedOut, l.me, 0) }))),
			fault("sessions-relogin-answers-destroyed-token", "every login by email answers the first token that such a login gave, also after that was destroyed",
				firstTokenAgain)),
	)
}

func firstTokenAgain(o *refserver.Options) {
	first := &memory[string]{} // by id
	opened(func(r *http.Request, user map[string]any, id, token string) {
		if kept, known := first.lookup(id); known && logsInByEmail()(r) {
			user["session_token"] = kept
		} else if logsInByEmail()(r) {
			first.keep(id, token)
		}
	})(o)
}

// lastingSessions are the faults of destroyed session tokens that go on working
// somewhere (States and transitions, row 'session token valid').
func lastingSessions() []Fault {
	return breaks("sessions.logout.destroys",
		fault("sessions-destroyed-token-posts", "events are taken in destroyed sessions", destroyedTokensWork(createsEvent())),
		fault("sessions-destroyed-token-updates", "updates of the user are taken in destroyed sessions", destroyedTokensWork(updatesUser())),
		fault("sessions-destroyed-token-lists-friends", "the friends are listed in destroyed sessions", destroyedTokensWork(readsFriends())),
		fault("sessions-logout-of-destroyed-answers-204", "a logout of a destroyed session is answered like the first", destroyedTokensWork(logsOut())))
}

// destroyedTokensWork lets the requests that match be served in a session after
// its logout, and refuses all others.
func destroyedTokensWork(m match) mutation {
	return survivingLogout(func(isDestroyed match) mutation {
		return rewriteRequest(isDestroyed.and(not(m)), func(r *http.Request) { r.SetBasicAuth(appIn(r), "destroyed") })
	})
}

// endedUsers are the faults of a deleted user's sessions and logins (States and
// transitions, row 'user exists').
func endedUsers() []Fault {
	return breaks("sessions.deleted-user",
		fault("sessions-outlive-deleted-user", "deleting a user ends the session that deleted it, and no other", deletedOwnRecords(func(l look) bool { return !deleting(l) })),
		fault("sessions-deleted-user-token-works", "the session that deleted a user goes on showing it", deletedOwnRecords(deleting)),
		fault("sessions-deleted-user-token-answers-400", "the session of a deleted user is answered with 400",
			refusedAfterDeletion(readsOwnRecord())),
		fault("sessions-deleted-user-posts", "an event in the session of a deleted user is answered with 400", refusedAfterDeletion(createsEvent())),
		fault("sessions-deleted-user-logs-in-by-email", "a deleted user logs in by email, with a session that opens nothing", deletedUserLogsIn(200)),
		fault("sessions-deleted-user-login-answers-410", "a deleted user's login by email is answered with 410", deletedUserLogsIn(410)))
}

// deletedUserLogsIn answers logins by email that worked once and, though nobody
// changed the password, do no more.
func deletedUserLogsIn(status int) mutation {
	type login struct {
		password string
		answer   []byte
	}
	return func(o *refserver.Options) {
		worked := &memory[login]{} // by email
		combine(
			rewriteResponse(updatesUser(), func(r *http.Request, _ *response) { worked.keep(fieldText(requestObject(r), "email"), login{}) }),
			rewriteResponse(logsInByEmail(), func(r *http.Request, resp *response) {
				email, password := fieldText(requestObject(r), "email"), fieldText(requestObject(r), "password")
				switch known := worked.get(email); {
				case resp.ok():
					worked.keep(email, login{password, resp.body})
				case password != "" && known.password == password && resp.status == 401:
					if resp.status = status; resp.ok() {
						resp.body = known.answer
					}
					resp.header.Del("WWW-Authenticate")
				}
			}),
		)(o)
	}
}

// refusedAfterDeletion refuses the requests that match with 400 in the session that deleted its user.
func refusedAfterDeletion(m match) mutation {
	return once(deletesUser(), asked.session, sessionIn, func(gone match) mutation {
		return rewriteResponse(m.and(gone), onStatus(401, restated(400, "{}")))
	})
}

// straySessionTokens are the faults of session tokens in answers that have none
// (Resources and their fields, User, row session_token).
func straySessionTokens() []Fault {
	return breaks("sessions.token-confined",
		fault("sessions-update-answers-token", "the answer to an update has the session token of the request",
			rewriteResponse(updatesUser(), func(r *http.Request, resp *response) { resp.object(set("session_token", sessionIn(r))) })),
		fault("sessions-followers-show-tokens", "the list of followers shows a session token of each",
			rewriteEach(readsFollowersOf(), set("session_token", refserver.NewAppToken()))),
		fault("sessions-event-holds-session", "a new event tells of the session that it was created in",
			rewriteResponse(createsEvent(), func(r *http.Request, resp *response) {
				resp.object(set("session", map[string]any{"session_token": sessionIn(r)}))
			})))
}

// createsWithLogin are the faults of the session that comes with a new user
// (Authentication, item 4).
func createsWithLogin() []Fault {
	return breaks("sessions.create-with-login",
		fault("sessions-create-token-void", "the session token of a new user opens nothing",
			rewriteObject(createWithLogin(), set("session_token", refserver.NewAppToken()))),
		fault("sessions-create-token-of-previous-user", "a new user gets the session token of the user created before",
			givesPreviousToken(createsUser())))
}
