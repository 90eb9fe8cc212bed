package faults

import (
	"encoding/json"
	"net/http"
	"slices"

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

// opened tells of every session that is opened, and lets its answer be changed.
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
		fault("sessions-last-login-lags-in-details", "the details of a first login show last_login as it was before that login", detailsLagLastLogin),
		fault("sessions-email-login-leaves-last-login", "a login by email leaves last_login as it was", emailLoginLeavesLastLogin),
		fault("sessions-update-unsets-last-login", "after an update the own record shows last_login as if there had been no login",
			afterUpdate(set("last_login", neverLoggedIn))))
}

func detailsLagLastLogin(o *refserver.Options) {
	known := &memory[bool]{}
	opened(func(r *http.Request, user map[string]any, id, _ string) {
		if before := known.keep(id, true); !before && detailed(r) {
			user["last_login"] = neverLoggedIn
		}
	})(o)
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
	return func(o *refserver.Options) {
		updated := &memory[bool]{} // by id
		combine(
			rewriteObject(updatesUser(), func(user map[string]any) { updated.keep(fieldText(user, "id"), true) }),
			rewriteObject(readsOwnRecord(), func(user map[string]any) {
				if updated.get(fieldText(user, "id")) {
					change(user)
				}
			}),
		)(o)
	}
}
