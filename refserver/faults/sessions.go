package faults

import (
	"encoding/json"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
)

func sessions() []Fault {
	return slices.Concat(logins(), lastLogins(), refusedLogins(), createsWithLogin(), logouts(), lastingSessions(), renamedUsers(), nearPasswords(), endedUsers(), straySessionTokens())
}

const neverLoggedIn = "0000-01-01T00:00:00Z"

func logsIn() match { return on("POST /0.2/user/login") }

func createsUser() match { return on("POST /0.2/users") }

// logins are the faults of what a login answers (Endpoints, row 2).
func logins() []Fault {
	byName, byEmail := logsIn().and(sends("user_name")), logsIn().and(sends("email"))
	detailed := logsIn().and(asks("withUserDetails", "true"))
	brief := logsIn().and(not(asks("withUserDetails", "true")))
	return []Fault{
		{
			Name: "sessions-user-name-login-refused", Rule: "sessions.login.user-name",
			Summary: "a login by user name finds nobody, one by email does",
			Apply:   tamper(byName, resent(func(body map[string]any) { body["user_name"] = "nobody-at-all" })),
		},
		{
			Name: "sessions-user-name-login-token-void", Rule: "sessions.login.user-name",
			Summary: "the session token of a login by user name, beside another session, opens nothing",
			Apply:   tokensBesideOthersVoid,
		},
		{
			Name: "sessions-email-login-refused", Rule: "sessions.login.email",
			Summary: "a login reads the user name alone",
			Apply:   tamper(byEmail, resent(drop("email"))),
		},
		{
			Name: "sessions-email-login-opens-another-session", Rule: "sessions.login.email",
			Summary: "a login by email gives the session that was opened last, whoever opened it",
			Apply:   emailLoginOpensAnotherSession,
		},
		{
			Name: "sessions-email-login-answers-201", Rule: "sessions.login.email",
			Summary: "a login by email, without details, answers 201",
			Apply:   edit(byEmail.and(brief), func(_ *http.Request, resp *response) { resp.restatus(http.StatusCreated) }),
		},
		{
			Name: "sessions-login-id-number", Rule: "sessions.login.id-string",
			Summary: "a login answers the id as a number",
			Apply:   edit(brief, inObject(numberID)),
		},
		{
			Name: "sessions-email-login-id-number", Rule: "sessions.login.id-string",
			Summary: "a login by email answers the id as a number",
			Apply:   edit(byEmail.and(brief), inObject(numberID)),
		},
		{
			Name: "sessions-login-details-ignored", Rule: "sessions.login.details",
			Summary: "a login answers id and session token alone, whatever withUserDetails says",
			Apply:   tamper(detailed, func(r *http.Request) { r.URL.RawQuery = "" }),
		},
		{
			Name: "sessions-login-details-without-metadata", Rule: "sessions.login.details",
			Summary: "the details of a login leave out the metadata",
			Apply:   edit(detailed, inObject(drop("metadata"))),
		},
		{
			Name: "sessions-login-details-without-token", Rule: "sessions.login.details",
			Summary: "a login with details answers no session token",
			Apply:   edit(detailed, inObject(drop("session_token"))),
		},
		{
			Name: "sessions-email-login-details-ignored", Rule: "sessions.login.details",
			Summary: "a login by email answers id and session token alone, whatever withUserDetails says",
			Apply:   tamper(byEmail, func(r *http.Request) { r.URL.RawQuery = "" }),
		},
		{
			Name: "sessions-login-always-detailed", Rule: "sessions.login.brief",
			Summary: "every login answers the full user",
			Apply:   tamper(logsIn(), func(r *http.Request) { r.URL.RawQuery = "withUserDetails=true" }),
		},
		{
			Name: "sessions-email-login-tells-expiry", Rule: "sessions.login.brief",
			Summary: "a login by email also tells when the session expires",
			Apply:   edit(byEmail.and(brief), inObject(set("expires_in", 3600))),
		},
	}
}

// resent changes the body of a request that is an object.
func resent(change func(map[string]any)) func(*http.Request) {
	return func(r *http.Request) {
		if body := sent(r); body != nil {
			change(body)
			resend(r, body)
		}
	}
}

// restatus gives a success another status.
func (resp *response) restatus(status int) {
	if resp.ok() {
		resp.status = status
	}
}

func numberID(object map[string]any) {
	object["id"] = json.Number(fieldText(object, "id"))
}

func tokensBesideOthersVoid(o *refserver.Options) {
	owners, open := &memory[string]{}, &memory[int]{} // an id by token; sessions by id
	both(
		edit(on("DELETE /0.2/user/logout"), func(r *http.Request, resp *response) {
			if id, known := owners.get(sessionIn(r)); known && resp.ok() {
				n, _ := open.get(id)
				open.keep(id, n-1)
			}
		}),
		edit(on("POST /0.2/users", "POST /0.2/user/login"), func(r *http.Request, resp *response) {
			resp.object(func(user map[string]any) {
				id, token := fieldText(user, "id"), fieldText(user, "session_token")
				n, _ := open.get(id)
				switch {
				case token == "":
				case n > 0 && logsIn().and(sends("user_name"))(r):
					user["session_token"] = refserver.NewAppToken()
				default:
					owners.keep(token, id)
					open.keep(id, n+1)
				}
			})
		}),
	)(o)
}

func emailLoginOpensAnotherSession(o *refserver.Options) {
	latest := &memory[string]{}
	edit(on("POST /0.2/user/login", "POST /0.2/users"), func(r *http.Request, resp *response) {
		resp.object(func(user map[string]any) {
			token := fieldText(user, "session_token")
			if token == "" {
				return
			}
			before := latest.swap("", token)
			if before != "" && logsIn().and(sends("email"))(r) {
				user["session_token"] = before
			}
		})
	})(o)
}

// lastLogins are the faults of what a login does to last_login.
func lastLogins() []Fault {
	return []Fault{
		{
			Name: "sessions-last-login-unset-in-own-record", Rule: "sessions.login.last-login",
			Summary: "the own record shows last_login as if there had been no login",
			Apply:   edit(on("GET /0.2/user"), inObject(set("last_login", neverLoggedIn))),
		},
		{
			Name: "sessions-last-login-lags-in-details", Rule: "sessions.login.last-login",
			Summary: "the details of a first login show last_login as it was before that login",
			Apply:   detailsLagLastLogin,
		},
		{
			Name: "sessions-email-login-leaves-last-login", Rule: "sessions.login.last-login",
			Summary: "a login by email leaves last_login as it was",
			Apply:   emailLoginLeavesLastLogin,
		},
	}
}

func detailsLagLastLogin(o *refserver.Options) {
	known := &memory[bool]{}
	edit(on("POST /0.2/user/login", "POST /0.2/users"), func(r *http.Request, resp *response) {
		resp.object(func(user map[string]any) {
			if fieldText(user, "session_token") == "" {
				return
			}
			before := known.swap(fieldText(user, "id"), true)
			if !before && asks("withUserDetails", "true")(r) {
				user["last_login"] = neverLoggedIn
			}
		})
	})(o)
}

func emailLoginLeavesLastLogin(o *refserver.Options) {
	otherwise := &memory[bool]{} // who came in by other ways than by email
	edit(on("POST /0.2/user/login", "POST /0.2/users", "GET /0.2/user"), func(r *http.Request, resp *response) {
		resp.object(func(user map[string]any) {
			id := fieldText(user, "id")
			if fieldText(user, "session_token") != "" && !logsIn().and(sends("email"))(r) {
				otherwise.keep(id, true)
			}
			if _, shown := user["last_login"]; shown {
				if other, _ := otherwise.get(id); !other {
					user["last_login"] = neverLoggedIn
				}
			}
		})
	})(o)
}
