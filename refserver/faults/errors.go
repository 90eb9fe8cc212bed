package faults

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"
)

func errorResponses() []Fault {
	return slices.Concat(unknownPaths(), otherMethods(), errorBodies(), serverErrors(), oddRequests(), nearPaths(), noContents(), echoes())
}

// unknownPaths are the faults of paths that the contract does not have (Errors, row 404).
func unknownPaths() []Fault {
	versioned := below("/0.2/").and(not(readsOwnRecord().or(readsUser())))
	return breaks("errors.unknown-path",
		fault("errors-unknown-path-forbidden", "an unknown path of the version is answered with 403",
			rewriteResponse(by("GET").and(versioned), ofUnknownPath(403, complaint("no access")))),
		fault("errors-unknown-path-is-empty-object", "an unknown path outside of the version is answered with 200 and {}",
			rewriteResponse(by("GET").and(not(below("/0."))).and(not(below("/9."))), ofUnknownPath(200, "{}"))),
		fault("errors-unknown-path-answers-400", "an unknown path is answered with 400",
			rewriteResponse(by("GET").and(not(below("/0.1/"))), ofUnknownPath(400, "{}"))),
		fault("errors-path-below-user-is-user", "an unknown path below /0.2/user is answered like /0.2/user",
			intercept(by("GET").and(below("/0.2/user/")), func(next http.Handler, r *http.Request) *response {
				resp := record(next, r)
				if resp.status == 404 {
					r.URL.Path = "/0.2/user"
					return record(next, r)
				}
				return resp
			})))
}

// ofUnknownPath changes the answer to a path that the server does not know.
func ofUnknownPath(status int, body string) edit {
	return func(r *http.Request, resp *response) {
		if strings.Contains(string(resp.body), "nothing at this path") {
			replaceStatus(404, status, body)(r, resp)
		}
	}
}

// nearPaths are the faults of paths that are nearly the contract's (Errors, row
// 404; Versioning, item 1).
func nearPaths() []Fault {
	lists := []string{"follows", "followers", "friends", "followed"}
	// servedAs reads another path where the parts of one are so.
	servedAs := func(is func(parts []string) bool, path func(parts []string) []string) mutation {
		return rewriteRequest(by(http.MethodGet), func(r *http.Request) {
			if parts := strings.Split(r.URL.Path, "/"); is(parts) {
				r.URL.Path = strings.Join(path(parts), "/")
			}
		})
	}
	asCurrent := func(parts []string) []string { return append([]string{"", "0.2"}, parts[2:]...) }
	return slices.Concat(
		breaks("errors.unknown-path",
			fault("errors-path-below-a-user-is-that-user", "an unknown path below a user's is answered with the user",
				servedAs(func(parts []string) bool {
					return len(parts) == 5 && parts[2] == "users" && !slices.Contains(lists, parts[4])
				},
					func(parts []string) []string { return parts[:4] })),
			fault("errors-path-below-versions-is-versions", "a path below /versions is answered with the versions",
				servedAs(func(parts []string) bool { return parts[1] == "versions" }, func(parts []string) []string { return parts[:2] })),
			fault("errors-paths-need-no-version", "a path without a version is answered like that of the current one",
				servedAs(func(parts []string) bool { return parts[1] == "user" },
					func(parts []string) []string { return append([]string{"", "0.2"}, parts[1:]...) }))),
		breaks("versions.unknown",
			fault("versions-by-prefix", "a version that begins like the current one is served like it",
				servedAs(func(parts []string) bool { return strings.HasPrefix(parts[1], "0.2") }, asCurrent)),
			fault("versions-next-served", "version 0.3 is served like the current one",
				servedAs(func(parts []string) bool { return parts[1] == "0.3" }, asCurrent))),
	)
}

// otherMethods are the faults of methods that a path does not have (Errors, row 405).
func otherMethods() []Fault {
	patch := func(path string) match { return by("PATCH").and(at(path)) }
	const refused = 405
	return slices.Concat(
		breaks("errors.method",
			fault("errors-method-unfound-at-connection", "PATCH is answered with 404 at a connection",
				rewriteResponse(patch("/0.2/user/connections/{UserID}"), replaceStatus(refused, 404, complaint("there is nothing at this path")))),
			fault("errors-method-answers-400-at-versions", "PATCH is answered with 400 at the list of versions",
				rewriteResponse(patch("/versions"), replaceStatus(refused, 400, "{}"))),
			fault("errors-method-forbidden-at-followers", "PATCH is answered with 403 at another user's followers",
				rewriteResponse(patch("/0.2/users/{UserID}/followers"), replaceStatus(refused, 403, complaint("no access")))),
			fault("errors-delete-unfound-at-login", "DELETE is answered with 404 at the login",
				rewriteResponse(by("DELETE").and(at("/0.2/user/login")), replaceStatus(refused, 404, complaint("there is nothing at this path")))),
			fault("errors-method-redirected-at-login", "PATCH is redirected at the login",
				rewriteResponse(patch("/0.2/user/login"), replaceStatus(refused, 303, "")))),
		breaks("errors.method-allow",
			fault("errors-405-without-allow", "a 405 at the list of versions names no methods", rewriteResponse(patch("/versions"), header("Allow", ""))),
			fault("errors-405-allows-too-little", "a 405 at the session's user does not name DELETE",
				rewriteResponse(patch("/0.2/user"), header("Allow", "GET, HEAD, PUT"))),
			fault("errors-405-allows-nothing", "a 405 at an event names OPTIONS alone",
				rewriteResponse(patch("/0.2/user/events/{EventID}"), header("Allow", "OPTIONS")))),
	)
}

// errorBodies are the faults of the bodies of refusals (Errors, introduction and
// row 400; Endpoints, rule 6).
func errorBodies() []Fault {
	return slices.Concat(
		breaks("errors.json-error",
			fault("errors-405-without-body", "a 405 has no body", rewriteResponse(by("PATCH").and(at("/0.2/user/feed")), onStatus(405, body("")))),
			fault("errors-401-without-body", "a 401 has no body where a connection is ended",
				rewriteResponse(disconnects(), onStatus(401, body("")))),
			fault("errors-406-is-no-json", "a 406 of the search is plain text, though labelled application/json",
				rewriteResponse(searches(), onStatus(406, body("Not Acceptable")))).
				also("transport.json-body", "what is labelled JSON and is none breaks that rule too")),
		breaks("errors.bad-request-empty",
			fault("errors-400-says-why", "a 400 without a User-Agent says what is wrong",
				rewriteResponse(lacksHeader("User-Agent"), onStatus(400, body(complaint("the User-Agent header is missing"))))),
			fault("errors-400-is-array", "a 400 to an event that is no JSON is an empty array",
				rewriteResponse(createsEvent(), onStatus(400, body("[]"))))),
	)
}

// noContents are the faults of a 204 with a body (Endpoints, rows 3, 6, 10 and 20).
func noContents() []Fault {
	return breaks("errors.no-content-empty",
		fault("errors-204-with-object", "the 204 of a deleted event has {} behind it", strayBody(deletesEvent(), stray{body: "{}"})),
		fault("errors-204-with-single-byte", "the 204 of a logout has a declared body of one byte",
			strayBody(logsOut(), stray{body: "1", declared: true})),
		fault("errors-204-with-late-body", "the 204 of a connection that is ended has a text behind it, a fiftieth of a second later",
			strayBody(disconnects(), stray{body: "deleted", after: time.Second / 50})))
}

// stray are the bytes after a 204.
type stray struct {
	body     string
	declared bool          // by a Content-Length
	after    time.Duration // how long after the 204 it comes
}

// strayBody puts bytes behind a 204, past the library that would drop them.
func strayBody(m match, s stray) mutation {
	return wrapHandler(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			resp := record(next, r)
			if !m(r) || resp.status != 204 || s.send(w, resp) != nil {
				resp.send(w)
			}
		})
	})
}

// send fails before it sends anything if the connection cannot be hijacked, as over
// HTTP/2. Later errors are ignored: the peer is gone.
func (s stray) send(w http.ResponseWriter, resp *response) error {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return fmt.Errorf("taking over the connection: %w", err)
	}
	defer conn.Close()
	if s.declared {
		resp.header.Set("Content-Length", strconv.Itoa(len(s.body)))
	}
	var head bytes.Buffer
	head.WriteString("HTTP/1.1 204 No Content\r\n")
	_ = resp.header.Write(&head) // a buffer takes everything
	head.WriteString("\r\n")
	if s.after > 0 {
		_, _ = conn.Write(head.Bytes())
		time.Sleep(s.after)
		head.Reset()
	}
	_, _ = conn.Write(append(head.Bytes(), s.body...))
	return nil
}

// echoes are the faults of errors that repeat secrets (Authentication, item 6).
func echoes() []Fault {
	return breaks("errors.no-secret-echo",
		fault("errors-unknown-app-token-repeated", "a 401 of the feed repeats the app token, where no such application is known",
			withTokens(func(tokens []string) mutation {
				return rewriteResponse(readsFeed().and(unknownApp(tokens)), func(r *http.Request, resp *response) {
					resp.body = []byte(complaint("no application " + appIn(r)))
				})
			})),
		fault("errors-session-token-repeated", "the 404 of an unknown user repeats the session token",
			rewriteResponse(readsFollowsOf(), onStatus(404, func(r *http.Request, resp *response) {
				resp.body = []byte(complaint("not found; session " + sessionIn(r)))
			}))),
		fault("errors-password-repeated", "the 422 of a new user repeats the password",
			rewriteResponse(createsUser(), onStatus(422, func(r *http.Request, resp *response) {
				resp.body = []byte(complaint("not with the password " + fieldText(requestObject(r), "password")))
			}))).also("users.password-hidden", "no response may contain a password"),
		fault("errors-authorization-repeated", "the 405 of the friends repeats the Authorization header, which holds both tokens",
			rewriteResponse(by("PATCH").and(at("/0.2/user/friends")), func(r *http.Request, resp *response) {
				resp.body = []byte(complaint("PATCH with " + r.Header.Get("Authorization")))
			})))
}

// serverErrors are the faults of requests that make the server fail (Errors, rows
// 500 and 503).
func serverErrors() []Fault {
	return breaks("errors.no-5xx",
		fault("errors-search-without-q-fails", "a search without q fails with 500",
			rewriteResponse(searches().and(func(r *http.Request) bool { return !r.URL.Query().Has("q") }),
				replaceStatus(200, 500, complaint("internal server error")))),
		fault("errors-connection-to-oneself-fails", "a connection to oneself fails with 500",
			rewriteResponse(connects(), onStatus(422, func(_ *http.Request, resp *response) {
				if strings.Contains(string(resp.body), "2006") {
					resp.become(500, complaint("internal server error"))
				}
			}))),
		fault("errors-decomposed-name-is-unavailable", "creating a user whose first name is decomposed is answered with 503, time and again",
			respond(createsUser().and(func(r *http.Request) bool { return !norm.NFC.IsNormalString(fieldText(requestObject(r), "first_name")) }),
				503, complaint("temporarily unavailable"))))
}

// oddRequests are the faults of requests that are odd, and no reason to fail for
// (Errors, row 500).
func oddRequests() []Fault {
	fails := func(m match) mutation { return respond(m, 500, complaint("internal server error")) }
	holding := func(text string) match {
		return func(r *http.Request) bool { return strings.Contains(strings.ToLower(string(peekBody(r))), text) }
	}
	emptyBody := func(r *http.Request) bool { return len(peekBody(r)) == 0 }
	oddID := func(r *http.Request) bool {
		const longest = 18 // digits of what fits into 64 bits
		id := strings.Split(r.URL.Path+"////", "/")
		is := func(part string) bool { return strings.Trim(part, "0123456789") != "" || len(part) > longest }
		return is(id[4]) && id[2] == "user" || is(id[3]) && id[2] == "users"
	}
	return breaks("errors.no-5xx",
		fault("errors-empty-body-fails", "creating a user with an empty body fails with 500", fails(createsUser().and(emptyBody))),
		fault("errors-nul-character-fails", "creating a user with the character NUL in its name fails with 500",
			fails(createsUser().and(holding(`\u0000`)))),
		fault("errors-half-a-pair-fails", "creating a user with half a surrogate pair in its name fails with 500",
			fails(createsUser().and(holding(`\ud83d"`)))),
		fault("errors-odd-user-id-fails", "reading a user by an id that no user could have fails with 500", fails(readsUser().and(oddID))),
		fault("errors-odd-id-of-list-fails", "listing the friends of an id that no user could have fails with 500", fails(readsFriendsOf().and(oddID))),
		fault("errors-odd-event-id-fails", "deleting an event by an id that no event could have fails with 500", fails(deletesEvent().and(oddID))),
		fault("errors-odd-connection-id-fails", "ending a connection to an id that no user could have fails with 500",
			fails(disconnects().and(oddID))))
}
