package faults

import (
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

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
