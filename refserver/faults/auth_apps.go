package faults

import (
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// mixedApps are the faults of applications that are not kept apart (What the
// service does, items 1 and 2).
func mixedApps() []Fault {
	return breaks("auth.app-isolation",
		fault("auth-session-of-one-app-works-in-another", "the session's user is shown under the app token of any application",
			sessionAcrossApps(func(_, elsewhere *response) *response { return elsewhere })),
		fault("auth-session-of-another-app-answers-403", "another application's session is answered with 403",
			sessionAcrossApps(func(refusal, _ *response) *response {
				refusal.status, refusal.body = 403, []byte(complaint("a session of another application"))
				return refusal
			})),
		fault("auth-users-of-another-app-shown", "a user of another application is shown by its id",
			userAcrossApps(func(user store.User) (store.User, error) { return user, nil })),
		fault("auth-users-of-another-app-forbidden", "the id of another application's user is answered with 403, that of nobody with 404",
			userAcrossApps(func(store.User) (store.User, error) { return store.User{}, store.ErrForbidden })),
		fault("auth-search-over-all-apps", "a search finds the users of all applications",
			acrossApps(func(apps []store.App, inner refserver.Store, s *overrides) {
				s.search = func(_ store.App, term string) (all []store.User, err error) {
					for _, app := range apps {
						found, err := inner.Search(app, term)
						if err != nil {
							return nil, err
						}
						all = append(all, found...)
					}
					return all, nil
				}
			})),
		fault("auth-login-to-another-app", "a user logs in by user name under the token of any application", withTokens(loginToAnotherApp)))
}

// sessionAcrossApps looks a session up in all applications where its own does not
// have it; found says what is answered then.
func sessionAcrossApps(found func(refusal, elsewhere *response) *response) mutation {
	return withTokens(func(tokens []string) mutation {
		return intercept(readsOwnRecord(), func(next http.Handler, r *http.Request) *response {
			refusal := record(next, r)
			if refusal.status != 401 || !slices.Contains(tokens, appIn(r)) {
				return refusal
			}
			for _, token := range tokens {
				r.SetBasicAuth(token, sessionIn(r))
				if elsewhere := record(next, r); elsewhere.ok() {
					return found(refusal, elsewhere)
				}
			}
			return refusal
		})
	})
}

// acrossApps overrides a store of several applications.
func acrossApps(replace func(apps []store.App, inner refserver.Store, s *overrides)) mutation {
	return withTokens(func(tokens []string) mutation {
		var apps []store.App
		for i := range tokens {
			apps = append(apps, store.App(i+1))
		}
		return overrideStore(func(inner refserver.Store, s *overrides) { replace(apps, inner, s) })
	})
}

// userAcrossApps looks a user up in all applications where the asking one does
// not have it; found says what becomes of it.
func userAcrossApps(found func(store.User) (store.User, error)) mutation {
	return acrossApps(func(apps []store.App, inner refserver.Store, s *overrides) {
		s.user = func(app store.App, id store.ID) (store.User, error) {
			user, err := inner.User(app, id)
			for _, other := range apps {
				if elsewhere, missing := inner.User(other, id); err != nil && missing == nil {
					return found(elsewhere)
				}
			}
			return user, err
		}
	})
}

func loginToAnotherApp(tokens []string) mutation {
	homes := &memory[string]{} // an app token by user name
	return combine(
		rewriteResponse(createsUser(), func(r *http.Request, resp *response) {
			if resp.ok() {
				homes.keep(fieldText(requestObject(r), "user_name"), appIn(r))
			}
		}),
		rewriteRequest(logsIn(), func(r *http.Request) {
			if home, known := homes.lookup(fieldText(requestObject(r), "user_name")); known && slices.Contains(tokens, appIn(r)) {
				r.SetBasicAuth(home, "")
			}
		}),
	)
}
