package faults

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
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
