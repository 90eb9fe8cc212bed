package faults

import (
	"errors"
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

// mixedData are the faults of certain values that applications share.
func mixedData() []Fault {
	return breaks("auth.app-isolation",
		fault("data-search-by-whole-name-over-all-apps", "a search by a whole user name finds the users of all applications who are called so",
			mixed(func(apps applications, s *overrides) {
				s.search = func(app store.App, term string) ([]store.User, error) {
					found, err := apps.inner.Search(app, term)
					return append(found, apps.bearers(app, userName, term)...), err
				}
			})),
		fault("data-login-by-email-to-another-app", "a user logs in by email under the token of any application",
			inAnother(logsInByEmail(), 401)),
		fault("data-followers-of-namesake", "the followers of a user are also those of another application's user of the same name",
			mixed(func(apps applications, s *overrides) {
				extend(&s.followers, func(app store.App, id store.ID) (all []store.User, err error) {
					for _, user := range apps.namesakes(app, id) {
						followers, cause := apps.inner.Followers(user.App, user.ID)
						all, err = append(all, followers...), errors.Join(err, cause)
					}
					return all, err
				})
			})),
		fault("data-social-id-of-another-app", "connecting by a social id that nobody of the application has connects to who has it in another",
			mixed(func(apps applications, s *overrides) {
				bearers, found := &memory[store.User]{}, &memory[[]store.User]{} // by social id; by who connected
				keep := func(user store.User) {
					for platform, id := range user.SocialIDs {
						bearers.keep(platform+"/"+id, user)
					}
				}
				s.onCreateUser(keep)
				s.onUpdateUser(func(_, after store.User) { keep(after) })
				s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
					for _, id := range ids {
						if user, known := bearers.lookup(platform + "/" + id); known && user.App != app {
							found.update(keyOf(app, from), func(all []store.User) []store.User { return append(slices.Clip(all), user) })
						}
					}
					return apps.inner.ConnectSocial(app, from, platform, ids, typ)
				}
				extend(&s.follows, func(app store.App, id store.ID) ([]store.User, error) { return found.get(keyOf(app, id)), nil })
			})))
}

// mixedEndpoints are the faults of single endpoints that do not tell applications apart.
func mixedEndpoints() []Fault {
	return breaks("auth.app-isolation",
		fault("endpoint-feed-in-session-of-another-app", "the feed is read in the sessions of any application", inAnother(readsFeed(), 401)),
		fault("endpoint-logout-in-session-of-another-app", "a logout is granted, and done, under the app token of any application", inAnother(logsOut(), 401)),
		fault("endpoint-event-created-in-session-of-another-app", "an event is created under the app token of any application", inAnother(createsEvent(), 401)),
		fault("endpoint-event-of-another-app-deleted", "anybody of any other application can delete an event",
			mixed(func(apps applications, s *overrides) {
				owners := &memory[store.Event]{}
				s.onCreateEvent(func(event store.Event) { owners.keep(keyOf(0, event.ID), event) })
				s.deleteEvent = func(app store.App, owner, id store.ID) error {
					err := apps.inner.DeleteEvent(app, owner, id)
					if event, known := owners.lookup(keyOf(0, id)); known && event.App != app {
						return apps.inner.DeleteEvent(event.App, event.Owner, id)
					}
					return err
				}
			})),
		fault("endpoint-event-of-another-app-changed-all-the-same", "a change of another application's event is answered with 404 and done",
			mixed(func(apps applications, s *overrides) {
				owners := &memory[store.Event]{}
				s.onCreateEvent(func(event store.Event) { owners.keep(keyOf(0, event.ID), event) })
				s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
					changed, err := apps.inner.UpdateEvent(app, owner, id, change)
					if event, known := owners.lookup(keyOf(0, id)); known && event.App != app {
						if _, wrong := apps.inner.UpdateEvent(event.App, event.Owner, id, change); wrong != nil {
							return store.Event{}, wrong
						}
					}
					return changed, err
				}
			})),
		fault("endpoint-connection-to-user-of-another-app", "a connection to another application's user is answered as if it were made",
			mixed(func(apps applications, s *overrides) {
				s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
					made, isNew, err := apps.inner.Connect(app, from, to, typ)
					for _, other := range apps.besides(app) {
						if user, missing := apps.inner.User(other, to); err != nil && missing == nil {
							return store.Connection{App: app, From: from, To: to, Type: typ, CreatedAt: user.CreatedAt, UpdatedAt: user.CreatedAt}, true, nil
						}
					}
					return made, isNew, err
				}
			})))
}
