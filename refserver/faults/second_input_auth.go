package faults

import (
	"net/http"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// inputAuth are the faults of credentials that are not quite right, and that are taken.
func inputAuth() []Fault {
	return slices.Concat(
		breaks("auth.app-token-unknown",
			fault("input-app-token-in-other-case-taken", "app tokens are compared without regard to case",
				withTokens(func(tokens []string) mutation {
					return rewriteRequest(unknownApp(tokens), func(r *http.Request) {
						if i := slices.IndexFunc(tokens, func(token string) bool { return strings.EqualFold(token, appIn(r)) }); i >= 0 {
							underApp(tokens[i])(r)
						}
					})
				}))),
		breaks("auth.session-unknown",
			fault("input-session-token-ends-at-colon", "of the credentials what stands behind a second colon is not looked at",
				rewriteRequest(insession, func(r *http.Request) {
					token, _, _ := strings.Cut(sessionIn(r), ":")
					r.SetBasicAuth(appIn(r), token)
				})),
			fault("input-session-token-in-lower-case-taken", "a session token is also taken in lower case",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.session = func(app store.App, token string) (store.ID, error) {
						user, err := inner.Session(app, token)
						if err != nil {
							return inner.Session(app, strings.ToUpper(token))
						}
						return user, nil
					}
				}))),
	)
}
