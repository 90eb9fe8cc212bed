package faults

import (
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sequenceAuth are the faults of applications that are mixed up by what was done before.
func sequenceAuth() []Fault {
	return breaks("auth.app-isolation",
		fault("sequence-session-of-second-login-works-everywhere", "a session of a user's second login and those after it work under the token of any application",
			withTokens(secondLoginEverywhere)),
		fault("sequence-deleted-name-logs-in-elsewhere", "the names of a deleted user log in to the other application where somebody is called so",
			withTokens(deletedLogsInElsewhere)),
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
		fault("sequence-session-of-deleted-works-elsewhere", "the sessions of a deleted user open the other application's user of the same name",
			mixed(func(apps applications, s *overrides) {
				names := &memory[string]{} // by token
				s.onLogin(func(app store.App, id store.ID, token string) {
					if user, err := apps.inner.User(app, id); err == nil {
						names.keep(token, user.UserName)
					}
				})
				deleted := &memory[store.App]{} // by name
				s.onDeleteUser(func(user store.User) { deleted.keep(user.UserName, user.App) })
				s.session = func(app store.App, token string) (store.ID, error) {
					id, err := apps.inner.Session(app, token)
					name := names.get(token)
					if home, gone := deleted.lookup(name); err != nil && gone && home != app {
						for _, user := range apps.bearers(home, userName, name) {
							if user.App == app {
								return user.ID, nil
							}
						}
					}
					return id, err
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
		fault("sequence-used-session-serves-other-apps", "a session that was used once is kept by its token alone, and serves under the app token of another application, too",
			withTokens(sessionsKeptByToken)),
		fault("sequence-user-read-in-one-app-is-known-to-the-other", "a user who has been read by its id in its own application is then shown in the other, from a cache", readAcrossApps))
}

func secondLoginEverywhere(tokens []string) mutation {
	logins, homes := &memory[int]{}, &memory[string]{} // by id; an app token by session
	return combine(
		opened(func(r *http.Request, _ map[string]any, id, token string) {
			if logsIn()(r) && tally(logins, appIn(r)+id) >= 2 {
				homes.keep(token, appIn(r))
			}
		}),
		rewriteRequest(insession, func(r *http.Request) {
			if home, known := homes.lookup(sessionIn(r)); known && slices.Contains(tokens, appIn(r)) {
				r.SetBasicAuth(home, sessionIn(r))
			}
		}),
	)
}

func deletedLogsInElsewhere(tokens []string) mutation {
	deleted := &memory[bool]{}
	return combine(
		intercept(deletesUser(), func(next http.Handler, r *http.Request) *response {
			name := ownName(next, r)
			resp := record(next, r)
			if resp.ok() {
				deleted.keep(appIn(r)+name, true)
			}
			return resp
		}),
		intercept(logsIn(), func(next http.Handler, r *http.Request) *response {
			refusal := record(next, r)
			if refusal.status != 401 || !deleted.get(appIn(r)+fieldText(requestObject(r), "user_name")) {
				return refusal
			}
			for _, token := range tokens {
				r.SetBasicAuth(token, "")
				if elsewhere := record(next, r); elsewhere.ok() {
					return elsewhere
				}
			}
			return refusal
		}),
	)
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

// sessionsKeptByToken keeps the application that a session was used in.
func sessionsKeptByToken(tokens []string) mutation {
	homes := &memory[string]{} // by session
	return intercept(insession, func(next http.Handler, r *http.Request) *response {
		if home, used := homes.lookup(sessionIn(r)); used && slices.Contains(tokens, appIn(r)) {
			underApp(home)(r)
		}
		resp := record(next, r)
		if resp.ok() {
			homes.keep(sessionIn(r), appIn(r))
		}
		return resp
	})
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
