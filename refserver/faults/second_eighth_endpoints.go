package faults

import (
	"net/http"
	"regexp"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// eighthEndpoints are the faults of one endpoint of several whose route, label, or place
// in the list of what is public differs from that of the others.
func eighthEndpoints() []Fault {
	anyVersion := regexp.MustCompile(`^/[0-9.]+/user/login$`)
	return slices.Concat(
		breaks("auth.session-missing",
			fault("endpoint-app-alone-reads-user", "other users are shown to whoever has the app token, without a session", publicRecords)),
		breaks("transport.json-body",
			fault("endpoint-search-labelled-hal", "search results are labelled application/hal+json",
				rewriteResponse(searches(), onStatus(http.StatusOK, header("Content-Type", "application/hal+json"))))),
		breaks("transport.cors-preflight",
			fault("endpoint-preflight-of-logout-refused", "a preflight on the logout is answered with 403, as the filter that logs out comes first",
				respond(by(http.MethodOptions).and(at("/0.2/user/logout")).and(not(lacksHeader("Access-Control-Request-Method"))),
					403, complaint("invalid CORS request")))),
		breaks("versions.unknown",
			fault("endpoint-login-under-any-version", "a login is served under any number of a version, as its route has a placeholder there",
				rewriteRequest(by(http.MethodPost).and(func(r *http.Request) bool { return anyVersion.MatchString(r.URL.Path) }),
					func(r *http.Request) { r.URL.Path, r.URL.RawPath = "/0.2/user/login", "" }))),
	)
}

// publicRecords reads users without a session as one who has any.
func publicRecords(o *refserver.Options) {
	const passport = "the public"
	combine(
		rewriteRequest(readsUser().and(sessionless), func(r *http.Request) { r.SetBasicAuth(appIn(r), passport) }),
		overrideStore(func(inner refserver.Store, s *overrides) {
			s.session = func(app store.App, token string) (store.ID, error) {
				if everyone, err := inner.Search(app, ""); token == passport && err == nil && len(everyone) > 0 {
					return everyone[0].ID, nil
				}
				return inner.Session(app, token)
			}
		}),
	)(o)
}
