package faults

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"
)

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

// stray is what stands behind a 204.
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

// send fails before anything was sent where the connection cannot be had, as over
// HTTP/2. After that a peer that is gone needs no answer.
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
			}))).also("users.password-hidden", "a password's text may stand in no response at all"),
		fault("errors-authorization-repeated", "the 405 of the friends repeats the Authorization header, which holds both tokens",
			rewriteResponse(by("PATCH").and(at("/0.2/user/friends")), func(r *http.Request, resp *response) {
				resp.body = []byte(complaint("PATCH with " + r.Header.Get("Authorization")))
			})))
}
