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
	const rule = "auth.app-isolation"
	return []Fault{
		{
			Name: "auth-session-of-one-app-works-in-another", Rule: rule,
			Summary: "the session's user is shown under the app token of any application",
			Apply:   sessionAcrossApps(http.StatusOK),
		},
		{
			Name: "auth-session-of-another-app-answers-403", Rule: rule,
			Summary: "another application's session is answered with 403",
			Apply:   sessionAcrossApps(http.StatusForbidden),
		},
		{
			Name: "auth-users-of-another-app-shown", Rule: rule,
			Summary: "a user of another application is shown by its id",
			Apply: apart(func(s *acrossApps, app store.App, id store.ID) (store.User, error) {
				return s.elsewhere(app, id)
			}, nil),
		},
		{
			Name: "auth-users-of-another-app-forbidden", Rule: rule,
			Summary: "the id of another application's user is answered with 403, that of nobody with 404",
			Apply: apart(func(s *acrossApps, app store.App, id store.ID) (store.User, error) {
				if _, err := s.elsewhere(app, id); err != nil {
					return store.User{}, err
				}
				return store.User{}, store.ErrForbidden
			}, nil),
		},
		{
			Name: "auth-search-over-all-apps", Rule: rule,
			Summary: "a search finds the users of all applications",
			Apply: apart(nil, func(s *acrossApps, _ store.App, term string) (all []store.User, err error) {
				for app := range s.apps {
					found, err := s.Store.Search(store.App(app+1), term)
					if err != nil {
						return nil, err
					}
					all = append(all, found...)
				}
				return all, nil
			}),
		},
	}
}

// sessionAcrossApps finds a session in whatever application it is, and answers
// with the status.
func sessionAcrossApps(status int) func(*refserver.Options) {
	return func(o *refserver.Options) {
		tokens := slices.Clone(o.AppTokens)
		around(on("GET /0.2/user"), func(next http.Handler, r *http.Request) *response {
			resp := record(next, r)
			if resp.status != http.StatusUnauthorized || !slices.Contains(tokens, appIn(r)) {
				return resp
			}
			for _, token := range tokens {
				r.SetBasicAuth(token, sessionIn(r))
				if other := record(next, r); other.ok() && status == http.StatusOK {
					return other
				} else if other.ok() {
					resp.status, resp.body = status, []byte(complaint("a session of another application"))
				}
			}
			return resp
		})(o)
	}
}

// acrossApps is a store with reads that look into other applications.
type acrossApps struct {
	refserver.Store
	apps   int
	user   func(s *acrossApps, app store.App, id store.ID) (store.User, error) // after none was found; may be nil
	search func(s *acrossApps, app store.App, term string) ([]store.User, error)
}

// apart puts other reads between handlers and store; those that are nil stay.
func apart(user func(*acrossApps, store.App, store.ID) (store.User, error), search func(*acrossApps, store.App, string) ([]store.User, error)) func(*refserver.Options) {
	return func(o *refserver.Options) {
		apps := len(o.AppTokens)
		behind(func(inner refserver.Store) refserver.Store { return &acrossApps{inner, apps, user, search} })(o)
	}
}

func (s *acrossApps) User(app store.App, id store.ID) (store.User, error) {
	user, err := s.Store.User(app, id)
	if err == nil || s.user == nil {
		return user, err
	}
	return s.user(s, app, id)
}

func (s *acrossApps) Search(app store.App, term string) ([]store.User, error) {
	if s.search == nil {
		return s.Store.Search(app, term)
	}
	return s.search(s, app, term)
}

// elsewhere finds a user of another application.
func (s *acrossApps) elsewhere(app store.App, id store.ID) (user store.User, err error) {
	err = store.ErrNotFound
	for other := range s.apps {
		if user, err = s.Store.User(store.App(other+1), id); err == nil {
			return user, nil
		}
	}
	return store.User{}, err
}
