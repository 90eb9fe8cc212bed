package faults

import (
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sessionsMissing are the faults of app tokens alone where a session is needed
// (Authentication, items 2, 3 and 5).
func sessionsMissing() []Fault {
	const rule = "auth.session-missing"
	alone := func(endpoint string) match { return on(endpoint).and(sessionless) }
	return []Fault{
		{
			Name: "auth-app-alone-searches", Rule: rule,
			Summary: "a search under the app token alone finds nobody",
			Apply:   replace(alone("GET /0.2/users/search"), http.StatusOK, "[]"),
		},
		{
			Name: "auth-app-alone-is-latest-user", Rule: rule,
			Summary: "the app token alone shows the user who logged in last",
			Apply:   sessionSupplied(func(string) string { return "" }),
		},
		{
			Name: "auth-app-alone-ends-connection", Rule: rule,
			Summary: "ending a connection under the app token alone is answered with 204, and ends none",
			Apply:   replace(alone("DELETE /0.2/user/connections/{UserID}"), http.StatusNoContent, ""),
		},
		{
			Name: "auth-app-alone-event-answers-403", Rule: rule,
			Summary: "creating an event under the app token alone is answered with 403",
			Apply: edit(alone("POST /0.2/user/events"),
				instead(http.StatusUnauthorized, http.StatusForbidden, complaint("log in first"))),
		},
		{
			Name: "auth-app-alone-followers-answer-400", Rule: rule,
			Summary: "the followers are answered with 400 under the app token alone",
			Apply:   edit(alone("GET /0.2/user/followers"), instead(http.StatusUnauthorized, http.StatusBadRequest, "{}")),
		},
	}
}

// sessionsUnknown are the faults of session tokens that were never issued.
func sessionsUnknown() []Fault {
	const rule = "auth.session-unknown"
	answer := func(endpoint string, status int, body string) func(*refserver.Options) {
		return func(o *refserver.Options) {
			edit(on(endpoint).and(insession).and(not(underUnknownApp(o, endpoint))), instead(http.StatusUnauthorized, status, body))(o)
		}
	}
	return []Fault{
		{
			Name: "auth-any-session-sees-no-followers", Rule: rule,
			Summary: "another user's followers are answered as none to an unknown session",
			Apply:   answer("GET /0.2/users/{UserID}/followers", http.StatusOK, "[]"),
		},
		{
			Name: "auth-unknown-session-answers-403", Rule: rule,
			Summary: "deleting an event in an unknown session is answered with 403",
			Apply:   answer("DELETE /0.2/user/events/{EventID}", http.StatusForbidden, complaint("no access")),
		},
		{
			Name: "auth-unknown-session-answers-404", Rule: rule,
			Summary: "the friends in an unknown session are answered with 404",
			Apply:   answer("GET /0.2/user/friends", http.StatusNotFound, complaint("session not found")),
		},
		{
			Name: "auth-unknown-session-logs-out", Rule: rule,
			Summary: "logging out of an unknown session is answered with 204",
			Apply:   answer("DELETE /0.2/user/logout", http.StatusNoContent, ""),
		},
		{
			Name: "auth-session-token-compared-by-half", Rule: rule,
			Summary: "a session token counts when its first half is right, where the session's user is read",
			Apply:   sessionSupplied(func(token string) string { return token[:len(token)/2] }),
		},
	}
}

// sessionSupplied takes a session for the latest one of which as much is right as
// counts, where the session's user is read.
func sessionSupplied(counts func(token string) string) func(*refserver.Options) {
	return func(o *refserver.Options) {
		sessions := &memory[string]{}
		both(swap(func(inner refserver.Store, s *swapped) {
			s.openSession = func(app store.App, id store.ID, verified []byte) (string, store.User, error) {
				token, user, err := inner.OpenSession(app, id, verified)
				sessions.keep(keyOf(app)+counts(token), token)
				return token, user, err
			}
		}), tamper(on("GET /0.2/user"), func(r *http.Request) {
			app := store.App(slices.Index(o.AppTokens, appIn(r)) + 1)
			right, known := sessions.get(keyOf(app) + counts(sessionIn(r)))
			if given := sessionIn(r); known && (counts(given) != "" || given == "") {
				r.SetBasicAuth(appIn(r), right)
			}
		}))(o)
	}
}

// refusedYetDone are the faults of writes that are refused for their credentials
// and take effect (Errors, row 401).
func refusedYetDone() []Fault {
	writes := []struct{ what, endpoint string }{
		{"user-creation", "POST /0.2/users"},
		{"user-update", "PUT /0.2/user"},
		{"user-deletion", "DELETE /0.2/user"},
		{"connection", "POST /0.2/user/connections"},
		{"disconnection", "DELETE /0.2/user/connections/{UserID}"},
		{"event", "POST /0.2/user/events"},
		{"event-change", "PUT /0.2/user/events/{EventID}"},
		{"event-deletion", "DELETE /0.2/user/events/{EventID}"},
	}
	var faults []Fault
	for i, w := range writes {
		faults = append(faults, Fault{
			Name: "auth-" + w.what + "-under-unknown-app-done-anyway", Rule: "auth.no-effect",
			Summary: w.endpoint + " under an unknown app token is answered with 401 and takes effect",
			Apply: func(o *refserver.Options) {
				doneAnyway(underUnknownApp(o, w.endpoint), asFirstApp(o))(o)
			},
		})
		if i == 0 { // which needs no session
			continue
		}
		faults = append(faults, Fault{
			Name: "auth-" + w.what + "-in-destroyed-session-done-anyway", Rule: "auth.no-effect",
			Summary: w.endpoint + " in a destroyed session is answered with 401 and takes effect",
			Apply:   destroyedSessionsAct(on(w.endpoint)),
		})
	}
	return faults
}

// destroyedSessionsAct keeps the sessions that a logout ends alive for the
// requests that match, which are answered like any in a destroyed session.
func destroyedSessionsAct(m match) func(*refserver.Options) {
	return func(o *refserver.Options) {
		destroyed := &memory[bool]{}
		dead := match(func(r *http.Request) bool {
			is, _ := destroyed.get(sessionIn(r))
			return is
		})
		refused := func(r *http.Request) { r.SetBasicAuth(appIn(r), refserver.NewAppToken()) }
		both(
			around(on("DELETE /0.2/user/logout").and(not(dead)), func(next http.Handler, r *http.Request) *response {
				if look := call(next, r, http.MethodGet, "/0.2/user", nil); look.ok() && r.UserAgent() != "" {
					destroyed.keep(sessionIn(r), true)
					return &response{status: http.StatusNoContent, header: http.Header{}}
				}
				return record(next, r)
			}),
			around(dead, func(next http.Handler, r *http.Request) *response {
				if m(r) {
					content := keepBody(r)
					record(next, r)
					setBody(r, content)
				}
				refused(r)
				return record(next, r)
			}),
		)(o)
	}
}
