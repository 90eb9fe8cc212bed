package faults

import (
	"errors"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// inputSessions are the faults of bad logins that are taken, or refused in another way than
// they should be.
func inputSessions() []Fault {
	isOperator := func(value any) bool {
		object, _ := value.(map[string]any)
		return slices.ContainsFunc(slices.Collect(maps.Keys(object)), func(key string) bool { return strings.HasPrefix(key, "$") })
	}
	alwaysTrue := regexp.MustCompile(`(?i)'\s*or\b`)
	return slices.Concat(
		breaks("sessions.login.brief",
			fault("input-details-false-gives-details", "a login with withUserDetails=false answers the full user",
				rewriteRequest(logsIn().and(hasQuery("withUserDetails", "false")), func(r *http.Request) { r.URL.RawQuery = "withUserDetails=true" }))),
		breaks("sessions.login.wrong-password",
			fault("input-login-operator-for-password-taken", "an object with a query operator, such as $ne, is taken for the right password",
				knowingPasswords(func(known *passwords) mutation {
					return rewriteBody(logsIn().and(sendsA("password", isOperator)), func(login map[string]any) {
						if right, exists := known.by(login); exists {
							login["password"] = right
						}
					})
				})),
			fault("input-login-password-ends-the-query", "a password with a quote and OR behind it is read as a part of the query, and logs in whoever's user name is given",
				misled(logsInByName(), func(_, given string) bool { return alwaysTrue.MatchString(given) })),
			fault("input-login-trims-password", "a login takes a password with spaces around it for the one without",
				misled(logsIn(), func(right, given string) bool { return given != right && strings.TrimSpace(given) == right }))),
		breaks("sessions.login.unknown-user",
			fault("input-login-name-is-a-pattern", "a login compares user names as patterns: ann% and the password of anna log anna in",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.identify = func(app store.App, name, email string, password []byte) (store.User, error) {
						user, err := inner.Identify(app, name, email, password)
						if !errors.Is(err, store.ErrNotFound) || !strings.Contains(name, "%") {
							return user, err
						}
						return bearerOf(inner, app, name, password)
					}
				}))),
		breaks("sessions.login.password-required",
			fault("input-login-null-password-taken", "a login by user name needs no password where that is null",
				misled(logsInByName().and(sendsA("password", isNull)), func(_, given string) bool { return given == "" })),
			fault("input-login-of-user-without-password-needs-none", "who was created without a password logs in by user name without one", blankPasswordsMatch)),
		breaks("sessions.login.identifier-required",
			fault("input-login-null-names-conflict", "a login with null for user name and email is answered with 409",
				rewriteResponse(logsIn().and(sendsA("user_name", isNull)).and(sendsA("email", isNull)), replaceStatus(422, 409, "{}")))),
	)
}

// bearerOf finds the user with the password whose name is like a pattern with %.
func bearerOf(inner refserver.Store, app store.App, pattern string, password []byte) (store.User, error) {
	like, err := regexp.Compile("(?is)^" + strings.ReplaceAll(regexp.QuoteMeta(pattern), "%", ".*") + "$")
	if err != nil {
		return store.User{}, store.ErrNotFound
	}
	users, err := inner.Search(app, "")
	for _, user := range users {
		if like.MatchString(user.UserName) {
			if bearer, unknown := inner.Identify(app, user.UserName, "", password); unknown == nil {
				return bearer, nil
			}
		}
	}
	return store.User{}, errors.Join(err, store.ErrNotFound)
}

// blankPasswordsMatch compares no password with none: it stands for the one of users
// who were created without.
func blankPasswordsMatch(o *refserver.Options) {
	stands := refserver.NewAppToken()
	without := &memory[bool]{} // by application and user name
	lacks := func(r *http.Request) bool {
		body := requestObject(r)
		return body != nil && (body["password"] == nil || body["password"] == "")
	}
	key := func(r *http.Request) string { return appIn(r) + " " + fieldText(requestObject(r), "user_name") }
	combine(
		intercept(createsUser(), func(next http.Handler, r *http.Request) *response {
			blank := lacks(r)
			if blank {
				inBody(set("password", stands))(r)
			}
			resp := record(next, r)
			if resp.ok() {
				without.keep(key(r), blank)
			}
			return resp
		}),
		rewriteResponse(updatesUser().and(not(lacks)), func(r *http.Request, resp *response) {
			if resp.ok() {
				without.keep(key(r), false)
			}
		}),
		rewriteRequest(logsInByName().and(lacks), func(r *http.Request) {
			if without.get(key(r)) {
				inBody(set("password", stands))(r)
			}
		}),
	)(o)
}
