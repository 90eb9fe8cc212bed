package faults

import (
	"math"
	"net/http"
	"slices"
	"strings"
	"time"
)

// sequenceAuthRecords are the faults of users, feeds and searches of different
// applications that are mixed up by what was done before.
func sequenceAuthRecords() []Fault {
	return breaks("auth.app-isolation",
		fault("sequence-update-changes-namesake", "an update of a user gives its last name to other applications' users of the same name",
			breaking(after(toUpdate, func(l *step) {
				for _, user := range l.bearersElsewhere(userName, l.user.UserName) {
					_, _ = l.store.UpdateUser(user.App, user.ID, func(u *User) { u.LastName = l.user.LastName }) // who may be gone by now
				}
			}))),
		fault("sequence-deleted-record-shown-elsewhere", "other applications are shown the record of a user who was deleted",
			breaking(reading(func(l *step, err error) error {
				for _, there := range l.elsewhere() {
					if gone := there.last(deleted, l.other, 0); gone.n > 0 {
						l.user = gone.user
						return nil
					}
				}
				return err
			}))),
		fault("sequence-deletion-purges-namesake", "the events of a user leave all feeds when another application's user of the same name is deleted",
			breaking(given(toDelete, func(l *step) {
				for _, user := range l.namesakes(l.me) {
					l.journal.write(user.App, act{by: user.ID}, noted)
				}
			}), hides(func(l look) bool { return l.ever(noted, l.other, 0) }))),
		fault("sequence-feed-kept-by-user-name", "a feed that another application's user of the same name has read is shown once more",
			breaking(feeds(func(l look, feed []Event) []Event {
				name := l.record(l.me).UserName
				before := newest(l.named(noted, name))
				for _, there := range l.elsewhere() {
					if read := newest(there.named(noted, name)); read.n > before.n {
						before, feed = read, slices.Clone(read.events)
					}
				}
				l.journal.write(l.app, act{text: name, events: feed}, noted)
				return feed
			}))),
		fault("sequence-updated-found-by-other-app", "a search also finds the users of other applications who have been updated, by their user names",
			breaking(searching(func(l look, hits []User) []User {
				return append(hits, l.foundElsewhere(l.term, func(there look) bool {
					return there.ever(updated, there.other, 0) && holdsText(there.user.UserName, l.term)
				})...)
			}))),
		fault("sequence-hot-record-served-to-other-app", "a user's record that was read three times by its application is served to others too", recordsServedElsewhere(3)),
		fault("sequence-search-kept-for-every-app", "a search for a term that found somebody in another application before is answered with those users",
			searchesShared(strings.Clone, math.MaxInt64)),
		fault("sequence-user-read-in-one-app-is-known-to-the-other", "a user who has been read by its id in its own application is then shown in the other, from a cache", recordsServedElsewhere(1)),
		fault("sequence-search-cached-across-applications", "a search for what another application found within a minute gets what it found",
			searchesShared(strings.ToLower, time.Minute)),
		fault("sequence-search-of-another-application-cached", "the first search for what another application searched for last, with success, finds the same users", searchesExchanged()))
}

// searchesShared answers searches with recent results of another application for the same key. Empty
// results are not kept.
func searchesShared(key func(term string) string, lasting time.Duration) mutation {
	return remembering(func(latest *memory[results]) mutation {
		return breaking(searching(func(l look, hits []User) []User {
			other, known := latest.lookup(key(l.term))
			if known && other.app != l.app && time.Since(other.at) < lasting {
				return slices.Clone(other.users)
			}
			if len(hits) > 0 {
				latest.keep(key(l.term), results{l.app, time.Now(), slices.Clone(hits)})
			}
			return hits
		}))
	})
}

// results are those of a search in an application.
type results struct {
	app   App
	at    time.Time
	users []User
}

// recordsServedElsewhere serves the records of users that were read so often to other applications.
func recordsServedElsewhere(often int) mutation {
	return cached(readsUser(), lastSegment, func(r *http.Request, read kept, resp *response) bool {
		return resp.status == http.StatusNotFound && read.app != appIn(r) && read.uses >= often
	})
}

// searchesExchanged keeps the users that an application's search found, until another
// application searches for the same.
func searchesExchanged() mutation {
	return remembering(func(latest *memory[results]) mutation {
		return breaking(searching(func(l look, hits []User) []User {
			before := latest.keep(l.term, results{l.app, time.Now(), slices.Clone(hits)})
			if before.app != l.app && len(before.users) > 0 {
				return before.users
			}
			return hits
		}))
	})
}

// sequenceAuthSessions are the faults of sessions and logins that work in another
// application after certain steps.
func sequenceAuthSessions() []Fault {
	return breaks("auth.app-isolation",
		fault("sequence-session-of-second-login-works-everywhere", "a session of a user's second login and those after it work under the token of any application",
			withTokens(secondLoginEverywhere)),
		fault("sequence-deleted-name-logs-in-elsewhere", "the names of a deleted user log in to the other application where somebody is called so",
			requestsWhere(logsIn(), nameOfDeleted, func(m match) mutation { return inAnother(m, 401) })),
		fault("sequence-session-of-deleted-works-elsewhere", "the sessions of a deleted user open the other application's user of the same name",
			breaking(sessionsOpen(func(l look) ID {
				for _, there := range l.elsewhere() {
					login := newest(there.named(loggedIn, l.term))
					for _, user := range there.bearersElsewhere(userName, login.user.UserName) {
						if l.term != "" && len(there.named(deleted, user.UserName)) > 0 && user.App == l.app {
							return user.ID
						}
					}
				}
				return 0
			}))),
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
				breaking(records(func(l look, user *User) {
					logins := l.all(loggedIn, user.ID, 0)
					if len(logins) >= 2 && newest(logins).n > l.last(updated, user.ID, 0).n {
						user.FirstName, user.LastName = latin1(user.FirstName), latin1(user.LastName)
					}
				})))),
		breaks("transport.no-null",
			fault("sequence-cleared-first-name-null-among-followers", "who had a first name, and made it blank, has null for one in lists of followers",
				eachWhere(readsFollowers().or(readsFollowersOf()), func(l look) bool {
					change := l.changeOf(firstName, l.other)
					return change.was.FirstName != "" && change.user.FirstName == ""
				}, lacking("first_name", nil)))),
		breaks("transport.blank-omitted",
			fault("sequence-cleared-location-blank-in-feed", "an event whose location was set, and changed to a blank one, has a blank location in feeds",
				eachWhere(readsFeed(), func(l look) bool {
					return slices.ContainsFunc(l.all(changed, 0, l.event.ID), func(change *act) bool { return change.old.Location != "" })
				}, lacking("location", "")))),
		breaks("transport.accept-406",
			fault("sequence-search-kept-whatever-accept", "a search that a session has made before is answered in JSON also where that is not accepted",
				once(searches(), func(q asked) string { return sessionAndQuery(q.Request) }, sessionAndQuery, func(made match) mutation {
					return rewriteRequest(searches().and(made), setHeader("Accept", "application/json"))
				}))),
		breaks("transport.cors-response",
			fault("sequence-record-kept-without-origin", "an own record that was read without an Origin cannot be read from another origin from then on",
				once(readsOwnRecord().and(lacksHeader("Origin")), asked.session, sessionIn, func(kept match) mutation {
					return rewriteResponse(readsOwnRecord().and(not(lacksHeader("Origin"))).and(kept), onStatus(http.StatusOK, header(allowOrigin, "")))
				}))),
	)
}

func sessionAndQuery(r *http.Request) string { return sessionIn(r) + " " + r.URL.RawQuery }

// latin1 is UTF-8 read as Latin-1.
func latin1(text string) string {
	read := make([]rune, 0, len(text))
	for _, b := range []byte(text) {
		read = append(read, rune(b))
	}
	return string(read)
}
