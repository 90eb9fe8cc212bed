package faults

import (
	"bytes"
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// everyNth picks every nth of a session's requests of one kind that match.
func everyNth(n int, m match, mutate func(nth match) mutation) mutation {
	return func(o *refserver.Options) {
		counts := &memory[int]{}
		mutate(m.and(func(r *http.Request) bool {
			return tally(counts, kindOf(r))%n == 0
		}))(o)
	}
}

// kindOf tells a session's requests to one path from its others; the changes of all
// events are of one kind.
func kindOf(r *http.Request) string {
	path := r.URL.Path
	if updatesEvent()(r) {
		path = "/0.2/user/events/"
	}
	return r.Header.Get("Authorization") + r.Method + path
}

// rewriteNth changes every nth response of a session's requests of one kind.
func rewriteNth(n int, m match, change edit) mutation {
	return everyNth(n, m, func(nth match) mutation { return rewriteResponse(nth, change) })
}

// nthFeed changes what every nth reading of a reader's feed shows.
func nthFeed(n int, change func(feed []store.Event) []store.Event) mutation {
	return overrideStore(func(_ refserver.Store, s *overrides) {
		readings := &memory[int]{}
		s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
			if tally(readings, keyOf(r.app, r.id))%n == 0 {
				return change(feed)
			}
			return feed
		})
	})
}

// atEvery shows stale events at every nth reading.
func atEvery(n int) timing {
	return func(time.Time) showing {
		readings := &memory[int]{}
		return func([]store.Event) bool { return tally(readings, "")%n == 0 }
	}
}

// repeatedReads are the faults of one in several readings of the same.
func repeatedReads() []Fault {
	failure := replaceSuccess(500, complaint("internal server error"))
	return slices.Concat(
		breaks("errors.no-5xx",
			fault("repetition-tenth-own-record-fails", "every tenth reading of the own record in a session fails with 500", rewriteNth(10, readsOwnRecord(), failure)),
			fault("repetition-twentieth-search-fails", "every twentieth search in a session fails with 500", rewriteNth(20, searches(), failure))),
		breaks("users.get.other",
			fault("repetition-fifth-other-user-not-found", "every fifth reading of another user in a session is answered with 404",
				rewriteNth(5, readsUser(), replaceSuccess(404, complaint("user not found"))))),
		breaks("users.me.get",
			fault("repetition-twelfth-own-record-without-email", "every twelfth reading of the own record in a session lacks the email",
				rewriteNth(12, readsOwnRecord(), inObject(drop("email"))))),
		breaks("search.exact",
			fault("repetition-ninth-search-misses-user-name", "every ninth search for the whole of a user name misses its bearer",
				overrideStore(func(inner refserver.Store, s *overrides) {
					searches := &memory[int]{}
					s.search = func(app store.App, term string) ([]store.User, error) {
						hits, err := inner.Search(app, term)
						bears := func(user store.User) bool { return user.UserName == term }
						if slices.ContainsFunc(hits, bears) && tally(searches, keyOf(app)+term)%9 == 0 {
							hits = slices.DeleteFunc(hits, bears)
						}
						return hits, err
					}
				}))),
		breaks("connections.lists.followers",
			fault("repetition-fifth-followers-without-last", "every fifth reading of the own followers in a session lacks the last",
				rewriteNth(5, readsFollowers(), inList(func(list []any) []any { return list[:max(0, len(list)-1)] })))),
		breaks("connections.lists.of-user",
			fault("repetition-third-friends-of-user-empty", "every third reading of another user's friends in a session has none",
				rewriteNth(3, readsFriendsOf(), replaceSuccess(200, "[]")))),
		breaks("feed.follow.new-events",
			fault("repetition-seventh-event-lost", "every seventh event that a user posts is in no feed",
				overrideStore(func(_ refserver.Store, s *overrides) {
					posts, lost := &memory[int]{}, &memory[bool]{}
					s.onCreateEvent(func(event store.Event) {
						lost.keep(keyOf(event.App, event.ID), tally(posts, keyOf(event.App, event.Owner))%7 == 0)
					})
					s.hideFromFeeds(func(r reader, event store.Event) bool { return lost.get(keyOf(r.app, event.ID)) })
				})),
			fault("repetition-seventh-feed-without-newest", "every seventh reading of a feed lacks the newest event",
				nthFeed(7, func(feed []store.Event) []store.Event { return feed[min(1, len(feed)):] }))),
		breaks("feed.order",
			fault("repetition-eighth-feed-reversed", "every eighth reading of a feed begins with the oldest event",
				nthFeed(8, func(feed []store.Event) []store.Event { slices.Reverse(feed); return feed }))),
		breaks("feed.event-delete",
			fault("repetition-deleted-event-at-every-sixth", "a deleted event is in the feeds of followers at every sixth reading",
				deletionPassesOver(allOf, followersAlone, atEvery(6)))),
		breaks("feed.purge.followers",
			fault("repetition-purged-at-every-ninth", "a deleted user's events are in the feeds of followers at every ninth reading",
				purgePassesOver(allOf, followersAlone, atEvery(9)))),
		breaks("feed.unfollow",
			fault("repetition-unfollowed-at-every-fifth", "the events of a user who is no longer followed are in the feed at every fifth reading",
				unfollowedStay(atEvery(5), func(refserver.Store, store.App, store.ID, store.ID) bool { return true }))),
		breaks("versions.current",
			fault("repetition-third-versions-outdated", "every third list of versions has 0.2 as disabled", rewriteNth(3, readsVersions(), ofVersion("0.2", set("status", "disabled"))))),
		breaks("transport.json-body",
			fault("repetition-tenth-feed-unlabelled", "every tenth answer of a feed has no Content-Type", rewriteNth(10, readsFeed(), header("Content-Type", "")))),
	)
}

// repeatedWrites are the faults of one in several writes of the same kind.
func repeatedWrites() []Fault {
	return slices.Concat(
		breaks("events.create.status",
			fault("repetition-sixth-event-answers-200", "every sixth new event in a session is answered with 200", rewriteNth(6, createsEvent(), status(200)))),
		breaks("users.me.update.status",
			fault("repetition-same-update-answers-200", "the same update of the user as the one before is answered with 200", func(o *refserver.Options) {
				latest := &memory[string]{}
				rewriteResponse(updatesUser(), func(r *http.Request, resp *response) {
					if body := string(encode(requestObject(r))); resp.ok() && latest.keep(r.Header.Get("Authorization"), body) == body {
						resp.status = http.StatusOK
					}
				})(o)
			})),
		breaks("events.update.applies",
			fault("repetition-fourth-change-not-applied", "every fourth change of an event is answered as if it were made, and is not",
				everyNth(4, updatesEvent(), func(nth match) mutation {
					return rewriteBody(nth, func(event map[string]any) {
						for _, field := range []string{"location", "language", "priority", "verb"} {
							ignoring(field, isA[string])(event)
						}
					})
				}))),
		breaks("connections.lists.follows",
			fault("repetition-third-follow-lists-twice", "a user who is followed by a user three times without an end between is listed twice among its follows",
				overrideStore(func(_ refserver.Store, s *overrides) {
					creates, follows := &memory[int]{}, s.follows
					s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
						if typ == store.Follow {
							tally(creates, keyOf(app, from, to))
						}
					})
					s.onDisconnect(func(app store.App, from, to store.ID) { creates.keep(keyOf(app, from, to), 0) })
					s.follows = func(app store.App, id store.ID) ([]store.User, error) {
						users, err := follows(app, id)
						for _, user := range users {
							if creates.get(keyOf(app, id, user.ID)) >= 3 {
								users = append(users, user)
							}
						}
						return users, err
					}
				}))),
		breaks("users.me.update.applies",
			fault("repetition-third-update-not-stored", "of every third update in a session first and last name are passed over",
				everyNth(3, updatesUser(), func(nth match) mutation {
					return rewriteBody(nth, func(user map[string]any) {
						ignoring("first_name", isA[string])(user)
						ignoring("last_name", isA[string])(user)
					})
				}))),
		breaks("feed.merge",
			fault("repetition-fifth-event-stored-twice", "every fifth event that a session posts is stored twice",
				everyNth(5, createsEvent(), func(nth match) mutation {
					return intercept(nth, func(next http.Handler, r *http.Request) *response {
						if resp := record(next, r); !resp.ok() {
							return resp
						}
						return record(next, r)
					})
				})),
			fault("repetition-same-event-is-the-old-one", "a new event that says byte for byte what the session's last one said is answered with that one, and does not come to be",
				sameEventsOnce)),
		breaks("sessions.login.user-name",
			fault("repetition-third-login-token-is-void", "the session token of every third login by a user name opens nothing", func(o *refserver.Options) {
				logins := &memory[int]{}
				opened(func(r *http.Request, user map[string]any, id, _ string) {
					if logsInByName()(r) && tally(logins, id)%3 == 0 {
						user["session_token"] = refserver.NewAppToken()
					}
				})(o)
			})),
		breaks("connections.delete.status",
			fault("repetition-fourth-end-answers-200", "every fourth end of a connection in a session is answered with 200", func(o *refserver.Options) {
				ends := &memory[int]{}
				rewriteResponse(disconnects(), onStatus(204, func(r *http.Request, resp *response) {
					if tally(ends, sessionIn(r))%4 == 0 {
						resp.become(200, "{}")
					}
				}))(o)
			})),
	)
}

// sameEventsOnce takes a new event away again that says what the last one said.
func sameEventsOnce(o *refserver.Options) {
	type creation struct{ sent, answer []byte }
	latest, touched := &memory[creation]{}, &memory[bool]{} // by credentials; by event
	combine(
		rewriteResponse(updatesEvent().or(deletesEvent()), func(r *http.Request, _ *response) { touched.keep(lastSegment(r), true) }),
		intercept(createsEvent(), func(next http.Handler, r *http.Request) *response {
			sent := peekBody(r)
			resp := record(next, r)
			if !resp.ok() {
				return resp
			}
			before := latest.get(r.Header.Get("Authorization"))
			if bytes.Equal(before.sent, sent) && !touched.get(fieldText(objectOf(before.answer), "id")) {
				call(next, r, http.MethodDelete, "/0.2/user/events/"+fieldText(objectOf(resp.body), "id"), nil)
				resp.body = before.answer
				return resp
			}
			latest.keep(r.Header.Get("Authorization"), creation{sent, resp.body})
			return resp
		}),
	)(o)
}
