package faults

import (
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// applications are those of a server whose store has them mixed up somewhere.
type applications struct {
	all   []store.App
	inner refserver.Store
}

// mixed overrides a store that mixes its applications up.
func mixed(replace func(apps applications, s *overrides)) mutation {
	return acrossApps(func(all []store.App, inner refserver.Store, s *overrides) { replace(applications{all, inner}, s) })
}

// besides are the applications other than one.
func (a applications) besides(app store.App) []store.App {
	return slices.DeleteFunc(slices.Clone(a.all), func(other store.App) bool { return other == app })
}

// bearers are the users of other applications who have an attribute as it is given.
func (a applications) bearers(app store.App, of attribute, value string) []store.User {
	var found []store.User
	for _, other := range a.besides(app) {
		users, err := a.inner.Search(other, value)
		if err != nil || value == "" {
			continue
		}
		found = append(found, slices.DeleteFunc(users, func(user store.User) bool { return of(user) != value })...)
	}
	return found
}

// namesakes are the users of other applications with the name of a user.
func (a applications) namesakes(app store.App, id store.ID) []store.User {
	user, err := a.inner.User(app, id)
	if err != nil {
		return nil
	}
	return a.bearers(app, userName, user.UserName)
}

// inAnother has a request that is refused for its credentials, or for what is unknown,
// answered as another application would.
func inAnother(m match, statuses ...int) mutation {
	return withTokens(func(tokens []string) mutation {
		return intercept(m, func(next http.Handler, r *http.Request) *response {
			refusal := record(next, r)
			if !slices.Contains(statuses, refusal.status) || !slices.Contains(tokens, appIn(r)) {
				return refusal
			}
			for _, token := range tokens {
				r.SetBasicAuth(token, sessionIn(r))
				if elsewhere := record(next, r); elsewhere.ok() {
					return elsewhere
				}
			}
			return refusal
		})
	})
}
