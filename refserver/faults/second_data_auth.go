package faults

import (
	"errors"
	"slices"

	"github.com/socialfeed/conform/refserver/store"
)

// dataAuth are the faults of certain values by which applications are not told apart.
func dataAuth() []Fault {
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
			})),
		fault("data-search-for-whole-email-crosses-applications", "a search for a whole email also finds who has it in another application",
			mixed(func(apps applications, s *overrides) {
				search := s.search
				s.search = func(app store.App, term string) ([]store.User, error) {
					found, err := search(app, term)
					return append(found, apps.bearers(app, email, term)...), err
				}
			})))
}
