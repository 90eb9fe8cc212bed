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

// sequenceAuthSessions are the faults of sessions and logins that work in another
// application after certain steps.
func sequenceAuthSessions() []Fault {
	return breaks("auth.app-isolation",
		fault("sequence-session-of-second-login-works-everywhere", "a session of a user's second login and those after it work under the token of any application",
			withTokens(secondLoginEverywhere)),
		fault("sequence-deleted-name-logs-in-elsewhere", "the names of a deleted user log in to the other application where somebody is called so",
			withTokens(deletedLogsInElsewhere)),
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
		fault("sequence-used-session-serves-other-apps", "a session that was used once is kept by its token alone, and serves under the app token of another application, too",
			withTokens(sessionsKeptByToken)))
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

// sequenceTransport are the faults of how values and headers are written after certain
// steps.
func sequenceTransport() []Fault {
	return slices.Concat(
		breaks("transport.unicode-roundtrip",
			fault("sequence-second-login-takes-names-for-latin-1", "a user's second login takes the first and the last name for Latin-1 until the next update",
				overrideStore(func(inner refserver.Store, s *overrides) {
					logins, spoilt := &memory[int]{}, &memory[bool]{}
					s.onLogin(func(app store.App, user store.ID, _ string) {
						if tally(logins, keyOf(app, user)) >= 2 {
							spoilt.keep(keyOf(app, user), true)
						}
					})
					s.onUpdateUser(func(_, after store.User) { spoilt.keep(keyOf(after.App, after.ID), false) })
					s.user = func(app store.App, id store.ID) (store.User, error) {
						user, err := inner.User(app, id)
						if err == nil && spoilt.get(keyOf(app, id)) {
							user.FirstName, user.LastName = latin1(user.FirstName), latin1(user.LastName)
						}
						return user, err
					}
				}))),
		breaks("transport.no-null",
			fault("sequence-cleared-first-name-null-among-followers", "who had a first name, and made it blank, has null for one in lists of followers", clearedNamesNull)),
		breaks("transport.blank-omitted",
			fault("sequence-cleared-location-blank-in-feed", "an event whose location was set, and changed to a blank one, has a blank location in feeds", clearedLocationsBlank)),
		breaks("transport.accept-406",
			fault("sequence-search-kept-whatever-accept", "a search that a session has made before is answered in JSON also where that is not accepted",
				func(o *refserver.Options) {
					made := &memory[bool]{} // by session and query
					intercept(searches(), func(next http.Handler, r *http.Request) *response {
						key := sessionIn(r) + " " + r.URL.RawQuery
						if made.get(key) {
							r.Header.Set("Accept", "application/json")
						}
						resp := record(next, r)
						if resp.ok() {
							made.keep(key, true)
						}
						return resp
					})(o)
				})),
		breaks("transport.cors-response",
			fault("sequence-record-kept-without-origin", "an own record that was read without an Origin cannot be read from another origin from then on", func(o *refserver.Options) {
				kept := &memory[bool]{} // by session
				rewriteResponse(readsOwnRecord(), onStatus(http.StatusOK, func(r *http.Request, resp *response) {
					if r.Header.Get("Origin") == "" {
						kept.keep(sessionIn(r), true)
					} else if kept.get(sessionIn(r)) {
						header(allowOrigin, "")(r, resp)
					}
				}))(o)
			})),
	)
}

// latin1 is what UTF-8 looks like that is taken for Latin-1.
func latin1(text string) string {
	read := make([]rune, 0, len(text))
	for _, b := range []byte(text) {
		read = append(read, rune(b))
	}
	return string(read)
}

// clearedNamesNull tells, in lists of followers, first names that were made blank from
// those that never were.
func clearedNamesNull(o *refserver.Options) {
	cleared := &memory[bool]{} // by id
	combine(
		intercept(updatesUser(), func(next http.Handler, r *http.Request) *response {
			before := fieldText(ownRecord(next, r), "first_name")
			resp := record(next, r)
			if user := objectOf(resp.body); resp.ok() && (before == "") != (fieldText(user, "first_name") == "") {
				cleared.keep(fieldText(user, "id"), before != "")
			}
			return resp
		}),
		rewriteEach(readsFollowers().or(readsFollowersOf()), func(user map[string]any) {
			if cleared.get(fieldText(user, "id")) {
				lacking("first_name", nil)(user)
			}
		}),
	)(o)
}

// clearedLocationsBlank shows in feeds a blank location of events that had one before.
func clearedLocationsBlank(o *refserver.Options) {
	had, cleared := &memory[bool]{}, &memory[bool]{} // by event
	combine(
		rewriteObject(createsEvent().or(updatesEvent()), func(event map[string]any) {
			id, located := fieldText(event, "id"), fieldText(event, "location") != ""
			cleared.keep(id, had.get(id) && !located)
			had.keep(id, had.get(id) || located)
		}),
		rewriteEach(readsFeed(), func(event map[string]any) {
			if _, there := event["location"]; !there && cleared.get(fieldText(event, "id")) {
				event["location"] = ""
			}
		}),
	)(o)
}
