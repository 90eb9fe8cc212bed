package faults

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/socialfeed/conform/refserver"
)

// endpointConnectionsSocial are the faults of one list of users of several, that leaves
// some out or adds some, or that is written otherwise when it is empty; and of what
// connecting by social identifiers answers.
func endpointConnectionsSocial() []Fault {
	return slices.Concat(
		breaks("connections.lists.follows",
			fault("endpoint-follows-without-newcomers", "the own follows lack those who have never logged in",
				answers(readsFollows(), func(q asked) { q.without(isNewcomer) }))),
		breaks("connections.lists.followers",
			fault("endpoint-followers-created-an-hour-later", "the own followers are listed with a created_at that is an hour late",
				rewriteEach(readsFollowers(), mapText("created_at", func(text string) string {
					at, err := time.Parse(time.RFC3339Nano, text)
					if err != nil {
						return text
					}
					return at.Add(time.Hour).Format(time.RFC3339Nano)
				})))),
		breaks("connections.lists.of-user",
			fault("endpoint-friends-of-user-by-two-follows", "who follows any user and is followed by it is among its friends that others see",
				answers(readsFriendsOf(), func(q asked) {
					of := strings.TrimSuffix(q.URL.Path, "friends")
					asked{q.Request, q.get(of + "follows"), q.next}.each(func(user map[string]any) {
						if id := fieldText(user, "id"); q.lists(of+"followers", id) && !q.lists(of+"friends", id) {
							q.list(func(friends []any) []any { return append(friends, user) })
						}
					})
				})),
			fault("endpoint-own-list-by-id-empty", "who asks for the own follows by id sees none",
				answers(readsFollowsOf(), func(q asked) {
					if q.ok() && q.ownID() == userInPath(q.Request) {
						q.body = []byte("[]")
					}
				})),
			fault("endpoint-followers-of-user-without-reader", "who follows a user is not among the followers of that user in its own eyes",
				withoutReader(readsFollowersOf())),
			fault("endpoint-followers-of-user-numbered-by-follow", "another user's followers have the numbers of their follows for ids",
				numberedByFollow),
			fault("endpoint-followers-of-user-begin-with-the-user", "the followers of another user, where there are any, begin with that user",
				answers(readsFollowersOf(), func(q asked) {
					user := objectOf(q.get("/0.2/users/" + userInPath(q.Request)).body)
					if q.ok() && !q.empty() && user != nil {
						q.list(func(list []any) []any { return append([]any{user}, list...) })
					}
				})),
			fault("endpoint-follows-of-user-without-who-follows-back", "another user's follows lack those who follow that user",
				answers(readsFollowsOf(), func(q asked) {
					followers := "/0.2/users/" + userInPath(q.Request) + "/followers"
					q.without(func(user map[string]any) bool { return q.lists(followers, fieldText(user, "id")) })
				})),
			fault("endpoint-friends-of-user-without-common-ones", "another user's friends lack those who are friends of the reader, too",
				answers(readsFriendsOf(), func(q asked) {
					other := q.ownID() != userInPath(q.Request)
					q.without(func(user map[string]any) bool { return other && q.lists("/0.2/user/friends", fieldText(user, "id")) })
				})),
			fault("endpoint-friends-of-user-without-the-reader", "who reads another user's friends is not among them",
				withoutReader(readsFriendsOf()))),
		breaks("connections.lists.empty",
			fault("endpoint-no-own-follows-no-content", "the empty list of the own follows is answered with 204", whereEmpty(readsFollows(), 204, "")),
			fault("endpoint-no-own-friends-not-found", "friends that nobody is one of are not found", whereEmpty(readsFriends(), 404, "{}")),
			fault("endpoint-no-followers-of-user-object", "the empty list of any user's followers is an object", whereEmpty(readsFollowersOf(), 200, "{}")),
			fault("endpoint-user-without-friends-not-found", "the friends of a user who has none, as others ask for them, are answered with 404",
				whereEmpty(readsFriendsOf(), 404, complaint("no friends")))),
		breaks("social.unknown-ids",
			fault("endpoint-social-lists-unknown-ids", "the answer to a connecting by social identifiers lists those of no user", unknownIDsListed)),
	)
}

// withoutReader leaves who reads a list out of it.
func withoutReader(m match) mutation {
	return answers(m, func(q asked) {
		own := q.ownID()
		q.without(func(user map[string]any) bool { return fieldText(user, "id") == own })
	})
}

// isNewcomer reports whether a user has never logged in.
func isNewcomer(user map[string]any) bool {
	at := fieldText(user, "last_login")
	return at == "" || strings.HasPrefix(at, "0000-")
}

// numberedByFollow has the rows of a join overwrite the ids of users by their own.
func numberedByFollow(o *refserver.Options) {
	numbers, count := &memory[int]{}, &memory[int]{} // by followed and follower
	rewriteResponse(readsFollowersOf(), func(r *http.Request, resp *response) {
		inEach(func(user map[string]any) {
			key := userInPath(r) + " " + fieldText(user, "id")
			if !numbers.has(key) {
				numbers.keep(key, 100_000+tally(count, ""))
			}
			user["id"] = numbers.get(key)
		})(r, resp)
	})(o)
}

// unknownIDsListed tells which identifiers have come with no create or update.
func unknownIDsListed(o *refserver.Options) {
	borne := &memory[bool]{} // by application, platform and identifier
	combine(
		rewriteResponse(createsUser().or(updatesUser()), func(r *http.Request, resp *response) {
			ids, _ := requestObject(r)["social_ids"].(map[string]any)
			for platform := range ids {
				if resp.ok() {
					borne.keep(appIn(r)+"\n"+platform+"\n"+fieldText(ids, platform), true)
				}
			}
		}),
		rewriteResponse(connectsSocially(), func(r *http.Request, resp *response) {
			sent := requestObject(r)
			ids, _ := sent["connection_ids"].([]any)
			unknown := slices.DeleteFunc(slices.Clone(ids), func(id any) bool {
				text, _ := id.(string)
				return borne.get(appIn(r) + "\n" + fieldText(sent, "platform") + "\n" + text)
			})
			if len(unknown) > 0 {
				resp.object(set("unknown_ids", unknown))
			}
		}),
	)(o)
}

// endpointErrorsVersions are the faults of errors that one endpoint answers otherwise than
// the others, or without what they have.
func endpointErrorsVersions() []Fault {
	belowAList := regexp.MustCompile(`^(/0[.]2/(?:user/(?:followers|friends)|users/[^/]+/(?:follows|followers|friends)))/.`)
	anyVersion := regexp.MustCompile(`^/[0-9.]+/user/login$`)
	patch := func(path string) match { return by("PATCH").and(at(path)) }
	return slices.Concat(
		breaks("versions.unknown",
			fault("endpoint-login-under-any-version", "a login is served under any number of a version, as its route has a placeholder there",
				rewriteRequest(by(http.MethodPost).and(func(r *http.Request) bool { return anyVersion.MatchString(r.URL.Path) }),
					func(r *http.Request) { r.URL.Path, r.URL.RawPath = "/0.2/user/login", "" }))),
		breaks("errors.unknown-path",
			fault("endpoint-path-below-the-feed", "a path below the feed's is answered like the feed",
				rewriteRequest(by("GET").and(at("/0.2/user/feed/{Anything}")).and(not(at("/0.2/user/feed/"))),
					func(r *http.Request) { r.URL.Path = "/0.2/user/feed" })),
			fault("endpoint-path-below-lists-of-users", "a path below a list of users is answered like that list",
				rewriteRequest(by(http.MethodGet).and(func(r *http.Request) bool { return belowAList.MatchString(r.URL.Path) }),
					func(r *http.Request) { r.URL.Path = belowAList.FindStringSubmatch(r.URL.Path)[1] })),
			fault("endpoint-unknown-list-of-user-empty", "an unknown list of a user, at a path below the user's, is an empty one",
				intercept(on("GET /0.2/users/{UserID}/{List}"), func(next http.Handler, r *http.Request) *response {
					resp := record(next, r)
					known := slices.Contains([]string{"follows", "followed", "followers", "friends"}, lastSegment(r))
					if resp.status == http.StatusNotFound && !known && call(next, r, http.MethodGet, "/0.2/users/"+userInPath(r), nil).ok() {
						resp.become(http.StatusOK, "[]")
					}
					return resp
				}))),
		breaks("errors.method",
			fault("endpoint-method-unfound-at-follows", "PATCH is answered with 404 at another user's follows",
				rewriteResponse(patch("/0.2/users/{UserID}/follows"), replaceStatus(405, 404, complaint("not found")))),
			fault("endpoint-method-answers-400-at-social", "PATCH is answered with 400 at the social connections",
				rewriteResponse(patch("/0.2/user/connections/social"), replaceStatus(405, 400, "{}"))),
			fault("endpoint-patch-of-versions-answers-404", "PATCH on the versions is answered as an unknown path is",
				rewriteResponse(on("PATCH /versions"), func(r *http.Request, resp *response) {
					replaceStatus(405, 404, complaint("no route matches"))(r, resp)
					resp.header.Del("Allow")
				})),
			fault("endpoint-patch-of-connection-is-not-found", "PATCH of a connection is answered with 404",
				rewriteResponse(on("PATCH /0.2/user/connections/{UserID}"), replaceStatus(405, 404, complaint("there is no such path"))))),
		breaks("errors.method-allow",
			fault("endpoint-405-without-allow-at-search", "a 405 at the search names no methods", rewriteResponse(patch("/0.2/users/search"), header("Allow", "")))),
		breaks("errors.json-error",
			fault("endpoint-404-of-list-without-body", "the 404 of an unknown user's friends has no body",
				rewriteResponse(readsFriendsOf(), onStatus(404, body("")))),
			fault("endpoint-403-of-event-without-body", "the 403 to who deletes another's event has no body",
				rewriteResponse(deletesEvent(), replaceStatus(403, 403, ""))),
			fault("endpoint-422-of-social-without-body", "a 422 to a connecting by social identifiers has no body",
				rewriteResponse(connectsSocially(), onStatus(422, body("")))),
			fault("endpoint-415-of-changed-event-without-body", "the 415 to a change of an event has no body",
				rewriteResponse(updatesEvent(), onStatus(415, body("")))),
			fault("endpoint-unfound-event-deletion-without-body", "the 404 to the deletion of an event that does not exist has no body",
				rewriteResponse(deletesEvent(), onStatus(404, body(""))))),
		breaks("errors.bad-request-empty",
			fault("endpoint-400-of-login-says-why", "a 400 of a login says what is wrong",
				rewriteResponse(logsIn(), onStatus(400, body(complaint("the body cannot be read")))))),
		breaks("errors.no-content-empty",
			fault("endpoint-204-of-user-with-body", "the 204 of a deleted user has {} behind it", strayBody(deletesUser(), stray{body: "{}", after: time.Second / 50}))),
		breaks("errors.no-secret-echo",
			fault("endpoint-401-of-connection-repeats-token", "the 401 to a connection in an unknown session repeats its token",
				rewriteResponse(connects(), onStatus(401, func(r *http.Request, resp *response) {
					if token := sessionIn(r); token != "" {
						resp.become(http.StatusUnauthorized, complaint("there is no session "+token))
					}
				})))),
	)
}

// endpointEventsLimits are the faults of events that one endpoint shows with other types,
// and of limits of metadata that one endpoint lacks.
func endpointEventsLimits() []Fault {
	return slices.Concat(
		breaks("events.types",
			fault("endpoint-changed-event-latitude-as-text", "the answer to a change of an event that sends no latitude has the one that stands as a text",
				rewriteObject(updatesEvent().and(not(sends("latitude"))), textOf("latitude"))),
			fault("endpoint-changed-event-enabled-as-number", "the answer to a change of an event has enabled as a number",
				rewriteObject(updatesEvent(), mapField("enabled", boolAsNumber))),
			fault("endpoint-feed-coordinates-as-text", "in a feed coordinates are texts, as a database gives its decimals",
				combine(rewriteEach(readsFeed(), textOf("latitude")), rewriteEach(readsFeed(), textOf("longitude")))).
				also("feed.event-shape", "a text is not a number")),
		breaks("limits.metadata.keys",
			fault("endpoint-user-takes-11-keys", "a create does not count the keys of metadata", unbounded(createsUser(), firstKeys(10))),
			fault("endpoint-event-change-takes-11-keys", "a change of an event does not count the keys of metadata", unbounded(updatesEvent(), firstKeys(10))),
			fault("endpoint-create-with-login-takes-11-keys", "a create does not count the keys of metadata where it also logs in",
				unbounded(createWithLogin(), firstKeys(10)))),
		breaks("limits.metadata.key-length",
			fault("endpoint-update-takes-long-key", "an update of the user takes keys of metadata of any length", unbounded(updatesUser(), cutKeys(40)))),
		breaks("limits.metadata.value-length",
			fault("endpoint-user-takes-long-value", "a create takes values of metadata of any length", unbounded(createsUser(), cutValues(500))),
			fault("endpoint-update-takes-long-value", "an update of the user takes values of metadata of any length", unbounded(updatesUser(), cutValues(500))),
			fault("endpoint-event-change-takes-long-value", "a change of an event takes values of metadata of any length",
				unbounded(updatesEvent(), cutValues(500)))),
		breaks("limits.metadata.characters",
			fault("endpoint-change-of-event-counts-values-in-bytes", "the values of a changed event's metadata are counted in bytes",
				refusing(updatesEvent(), func(_, text string) bool { return len(text) > 500 && utf8.RuneCountInString(text) <= 500 }))),
	)
}

// endpointTransport are the faults of headers that one endpoint does not ask for or answers
// otherwise, and of how it alone writes its values.
func endpointTransport() []Fault {
	const asInSQL = "2006-01-02 15:04:05"
	anonymous := lacksHeader("User-Agent")
	given := setHeader("User-Agent", "unknown")
	text := headerContains("Content-Type", "text/plain")
	asJSON := setHeader("Content-Type", "application/json")
	foreign := not(lacksHeader("Origin"))
	return slices.Concat(
		breaks("transport.json-body",
			fault("endpoint-social-labelled-html", "the answer to a social connection is labelled text/html",
				rewriteResponse(connectsSocially(), header("Content-Type", "text/html"))),
			fault("endpoint-404-of-connection-labelled-text", "the 404 to who ends a connection that there is not is labelled text/plain",
				rewriteResponse(disconnects(), onStatus(404, header("Content-Type", "text/plain; charset=utf-8")))),
			fault("endpoint-405-of-versions-in-plain-text", "a 405 at the list of versions is that of the router, in plain text",
				rewriteResponse(at("/versions"), onStatus(405, func(_ *http.Request, resp *response) {
					resp.header.Set("Content-Type", "text/plain; charset=utf-8")
					resp.body = []byte("Method Not Allowed\n")
				}))).also("errors.json-error", "an error in plain text has no JSON body"),
			fault("endpoint-versions-labelled-as-bytes", "the list of versions is served like a file of an unknown type",
				rewriteResponse(readsVersions(), onStatus(200, header("Content-Type", "application/octet-stream")))),
			fault("endpoint-search-labelled-hal", "search results are labelled application/hal+json",
				rewriteResponse(searches(), onStatus(http.StatusOK, header("Content-Type", "application/hal+json"))))),
		breaks("transport.utf8",
			fault("endpoint-search-in-latin-1", "search results have the letters of Latin-1 in that encoding",
				rewriteResponse(searches(), func(_ *http.Request, resp *response) { resp.body = inLatin1(resp.body) }))),
		breaks("transport.unicode-roundtrip",
			fault("endpoint-own-record-without-emoji", "characters beyond the Basic Multilingual Plane are lost from the first name of the own record",
				rewriteObject(readsOwnRecord(), mapText("first_name", beyond(lastOfBasicPlane, -1))))),
		breaks("transport.timestamps",
			fault("endpoint-friends-time-without-zone", "the created_at of the own friends has no zone",
				rewriteEach(readsFriends(), mapText("created_at", func(text string) string { return strings.TrimSuffix(text, "Z") }))),
			fault("endpoint-connection-time-with-short-offset", "the created_at of a new connection has an offset of hours alone",
				rewriteObject(connects(), mapText("created_at", func(at string) string { return strings.TrimSuffix(at, "Z") + "+00" }))),
			fault("endpoint-changed-event-updated-at-as-in-headers", "the answer to a change of an event has its updated_at in the form of HTTP's headers",
				rewriteObject(updatesEvent(), written("updated_at", http.TimeFormat))),
			fault("endpoint-followers-bear-times-without-zone", "created_at has no zone in the list of the own followers", rewriteEach(readsFollowers(), written("created_at", "2006-01-02T15:04:05"))),
			fault("endpoint-friends-of-another-with-times-as-in-sql", "the friends of another user have created_at and updated_at with a blank and without a zone",
				rewriteEach(readsFriendsOf(), together(written("created_at", asInSQL), written("updated_at", asInSQL)))),
			fault("endpoint-search-updated-at-without-zone", "a search answers an updated_at without a time zone",
				rewriteEach(searches(), written("updated_at", "2006-01-02T15:04:05.999999"))),
			fault("endpoint-confirmed-at-as-in-database", "the friend connection that confirms another has a confirmed_at as databases write it, without T and offset",
				rewriteObject(createsFriend(), written("confirmed_at", asInSQL)))),
		breaks("transport.no-null",
			fault("endpoint-empty-metadata-is-null", "a new event with empty metadata is answered with null for it",
				rewriteObject(createsEvent().and(sendsA("metadata", isEmptyMap)), set("metadata", nil))),
			fault("endpoint-friends-of-user-without-url", "users without a url have null for one among another user's friends",
				rewriteEach(readsFriendsOf(), lacking("url", nil))),
			fault("endpoint-login-details-null-first-name", "the details of a login have null for the first name of a user without one",
				rewriteObject(logsIn().and(detailed), lacking("first_name", nil))),
			fault("endpoint-changed-event-object-type-null", "the answer to a change of an event has null for the type of an object without one",
				rewriteObject(updatesEvent(), within("object", lacking("type", nil)))),
			fault("endpoint-own-follows-with-null-last-login", "in the list of the own follows last_login is null of who has never logged in",
				rewriteEach(readsFollows(), where(isNewcomer, set("last_login", nil))))),
		breaks("transport.blank-omitted",
			fault("endpoint-feed-blank-location", "events without a location have a blank one in a feed", rewriteEach(readsFeed(), lacking("location", ""))),
			fault("endpoint-search-blank-last-name", "users without a last name have a blank one in search results",
				rewriteEach(searches(), lacking("last_name", ""))),
			fault("endpoint-login-details-with-blank-url", "a user without a url has a blank one in the details of a login", rewriteObject(logsIn().and(detailed), lacking("url", ""))),
			fault("endpoint-followers-of-user-send-blank-last-name", `GET /0.2/users/{UserID}/followers sends a last_name of "" for those who have none`,
				rewriteEach(readsFollowersOf(), lacking("last_name", ""))),
			fault("endpoint-friends-of-user-with-blank-last-names", "in the list of another user's friends those without a last name have a blank one",
				rewriteEach(readsFriendsOf(), lacking("last_name", "")))),
		breaks("transport.user-agent-required",
			fault("endpoint-search-for-anonymous", "a search needs no User-Agent", rewriteRequest(searches().and(anonymous), given)),
			fault("endpoint-friends-for-anonymous", "another user's friends are listed without a User-Agent", rewriteRequest(readsFriendsOf().and(anonymous), given)),
			fault("endpoint-follow-for-anonymous-done-anyway", "a connection without a User-Agent is refused, and made anyway",
				refusedButDone(connects().and(anonymous), given)),
			fault("endpoint-login-for-anonymous", "a login needs no User-Agent",
				rewriteRequest(logsIn().and(anonymous), setHeader("User-Agent", "unknown"))),
			fault("endpoint-end-of-connection-for-anonymous-done-anyway", "the end of a connection without a User-Agent is refused, and done anyway",
				refusedButDone(disconnects().and(lacksHeader("User-Agent")), setHeader("User-Agent", "none"))),
			fault("endpoint-versions-without-user-agent", "the versions are also shown without a User-Agent, as they are served outside the versioned paths",
				rewriteRequest(readsVersions().and(lacksHeader("User-Agent")), setHeader("User-Agent", "any"))),
			fault("endpoint-social-needs-no-user-agent", "connecting by social identifiers works without a User-Agent header",
				rewriteRequest(connectsSocially().and(lacksHeader("User-Agent")), setHeader("User-Agent", "unknown"))),
			fault("endpoint-logout-before-user-agent-is-missed", "a logout without User-Agent is refused, but not before it destroyed the session",
				refusedButDone(logsOut().and(anonymous), given))),
		breaks("transport.content-type-415",
			fault("endpoint-text-connects", "a connection is taken whatever its Content-Type", rewriteRequest(connects().and(text), asJSON)),
			fault("endpoint-text-updates", "an update of the user is taken whatever its Content-Type", rewriteRequest(updatesUser().and(text), asJSON)),
			fault("endpoint-text-posts-answers-400", "a new event that is no JSON is answered with 400",
				rewriteResponse(createsEvent(), replaceStatus(415, 400, "{}"))),
			fault("endpoint-login-labelled-as-form-taken", "a login that is labelled as a form, and is JSON, is taken",
				rewriteRequest(logsIn().and(headerContains("Content-Type", "application/x-www-form-urlencoded")), setHeader("Content-Type", "application/json"))),
			fault("endpoint-social-takes-plain-text", "connecting by social identifiers takes JSON that is sent as text/plain",
				rewriteRequest(connectsSocially().and(headerContains("Content-Type", "text/plain")), setHeader("Content-Type", "application/json")))),
		breaks("transport.cors-response",
			fault("endpoint-origin-not-allowed-on-posts", "the answer to a new event cannot be read from another origin",
				rewriteResponse(createsEvent().and(foreign), header(allowOrigin, ""))),
			fault("endpoint-origin-not-allowed-on-404", "a 404 of another user cannot be read from another origin",
				rewriteResponse(readsUser().and(foreign), onStatus(404, header(allowOrigin, "")))),
			fault("endpoint-origin-not-allowed-on-ended-connection", "the 204 of who ends a connection cannot be read from another origin",
				rewriteResponse(disconnects().and(not(lacksHeader("Origin"))), onStatus(204, header(allowOrigin, "")))),
			fault("endpoint-versions-allow-no-origin", "the list of versions, served by the gateway, has no Access-Control-Allow-Origin",
				rewriteResponse(readsVersions(), header(allowOrigin, ""))),
			fault("endpoint-refused-login-without-allowed-origin", "the 401 of a login allows no origin, as it is answered in front of what sets the header",
				rewriteResponse(logsIn(), onStatus(401, header(allowOrigin, ""))))),
		breaks("transport.cors-preflight",
			fault("endpoint-preflight-of-event-refused", "a preflight on one event is answered with 401",
				respond(by("OPTIONS").and(at("/0.2/user/events/{EventID}")).and(not(lacksHeader("Access-Control-Request-Method"))),
					401, complaint("credentials are required"))),
			fault("endpoint-preflight-of-connection-without-delete", "a preflight on one connection allows GET, POST and PUT, and no DELETE",
				rewriteResponse(by("OPTIONS").and(at("/0.2/user/connections/{UserID}")), otherHeader("Access-Control-Allow-Methods", "GET, POST, PUT"))),
			fault("endpoint-preflight-of-social-without-content-type", "a preflight on connecting by social identifiers allows the header authorization alone",
				rewriteResponse(by("OPTIONS").and(at("/0.2/user/connections/social")), otherHeader("Access-Control-Allow-Headers", "authorization"))),
			fault("endpoint-preflight-of-logout-refused", "a preflight on the logout is answered with 403, as the filter that logs out comes first",
				respond(by(http.MethodOptions).and(at("/0.2/user/logout")).and(not(lacksHeader("Access-Control-Request-Method"))),
					403, complaint("invalid CORS request")))),
	)
}

// inLatin1 writes those characters in one byte that Latin-1 has beyond ASCII.
func inLatin1(text []byte) []byte {
	var written []byte
	for _, r := range string(text) {
		if r > unicode.MaxASCII && r <= unicode.MaxLatin1 {
			written = append(written, byte(r))
			continue
		}
		written = utf8.AppendRune(written, r)
	}
	return written
}
