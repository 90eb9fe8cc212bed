package faults

import (
	"net/http"
	"strings"

	"github.com/socialfeed/conform/refserver"
)

// lastingSessions are the faults of destroyed session tokens that go on working
// somewhere (States and transitions, rows 'session token valid' and 'user exists').
func lastingSessions() []Fault {
	const destroys = "sessions.logout.destroys"
	return []Fault{
		{
			Name: "sessions-destroyed-token-posts", Rule: destroys,
			Summary: "events are taken in destroyed sessions",
			Apply:   destroyedTokensWork(createsEvent()),
		},
		{
			Name: "sessions-destroyed-token-updates", Rule: destroys,
			Summary: "updates of the user are taken in destroyed sessions",
			Apply:   destroyedTokensWork(updatesUser()),
		},
		{
			Name: "sessions-destroyed-token-lists-friends", Rule: destroys,
			Summary: "the friends are listed in destroyed sessions",
			Apply:   destroyedTokensWork(on("GET /0.2/user/friends")),
		},
		{
			Name: "sessions-logout-of-destroyed-answers-204", Rule: destroys,
			Summary: "a logout of a destroyed session is answered like the first",
			Apply:   destroyedTokensWork(on("DELETE /0.2/user/logout")),
		},
		{
			Name: "sessions-deleted-user-posts", Rule: "sessions.deleted-user",
			Summary: "an event in the session of a deleted user is answered with 400",
			Apply: deletedUsers(func(gone func(token string) bool) func(*refserver.Options) {
				return edit(createsEvent(), func(r *http.Request, resp *response) {
					if gone(sessionIn(r)) && resp.status == http.StatusUnauthorized {
						resp.status, resp.body = http.StatusBadRequest, []byte("{}")
					}
				})
			}),
		},
	}
}

// destroyedTokensWork lets the requests that match be served in a session after
// its logout, and refuses all others.
func destroyedTokensWork(m match) func(*refserver.Options) {
	destroyed := &memory[bool]{} // by token
	isDestroyed := func(r *http.Request) bool {
		known, _ := destroyed.get(sessionIn(r))
		return known
	}
	logout := on("DELETE /0.2/user/logout").and(not(lacksHeader("User-Agent")))
	return both(
		around(logout, func(next http.Handler, r *http.Request) *response {
			resp := call(next, r, http.MethodGet, "/0.2/user", nil) // the session stays, behind this fault
			if resp.ok() {
				destroyed.keep(sessionIn(r), true)
				return &response{status: http.StatusNoContent, header: http.Header{}}
			}
			return resp
		}),
		tamper(match(isDestroyed).and(not(m)), func(r *http.Request) { r.SetBasicAuth(appIn(r), "destroyed") }),
	)
}

// renamedUsers are the faults of logins after an update of what a user logs in by.
func renamedUsers() []Fault {
	fault := func(name, rule, summary, field string, mislead func(former, current *memory[string], login map[string]any)) Fault {
		return Fault{Name: "sessions-" + name, Rule: rule, Summary: summary, Apply: renamed(field, mislead)}
	}
	stale := func(field string) func(former, current *memory[string], login map[string]any) {
		return func(former, _ *memory[string], login map[string]any) {
			if _, changed := former.get(fieldText(login, field)); changed {
				login[field] = "nobody@example.com"
			}
		}
	}
	lasting := func(field string) func(former, current *memory[string], login map[string]any) {
		return func(_, current *memory[string], login map[string]any) {
			if now, changed := current.get(fieldText(login, field)); changed {
				login[field] = now
			}
		}
	}
	return []Fault{
		fault("new-user-name-unknown", "sessions.login.user-name", "nobody logs in by a user name that an update gave", "user_name", stale("user_name")),
		fault("new-email-unknown", "sessions.login.email", "nobody logs in by an email that an update gave", "email", stale("email")),
		fault("former-user-name-logs-in", "sessions.login.unknown-user", "a user also logs in by a former user name", "user_name", lasting("user_name")),
		fault("former-email-logs-in", "sessions.login.unknown-user", "a user also logs in by a former email", "email", lasting("email")),
	}
}

// renamed misleads logins by a field: former is what it was by what it is, and
// current the other way round.
func renamed(field string, mislead func(former, current *memory[string], login map[string]any)) func(*refserver.Options) {
	values, former, current := &memory[string]{}, &memory[string]{}, &memory[string]{} // values by id
	return both(
		edit(createsUser().or(updatesUser()), func(_ *http.Request, resp *response) {
			resp.object(func(user map[string]any) {
				now := fieldText(user, field)
				if was := values.swap(fieldText(user, "id"), now); was != "" && was != now {
					former.keep(now, was)
					current.keep(was, now)
				}
			})
		}),
		tamper(logsIn(), resent(func(login map[string]any) { mislead(former, current, login) })),
	)
}

// nearPasswords are the faults of passwords that are nearly right, or none.
func nearPasswords() []Fault {
	return []Fault{
		{
			Name: "sessions-password-between-blanks", Rule: "sessions.login.wrong-password",
			Summary: "a password may stand between blanks",
			Apply:   misled(logsIn(), func(right, given string) bool { return strings.TrimSpace(given) == right }),
		},
		{
			Name: "sessions-no-password-characters", Rule: "sessions.login.password-required",
			Summary: "a login by user name with no character as the password needs none",
			Apply: misled(logsIn().and(sends("user_name")).and(sends("password")), func(_, given string) bool {
				return given == ""
			}),
		},
		{
			Name: "sessions-update-unsets-last-login", Rule: "sessions.login.last-login",
			Summary: "after an update the own record shows last_login as if there had been no login",
			Apply:   unsetByUpdate,
		},
	}
}

func unsetByUpdate(o *refserver.Options) {
	updated := &memory[bool]{} // by id
	both(
		edit(updatesUser(), inObject(func(user map[string]any) { updated.keep(fieldText(user, "id"), true) })),
		edit(readsOwnRecord(), inObject(func(user map[string]any) {
			if known, _ := updated.get(fieldText(user, "id")); known {
				user["last_login"] = neverLoggedIn
			}
		})),
	)(o)
}
