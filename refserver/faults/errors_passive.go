package faults

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/socialfeed/conform/refserver"
)

// serverErrors are the faults of requests that make the server fail (Errors, rows
// 500 and 503).
func serverErrors() []Fault {
	const rule = "errors.no-5xx"
	return []Fault{
		{
			Name: "errors-search-without-q-fails", Rule: rule,
			Summary: "a search without q fails with 500",
			Apply: edit(on("GET /0.2/users/search").and(func(r *http.Request) bool { return !r.URL.Query().Has("q") }),
				instead(http.StatusOK, http.StatusInternalServerError, complaint("internal server error"))),
		},
		{
			Name: "errors-connection-to-oneself-fails", Rule: rule,
			Summary: "a connection to oneself fails with 500",
			Apply: edit(connects(), func(r *http.Request, resp *response) {
				if resp.status == http.StatusUnprocessableEntity && strings.Contains(string(resp.body), "2006") {
					instead(resp.status, http.StatusInternalServerError, complaint("internal server error"))(r, resp)
				}
			}),
		},
		{
			Name: "errors-decomposed-name-is-unavailable", Rule: rule,
			Summary: "creating a user whose first name is decomposed is answered with 503, time and again",
			Apply: replace(createsUser().and(func(r *http.Request) bool { return !norm.NFC.IsNormalString(fieldText(sent(r), "first_name")) }),
				http.StatusServiceUnavailable, complaint("temporarily unavailable")),
		},
	}
}

// noContents are the faults of a 204 with a body (Endpoints, rows 3, 6, 10 and 20).
func noContents() []Fault {
	const rule = "errors.no-content-empty"
	return []Fault{
		{
			Name: "errors-204-with-object", Rule: rule,
			Summary: "the 204 of a deleted event has {} behind it",
			Apply:   strayBody(on("DELETE /0.2/user/events/{EventID}"), stray{body: "{}"}),
		},
		{
			Name: "errors-204-with-single-byte", Rule: rule,
			Summary: "the 204 of a logout has a declared body of one byte",
			Apply:   strayBody(on("DELETE /0.2/user/logout"), stray{body: "1", declared: true}),
		},
		{
			Name: "errors-204-with-late-body", Rule: rule,
			Summary: "the 204 of a connection that is ended has a text behind it, a fiftieth of a second later",
			Apply:   strayBody(on("DELETE /0.2/user/connections/{UserID}"), stray{body: "deleted", after: time.Second / 50}),
		},
	}
}

// stray is what stands behind a 204.
type stray struct {
	body     string
	declared bool          // by a Content-Length
	after    time.Duration // how long after the 204 it comes
}

// strayBody puts bytes behind a 204, past the library that would drop them.
func strayBody(m match, s stray) func(*refserver.Options) {
	return front(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !m(r) {
				next.ServeHTTP(w, r)
				return
			}
			resp := record(next, r)
			if resp.status != http.StatusNoContent || s.send(w, resp) != nil {
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
	const rule = "errors.no-secret-echo"
	return []Fault{
		{
			Name: "errors-unknown-app-token-repeated", Rule: rule,
			Summary: "a 401 of the feed repeats the app token, where no such application is known",
			Apply: func(o *refserver.Options) {
				edit(underUnknownApp(o, "GET /0.2/user/feed"), func(r *http.Request, resp *response) {
					resp.body = []byte(complaint("no application " + appIn(r)))
				})(o)
			},
		},
		{
			Name: "errors-session-token-repeated", Rule: rule,
			Summary: "the 404 of an unknown user repeats the session token",
			Apply: edit(on("GET /0.2/users/{UserID}/follows"), answered(http.StatusNotFound, func(r *http.Request, resp *response) {
				resp.body = []byte(complaint("not found; session " + sessionIn(r)))
			})),
		},
		{
			Name: "errors-password-repeated", Rule: rule,
			Summary: "the 422 of a new user repeats the password",
			Also:    []Unavoidable{{"users.password-hidden", "a password's text may stand in no response at all"}},
			Apply: edit(createsUser(), answered(http.StatusUnprocessableEntity, func(r *http.Request, resp *response) {
				resp.body = []byte(complaint("not with the password " + fieldText(sent(r), "password")))
			})),
		},
		{
			Name: "errors-authorization-repeated", Rule: rule,
			Summary: "the 405 of the friends repeats the Authorization header, which holds both tokens",
			Apply: edit(by("PATCH").and(at("/0.2/user/friends")), func(r *http.Request, resp *response) {
				resp.body = []byte(complaint("PATCH with " + r.Header.Get("Authorization")))
			}),
		},
	}
}
