package faults

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// endpointCredentials are the faults of credentials at single endpoints.
func endpointCredentials() []Fault {
	nobody := lacksHeader("Authorization")
	return slices.Concat(
		breaks("auth.missing",
			fault("endpoint-nobody-connects-socially", "connecting by social identifiers without Authorization is answered with 201",
				respond(connectsSocially().and(nobody), 201, "{}")),
			fault("endpoint-nobody-changes-event", "a change of an event without Authorization is answered with 403",
				rewriteResponse(updatesEvent().and(nobody), replaceStatus(401, 403, complaint("no access")))),
			fault("endpoint-nobody-reads-follows", "another user's follows are answered with 404 without Authorization",
				rewriteResponse(readsFollowsOf().and(nobody), replaceStatus(401, 404, complaint("not found"))))),
		breaks("auth.app-token-unknown",
			fault("endpoint-unknown-app-searches", "a search under an unknown app token finds nobody",
				inUnknownApp(searches(), func(m match) mutation { return respond(m, 200, "[]") })),
			fault("endpoint-unknown-app-creates-user", "a create under an unknown app token is answered with 403",
				inUnknownApp(createsUser(), func(m match) mutation {
					return rewriteResponse(m, replaceStatus(401, 403, complaint("no access")))
				}))),
		breaks("auth.session-missing",
			fault("endpoint-app-alone-lists-friends", "another user's friends are answered as none under the app token alone",
				respond(readsFriendsOf().and(sessionless), 200, "[]")),
			fault("endpoint-app-alone-updates-user", "an update under the app token alone is answered with 422",
				rewriteResponse(updatesUser().and(sessionless), replaceStatus(401, 422, complaint("user_name is required"))))),
		breaks("auth.session-unknown",
			fault("endpoint-unknown-session-changes-event", "a change of an event in an unknown session is answered with 404",
				inUnknownSession(updatesEvent(), 404, complaint("event not found"))),
			fault("endpoint-unknown-session-connects-socially", "connecting by social identifiers in an unknown session is answered with 201",
				inUnknownSession(connectsSocially(), 201, "{}")),
			fault("endpoint-unknown-session-deletes-user", "deleting the user of an unknown session is answered with 204",
				inUnknownSession(deletesUser(), 204, ""))),
		breaks("auth.app-isolation",
			fault("endpoint-lists-of-another-app", "the followers of another application's user are listed",
				acrossApps(func(apps []store.App, inner refserver.Store, s *overrides) {
					s.followers = func(app store.App, id store.ID) ([]store.User, error) {
						users, err := inner.Followers(app, id)
						for _, other := range apps {
							if elsewhere, missing := inner.Followers(other, id); err != nil && missing == nil {
								return elsewhere, nil
							}
						}
						return users, err
					}
				}))),
		breaks("auth.no-effect",
			fault("endpoint-social-under-unknown-app-done-anyway", "connecting by social identifiers under an unknown app token is answered with 401 and takes effect",
				withTokens(func(tokens []string) mutation {
					return refusedButDone(connectsSocially().and(unknownApp(tokens)), underApp(tokens[0]))
				})),
			fault("endpoint-logout-under-unknown-app-done-anyway", "a logout under an unknown app token is answered with 401 and takes effect",
				withTokens(func(tokens []string) mutation {
					return refusedButDone(logsOut().and(unknownApp(tokens)), underApp(tokens[0]))
				}))),
		breaks("sessions.logout.destroys",
			fault("endpoint-destroyed-token-searches", "searches are served in destroyed sessions", destroyedTokensWork(searches())),
			fault("endpoint-destroyed-token-reads-user", "other users are read in destroyed sessions", destroyedTokensWork(readsUser())),
			fault("endpoint-destroyed-token-follows", "connections are made in destroyed sessions", destroyedTokensWork(connects())),
			fault("endpoint-destroyed-token-deletes-event", "events are deleted in destroyed sessions", destroyedTokensWork(deletesEvent()))),
		breaks("sessions.deleted-user",
			fault("endpoint-deleted-user-searches", "a search in the session of a deleted user is answered with 400", deletingSessionsAnswer400(searches()))),
	)
}

// endpointHeaders are the faults of headers at single endpoints.
func endpointHeaders() []Fault {
	anonymous, given := lacksHeader("User-Agent"), setHeader("User-Agent", "unknown")
	text, asJSON := headerContains("Content-Type", "text/plain"), setHeader("Content-Type", "application/json")
	patch := func(path string) match { return by("PATCH").and(at(path)) }
	foreign := not(lacksHeader("Origin"))
	return slices.Concat(
		breaks("transport.user-agent-required",
			fault("endpoint-search-for-anonymous", "a search needs no User-Agent", rewriteRequest(searches().and(anonymous), given)),
			fault("endpoint-friends-for-anonymous", "another user's friends are listed without a User-Agent", rewriteRequest(readsFriendsOf().and(anonymous), given)),
			fault("endpoint-follow-for-anonymous-done-anyway", "a connection without a User-Agent is refused, and made all the same",
				refusedButDone(connects().and(anonymous), given))),
		breaks("transport.cors-response",
			fault("endpoint-origin-not-allowed-on-posts", "the answer to a new event cannot be read from another origin",
				rewriteResponse(createsEvent().and(foreign), header(allowOrigin, ""))),
			fault("endpoint-origin-not-allowed-on-404", "a 404 of another user cannot be read from another origin",
				rewriteResponse(readsUser().and(foreign), onStatus(404, header(allowOrigin, ""))))),
		breaks("transport.cors-preflight",
			fault("endpoint-preflight-of-event-refused", "a preflight on one event is answered with 401",
				respond(by("OPTIONS").and(at("/0.2/user/events/{EventID}")).and(not(lacksHeader("Access-Control-Request-Method"))),
					401, complaint("credentials are required")))),
		breaks("transport.content-type-415",
			fault("endpoint-text-connects", "a connection is taken whatever its Content-Type", rewriteRequest(connects().and(text), asJSON)),
			fault("endpoint-text-updates", "an update of the user is taken whatever its Content-Type", rewriteRequest(updatesUser().and(text), asJSON)),
			fault("endpoint-text-posts-answers-400", "a new event that is no JSON is answered with 400",
				rewriteResponse(createsEvent(), replaceStatus(415, 400, "{}")))),
		breaks("errors.method",
			fault("endpoint-method-unfound-at-follows", "PATCH is answered with 404 at another user's follows",
				rewriteResponse(patch("/0.2/users/{UserID}/follows"), replaceStatus(405, 404, complaint("not found")))),
			fault("endpoint-method-answers-400-at-social", "PATCH is answered with 400 at the social connections",
				rewriteResponse(patch("/0.2/user/connections/social"), replaceStatus(405, 400, "{}")))),
		breaks("errors.unknown-path",
			fault("endpoint-path-below-the-feed", "a path below the feed's is answered like the feed",
				rewriteRequest(by("GET").and(at("/0.2/user/feed/{Anything}")).and(not(at("/0.2/user/feed/"))),
					func(r *http.Request) { r.URL.Path = "/0.2/user/feed" }))),
		breaks("errors.method-allow",
			fault("endpoint-405-without-allow-at-search", "a 405 at the search names no methods", rewriteResponse(patch("/0.2/users/search"), header("Allow", "")))),
	)
}

// endpointBodies are the faults of answers at single endpoints.
func endpointBodies() []Fault {
	return slices.Concat(
		breaks("transport.json-body",
			fault("endpoint-social-labelled-html", "the answer to a social connection is labelled text/html",
				rewriteResponse(connectsSocially(), header("Content-Type", "text/html")))),
		breaks("transport.timestamps",
			fault("endpoint-friends-time-without-zone", "the created_at of the own friends has no zone",
				rewriteEach(readsFriends(), mapText("created_at", func(text string) string { return strings.TrimSuffix(text, "Z") })))),
		breaks("connections.lists.follows",
			fault("endpoint-follows-without-newcomers", "the own follows lack those who have never logged in",
				rewriteResponse(readsFollows(), inList(func(list []any) []any {
					return slices.DeleteFunc(list, func(each any) bool {
						user, _ := each.(map[string]any)
						at := fieldText(user, "last_login")
						return at == "" || strings.HasPrefix(at, "0000")
					})
				})))),
		breaks("connections.lists.followers",
			fault("endpoint-followers-created-an-hour-later", "the own followers are listed with a created_at that is an hour late",
				rewriteEach(readsFollowers(), mapText("created_at", func(text string) string {
					at, err := time.Parse(time.RFC3339Nano, text)
					if err != nil {
						return text
					}
					return at.Add(time.Hour).Format(time.RFC3339Nano)
				})))),
		breaks("transport.no-null",
			fault("endpoint-empty-metadata-is-null", "a new event with empty metadata is answered with null for it",
				rewriteResponse(createsEvent(), func(r *http.Request, resp *response) {
					if metadata, is := requestObject(r)["metadata"].(map[string]any); is && len(metadata) == 0 {
						resp.object(set("metadata", nil))
					}
				})),
			fault("endpoint-friends-of-user-without-url", "users without a url have null for one among another user's friends",
				rewriteEach(readsFriendsOf(), lacking("url", nil)))),
		breaks("transport.blank-omitted",
			fault("endpoint-feed-blank-location", "events without a location have a blank one in a feed", rewriteEach(readsFeed(), lacking("location", "")))),
		breaks("transport.unicode-roundtrip",
			fault("endpoint-own-record-without-emoji", "characters beyond the Basic Multilingual Plane are lost from the first name of the own record",
				rewriteObject(readsOwnRecord(), mapText("first_name", mapped(withoutAstral))))),
		breaks("users.id-stable",
			fault("endpoint-detailed-login-pads-id", "the id in the details of a login has a leading zero",
				rewriteObject(logsIn().and(detailed), mapText("id", func(id string) string { return "0" + id })))),
		breaks("users.types",
			fault("endpoint-follows-of-user-enabled-as-text", "another user's follows have enabled as a text",
				rewriteEach(readsFollowsOf(), set("enabled", "true")))),
		breaks("users.password-hidden",
			fault("endpoint-search-shows-password", "search results have a password of asterisks", rewriteEach(searches(), set("password", "***")))),
		breaks("sessions.token-confined",
			fault("endpoint-own-record-shows-token", "the own record has a session token",
				rewriteObject(readsOwnRecord(), set("session_token", refserver.NewAppToken())))),
		breaks("errors.no-content-empty",
			fault("endpoint-204-of-user-with-body", "the 204 of a deleted user has {} behind it", strayBody(deletesUser(), stray{body: "{}", after: time.Second / 50}))),
		breaks("errors.json-error",
			fault("endpoint-404-of-list-without-body", "the 404 of an unknown user's friends has no body",
				rewriteResponse(readsFriendsOf(), onStatus(404, body(""))))),
		breaks("connections.lists.empty",
			fault("endpoint-no-own-follows-no-content", "the empty list of the own follows is answered with 204", whereEmpty(readsFollows(), 204, "")),
			fault("endpoint-no-own-friends-not-found", "friends that nobody is one of are not found", whereEmpty(readsFriends(), 404, "{}")),
			fault("endpoint-no-followers-of-user-object", "the empty list of any user's followers is an object", whereEmpty(readsFollowersOf(), 200, "{}"))),
		breaks("connections.lists.of-user",
			fault("endpoint-friends-of-user-by-two-follows", "who follows any user and is followed by it is among its friends that others see",
				intercept(readsFriendsOf(), func(next http.Handler, r *http.Request) *response {
					resp := record(next, r)
					resp.list(func(friends []any) []any {
						of := strings.TrimSuffix(r.URL.Path, "friends")
						inEach(func(user map[string]any) {
							id := fieldText(user, "id")
							if lists(next, r, of+"followers", id) && !lists(next, r, of+"friends", id) {
								friends = append(friends, user)
							}
						})(r, call(next, r, http.MethodGet, of+"follows", nil))
						return friends
					})
					return resp
				})),
			fault("endpoint-own-list-by-id-empty", "who asks for the own follows by id sees none",
				intercept(readsFollowsOf(), func(next http.Handler, r *http.Request) *response {
					resp := record(next, r)
					if resp.ok() && fieldText(ownRecord(next, r), "id") == userInPath(r) {
						resp.body = []byte("[]")
					}
					return resp
				}))),
	)
}

// endpointLimits are the faults of limits at single endpoints.
func endpointLimits() []Fault {
	return slices.Concat(
		breaks("limits.metadata.keys",
			fault("endpoint-user-takes-11-keys", "a create does not count the keys of metadata", unbounded(createsUser(), firstKeys(10))),
			fault("endpoint-event-change-takes-11-keys", "a change of an event does not count the keys of metadata", unbounded(updatesEvent(), firstKeys(10)))),
		breaks("limits.metadata.key-length",
			fault("endpoint-update-takes-long-key", "an update of the user takes keys of metadata of any length", unbounded(updatesUser(), cutKeys(40)))),
		breaks("limits.metadata.value-length",
			fault("endpoint-user-takes-long-value", "a create takes values of metadata of any length", unbounded(createsUser(), cutValues(500)))),
	)
}

// inUnknownApp applies a mutation to the requests under an unknown app token.
func inUnknownApp(m match, apply func(match) mutation) mutation {
	return withTokens(func(tokens []string) mutation { return apply(m.and(unknownApp(tokens))) })
}

// inUnknownSession answers the requests in an unknown session otherwise.
func inUnknownSession(m match, status int, body string) mutation {
	return withTokens(func(tokens []string) mutation {
		return rewriteResponse(m.and(insession).and(not(unknownApp(tokens))), replaceStatus(401, status, body))
	})
}
