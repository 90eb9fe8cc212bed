package faults

import (
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// endpointTransport are the faults of headers that one endpoint does not ask for or answers
// otherwise, and of how it alone writes its values.
func endpointTransport() []Fault {
	withoutZone := func(user map[string]any) {
		user["created_at"] = timeIn(user, "created_at").UTC().Format("2006-01-02T15:04:05")
	}
	anonymous := lacksHeader("User-Agent")
	given := setHeader("User-Agent", "unknown")
	text := headerContains("Content-Type", "text/plain")
	asJSON := setHeader("Content-Type", "application/json")
	foreign := not(lacksHeader("Origin"))
	asInSQL := func(text string) string {
		at, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			return text
		}
		return at.UTC().Format("2006-01-02 15:04:05")
	}
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
				rewriteObject(readsOwnRecord(), mapText("first_name", mapped(withoutAstral))))),
		breaks("transport.timestamps",
			fault("endpoint-friends-time-without-zone", "the created_at of the own friends has no zone",
				rewriteEach(readsFriends(), mapText("created_at", func(text string) string { return strings.TrimSuffix(text, "Z") }))),
			fault("endpoint-connection-time-with-short-offset", "the created_at of a new connection has an offset of hours alone",
				rewriteObject(connects(), mapText("created_at", func(at string) string { return strings.TrimSuffix(at, "Z") + "+00" }))),
			fault("endpoint-changed-event-updated-at-as-in-headers", "the answer to a change of an event has its updated_at in the form of HTTP's headers",
				rewriteObject(updatesEvent(), func(event map[string]any) {
					if at := timeIn(event, "updated_at"); !at.IsZero() {
						event["updated_at"] = at.UTC().Format(http.TimeFormat)
					}
				})),
			fault("endpoint-followers-bear-times-without-zone", "created_at has no zone in the list of the own followers", rewriteEach(readsFollowers(), withoutZone)),
			fault("endpoint-friends-of-another-with-times-as-in-sql", "the friends of another user have created_at and updated_at with a blank and without a zone",
				rewriteEach(readsFriendsOf(), func(user map[string]any) {
					mapText("created_at", asInSQL)(user)
					mapText("updated_at", asInSQL)(user)
				})),
			fault("endpoint-search-updated-at-without-zone", "a search answers an updated_at without a time zone",
				rewriteEach(searches(), zoneless("updated_at"))),
			fault("endpoint-confirmed-at-as-in-database", "the friend connection that confirms another has a confirmed_at as databases write it, without T and offset",
				rewriteObject(createsFriend(), mapText("confirmed_at", asInSQL)))),
		breaks("transport.no-null",
			fault("endpoint-empty-metadata-is-null", "a new event with empty metadata is answered with null for it",
				rewriteResponse(createsEvent(), func(r *http.Request, resp *response) {
					if metadata, is := requestObject(r)["metadata"].(map[string]any); is && len(metadata) == 0 {
						resp.object(set("metadata", nil))
					}
				})),
			fault("endpoint-friends-of-user-without-url", "users without a url have null for one among another user's friends",
				rewriteEach(readsFriendsOf(), lacking("url", nil))),
			fault("endpoint-login-details-null-first-name", "the details of a login have null for the first name of a user without one",
				rewriteObject(logsIn().and(detailed), lacking("first_name", nil))),
			fault("endpoint-changed-event-object-type-null", "the answer to a change of an event has null for the type of an object without one",
				rewriteObject(updatesEvent(), within("object", lacking("type", nil)))),
			fault("endpoint-own-follows-with-null-last-login", "in the list of the own follows last_login is null of who has never logged in",
				rewriteEach(readsFollows(), func(user map[string]any) {
					if at := fieldText(user, "last_login"); at == "" || strings.HasPrefix(at, "0000-") {
						user["last_login"] = nil
					}
				}))),
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
			fault("endpoint-follow-for-anonymous-done-anyway", "a connection without a User-Agent is refused, and made all the same",
				refusedButDone(connects().and(anonymous), given)),
			fault("endpoint-login-for-anonymous", "a login needs no User-Agent",
				rewriteRequest(logsIn().and(anonymous), setHeader("User-Agent", "unknown"))),
			fault("endpoint-end-of-connection-for-anonymous-done-anyway", "the end of a connection without a User-Agent is refused, and done all the same",
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
				rewriteResponse(by("OPTIONS").and(at("/0.2/user/connections/{UserID}")), func(r *http.Request, resp *response) {
					if resp.header.Get("Access-Control-Allow-Methods") != "" {
						header("Access-Control-Allow-Methods", "GET, POST, PUT")(r, resp)
					}
				})),
			fault("endpoint-preflight-of-social-without-content-type", "a preflight on connecting by social identifiers allows the header authorization alone",
				rewriteResponse(by("OPTIONS").and(at("/0.2/user/connections/social")), func(r *http.Request, resp *response) {
					if resp.header.Get("Access-Control-Allow-Headers") != "" {
						header("Access-Control-Allow-Headers", "authorization")(r, resp)
					}
				})),
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

// zoneless writes a field's time as one that is local to nowhere.
func zoneless(field string) objectEdit {
	return func(object map[string]any) {
		if at := timeIn(object, field); !at.IsZero() {
			object[field] = at.UTC().Format("2006-01-02T15:04:05.999999")
		}
	}
}
