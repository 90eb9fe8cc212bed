package faults

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sequenceAuthRecords are the faults of users, feeds and searches of different
// applications that are mixed up by what was done before.
func sequenceAuthRecords() []Fault {
	return breaks("auth.app-isolation",
		fault("sequence-update-changes-namesake", "an update of a user gives its last name to other applications' users of the same name",
			mixed(func(apps applications, s *overrides) {
				s.onUpdateUser(func(_, after store.User) {
					for _, user := range apps.namesakes(after.App, after.ID) {
						_, _ = apps.inner.UpdateUser(user.App, user.ID, func(u *store.User) { u.LastName = after.LastName }) // who may be gone by now
					}
				})
			})),
		fault("sequence-deleted-record-shown-elsewhere", "other applications are shown the record of a user who was deleted",
			mixed(func(apps applications, s *overrides) {
				records := &memory[store.User]{}
				s.onDeleteUser(func(user store.User) { records.keep(keyOf(0, user.ID), user) })
				s.user = func(app store.App, id store.ID) (store.User, error) {
					if user, known := records.lookup(keyOf(0, id)); known && user.App != app {
						return user, nil
					}
					return apps.inner.User(app, id)
				}
			})),
		fault("sequence-deletion-purges-namesake", "the events of a user leave all feeds when another application's user of the same name is deleted",
			mixed(func(apps applications, s *overrides) {
				purged := &memory[bool]{}
				s.deleteUser = func(app store.App, id store.ID) error {
					for _, user := range apps.namesakes(app, id) {
						purged.keep(keyOf(user.App, user.ID), true)
					}
					return apps.inner.DeleteUser(app, id)
				}
				s.feed = func(app store.App, id store.ID) ([]store.Event, error) {
					events, err := apps.inner.Feed(app, id)
					return slices.DeleteFunc(events, func(event store.Event) bool { return purged.get(keyOf(app, event.Owner)) }), err
				}
			})),
		fault("sequence-feed-kept-by-user-name", "a feed that another application's user of the same name has read is shown once more",
			mixed(func(apps applications, s *overrides) {
				type kept struct {
					app    store.App
					events []store.Event
				}
				feeds := &memory[kept]{} // by user name
				s.feed = func(app store.App, id store.ID) ([]store.Event, error) {
					events, err := apps.inner.Feed(app, id)
					user, missing := apps.inner.User(app, id)
					if err != nil || missing != nil {
						return events, err
					}
					if before := feeds.keep(user.UserName, kept{app, events}); before.app != app && before.app != 0 {
						return slices.Clone(before.events), nil
					}
					return events, nil
				}
			})),
		fault("sequence-updated-found-by-other-app", "a search also finds the users of other applications who have been updated, by their user names",
			mixed(func(apps applications, s *overrides) {
				updated := &memory[bool]{}
				s.onUpdateUser(func(_, after store.User) { updated.keep(keyOf(after.App, after.ID), true) })
				s.search = func(app store.App, term string) ([]store.User, error) {
					hits, err := apps.inner.Search(app, term)
					for _, other := range apps.besides(app) {
						found, cause := apps.inner.Search(other, term)
						for _, user := range found {
							if cause == nil && updated.get(keyOf(other, user.ID)) && holdsText(user.UserName, term) {
								hits = append(hits, user)
							}
						}
					}
					return hits, err
				}
			})),
		fault("sequence-hot-record-served-to-other-app", "a user's record that was read three times by its application is served to others too", func(o *refserver.Options) {
			type hot struct {
				app  string
				body []byte
			}
			reads, kept := &memory[int]{}, &memory[hot]{} // by path
			rewriteResponse(readsUser(), func(r *http.Request, resp *response) {
				if resp.ok() && tally(reads, r.URL.Path) >= 3 {
					kept.keep(r.URL.Path, hot{appIn(r), resp.body})
				}
				if cached, is := kept.lookup(r.URL.Path); is && resp.status == 404 && cached.app != appIn(r) {
					resp.status, resp.body = 200, cached.body
				}
			})(o)
		}),
		fault("sequence-search-kept-for-every-app", "a search for a term that found somebody in another application before is answered with those users", overrideStore(searchesOfAnyApp)),
		fault("sequence-user-read-in-one-app-is-known-to-the-other", "a user who has been read by its id in its own application is then shown in the other, from a cache", readAcrossApps),
		fault("sequence-search-cached-across-applications", "a search for what another application found within a minute gets what it found",
			overrideStore(searchesSharedByApps)),
		fault("sequence-search-of-another-application-cached", "the first search for what another application searched for last, with success, finds the same users",
			overrideStore(searchesCachedByTerm)))
}

// searchesOfAnyApp keeps results by their term alone.
func searchesOfAnyApp(inner refserver.Store, s *overrides) {
	type results struct {
		app   store.App
		users []store.User
	}
	kept := &memory[results]{} // by term
	s.search = func(app store.App, term string) ([]store.User, error) {
		if before, known := kept.lookup(term); known && before.app != app {
			return slices.Clone(before.users), nil
		}
		users, err := inner.Search(app, term)
		if err == nil && len(users) > 0 {
			kept.keep(term, results{app, slices.Clone(users)})
		}
		return users, err
	}
}

// readAcrossApps keeps users by their ids alone.
func readAcrossApps(o *refserver.Options) {
	type page struct {
		app  string
		body []byte
	}
	read := &memory[page]{} // by id
	rewriteResponse(readsUser(), func(r *http.Request, resp *response) {
		kept, known := read.lookup(lastSegment(r))
		switch {
		case resp.ok():
			read.keep(lastSegment(r), page{appIn(r), resp.body})
		case resp.status == http.StatusNotFound && known && kept.app != appIn(r):
			resp.become(http.StatusOK, string(kept.body))
		}
	})(o)
}

// searchesSharedByApps keeps what a search found for a minute, for all applications
// but the one that asked. What found nothing is not kept.
func searchesSharedByApps(inner refserver.Store, s *overrides) {
	type search struct {
		app   store.App
		at    time.Time
		found []store.User
	}
	kept := &memory[search]{} // by term
	s.search = func(app store.App, term string) ([]store.User, error) {
		key := strings.ToLower(term)
		if other, known := kept.lookup(key); known && other.app != app && time.Since(other.at) < time.Minute {
			return slices.Clone(other.found), nil
		}
		users, err := inner.Search(app, term)
		if err == nil && len(users) > 0 {
			kept.keep(key, search{app, time.Now(), slices.Clone(users)})
		}
		return users, err
	}
}

// searchesCachedByTerm keeps the users that an application's search found, until another
// application searches for the same.
func searchesCachedByTerm(inner refserver.Store, s *overrides) {
	type found struct {
		app   store.App
		users []store.User
	}
	latest := &memory[found]{} // by term
	s.search = func(app store.App, term string) ([]store.User, error) {
		users, err := inner.Search(app, term)
		if err != nil {
			return nil, err
		}
		before := latest.keep(term, found{app, slices.Clone(users)})
		if before.app != app && len(before.users) > 0 {
			return before.users, nil
		}
		return users, nil
	}
}
