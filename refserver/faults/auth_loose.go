package faults

import (
	"net/http"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
)

// looseTokens are the faults of tokens that are not compared to their ends, and
// of applications that are not told apart where users log in.
func looseTokens() []Fault {
	return []Fault{
		{
			Name: "auth-app-token-may-go-on", Rule: "auth.app-token-unknown",
			Summary: "the session's user is shown under an app token that begins with the right one",
			Apply: func(o *refserver.Options) {
				token := o.AppTokens[0]
				tamper(on("GET /0.2/user"), func(r *http.Request) {
					if strings.HasPrefix(appIn(r), token) {
						r.SetBasicAuth(token, sessionIn(r))
					}
				})(o)
			},
		},
		{
			Name: "auth-app-token-blank", Rule: "auth.app-token-unknown",
			Summary: "the feed is shown under a blank app token",
			Apply: func(o *refserver.Options) {
				token := o.AppTokens[0]
				tamper(on("GET /0.2/user/feed"), func(r *http.Request) {
					if appIn(r) == "" && sessionIn(r) != "" {
						r.SetBasicAuth(token, sessionIn(r))
					}
				})(o)
			},
		},
		{
			Name: "auth-session-token-may-go-on", Rule: "auth.session-unknown",
			Summary: "a session token may go on behind its end, where the own friends are listed",
			Apply:   tokensMayGoOn(on("GET /0.2/user/friends")),
		},
		{
			Name: "auth-login-to-another-app", Rule: "auth.app-isolation",
			Summary: "a user logs in by user name under the token of any application",
			Apply:   loginToAnotherApp,
		},
	}
}

func tokensMayGoOn(m match) func(*refserver.Options) {
	const longest = 26 // of the server's own tokens
	return tamper(m, func(r *http.Request) {
		if token := sessionIn(r); len(token) > longest {
			r.SetBasicAuth(appIn(r), token[:longest])
		}
	})
}

func loginToAnotherApp(o *refserver.Options) {
	tokens, apps := slices.Clone(o.AppTokens), &memory[string]{} // an app token by user name
	both(
		edit(createsUser(), func(r *http.Request, resp *response) {
			if resp.ok() {
				apps.keep(fieldText(sent(r), "user_name"), appIn(r))
			}
		}),
		tamper(logsIn(), func(r *http.Request) {
			if home, known := apps.get(fieldText(sent(r), "user_name")); known && slices.Contains(tokens, appIn(r)) {
				r.SetBasicAuth(home, "")
			}
		}),
	)(o)
}
