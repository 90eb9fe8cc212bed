package main

import (
	"bufio"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	markup "html"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/rules"
)

// placed is a place with its secret, and what is said there.
type placed struct {
	secretPlace
	secret string
	talk
}

// secretText is what a token looks like: of 17 characters.
func secretText() string {
	const characters = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"
	b := make([]byte, 17)
	for i := range b {
		b[i] = characters[rand.IntN(len(characters))]
	}
	return string(b)
}

// secretSessions deals out the places to sessions: a report shows one exchange of a rule at an endpoint,
// so that no two of a session are at the same. Secrets that no name tells are issued.
func secretSessions(places []secretPlace, issued func() string) [][]placed {
	free := func() map[string][]rules.Endpoint {
		f := map[string][]rules.Endpoint{"none": {rules.NoEndpoint}, "search": {rules.SearchUsers}, "a user": {rules.GetUser}}
		for _, e := range rules.Endpoints() {
			switch {
			case slices.Contains([]rules.Endpoint{rules.SearchUsers, rules.GetUser, rules.Login, rules.Versions, rules.Logout, rules.DeleteMe}, e):
			case e.Method() == http.MethodPost || e.Method() == http.MethodPut:
				f["a body"] = append(f["a body"], e)
			default:
				f[""] = append(f[""], e)
			}
		}
		return f
	}
	var sessions [][]placed
	var left []map[string][]rules.Endpoint
	for _, p := range places {
		i := slices.IndexFunc(left, func(f map[string][]rules.Endpoint) bool { return len(f[p.at]) > 0 })
		if i < 0 {
			i, left, sessions = len(left), append(left, free()), append(sessions, nil)
		}
		e := left[i][p.at][0]
		left[i][p.at] = left[i][p.at][1:]
		x := talk{method: e.Method(), target: e.Expand("7", "8"), status: "200 OK", respHeader: []string{"Content-Type: application/json"}, respBody: `{"id":true}`}
		if strings.HasPrefix(p.name, "an answer") {
			x.respHeader = nil
		}
		secret := secretText()
		if !p.named {
			secret = issued()
		}
		p.put(&x, secret)
		sessions[i] = append(sessions[i], placed{p, secret, x})
	}
	return sessions
}

// request is the request as it goes over the wire.
func (x *talk) request() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: service.example\r\nConnection: close\r\n", x.method, x.target)
	for _, line := range x.header {
		b.WriteString(line + "\r\n")
	}
	switch {
	case x.chunked:
		if len(x.trailer) > 0 {
			b.WriteString("Trailer: X-Token\r\n")
		}
		half := len(x.body) / 2
		fmt.Fprintf(&b, "Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n%x\r\n%s\r\n0\r\n", half, x.body[:half], len(x.body)-half, x.body[half:])
		for _, line := range x.trailer {
			b.WriteString(line + "\r\n")
		}
		b.WriteString("\r\n")
	case x.body != "":
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(x.body), x.body)
	default:
		b.WriteString("\r\n")
	}
	return b.String()
}

// answer is the answer as it goes over the wire.
func (x *talk) answer() string {
	var b strings.Builder
	fmt.Fprintf(&b, "HTTP/1.1 %s\r\nConnection: close\r\n", x.status)
	for _, line := range x.respHeader {
		b.WriteString(line + "\r\n")
	}
	if slices.Contains(x.respHeader, "Transfer-Encoding: chunked") {
		b.WriteString("\r\n" + x.respBody)
		for _, line := range x.respTrailer {
			b.WriteString(line + "\r\n")
		}
		b.WriteString("\r\n")
		return b.String()
	}
	fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(x.respBody), x.respBody)
	return b.String()
}

// login is the exchange that issues a secret as a session token.
func login(secret string) talk {
	body := `{"user_name":"ada","password":"2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"}`
	return talk{
		method: http.MethodPost, target: "/0.2/user/login", body: body,
		header: []string{"User-Agent: feedreader/1.0", "Accept: application/json", "Content-Type: application/json", basicOf("the-app-of-a-test:")},
		status: "200 OK", respHeader: []string{"Content-Type: application/json"}, respBody: `{"id":"7","session_token":"` + secret + `"}`,
	}
}

// withLogins are the exchanges of a session, where logins issue the secrets that no name tells: before
// they are said, or after.
func withLogins(session []placed, late bool) []talk {
	var logins, all []talk
	for _, p := range session {
		if !p.named {
			logins = append(logins, login(p.secret))
		}
		all = append(all, p.talk)
	}
	if late {
		return append(all, logins...)
	}
	return append(logins, all...)
}

// sayer is a service that answers each request with the next of its answers.
func sayer(t *testing.T, talks []talk) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, x := range talks {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			if r, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
				_, _ = io.Copy(io.Discard, r.Body) // as far as it comes
				_, _ = io.WriteString(conn, x.answer())
			}
			conn.Close()
		}
	}()
	t.Cleanup(func() { listener.Close(); <-done })
	return "http://" + listener.Addr().String()
}

// say sends a request over a connection and waits for the end of the answer.
func say(t *testing.T, conn net.Conn, x talk) {
	t.Helper()
	defer conn.Close()
	if _, err := io.WriteString(conn, x.request()); err != nil {
		t.Error(err)
	}
	_, _ = io.Copy(io.Discard, conn) // an answer may be broken
}

// leaks finds secrets in outputs, whole or in part.
type leaks struct {
	grams map[[start]byte]string // the place by eight characters of its secret, in small letters
	seen  map[string][]string    // where, by the place
}

func newLeaks() *leaks { return &leaks{map[[start]byte]string{}, map[string][]string{}} }

func (l *leaks) expect(place, secret string) {
	spelled := []string{secret, digits(secret), hex.EncodeToString([]byte(secret))}
	for before := range 3 {
		encoded := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("x", before) + secret))
		spelled = append(spelled, encoded[(before*8+5)/6:(before+len(secret))*8/6])
	}
	for _, text := range spelled {
		text = strings.ToLower(text)
		for i := 0; i+start <= len(text); i++ {
			l.grams[[start]byte([]byte(text[i:]))] = place
		}
	}
}

var (
	escapedInJSON = regexp.MustCompile(`\\u[0-9a-fA-F]{4}`)
	percentEscape = regexp.MustCompile(`%[0-9a-fA-F]{2}`)
)

// in looks for the secrets in an output.
func (l *leaks) in(name, output string) {
	percentDecoded := func(s string) string {
		return percentEscape.ReplaceAllStringFunc(s, func(e string) string { plain, _ := url.PathUnescape(e); return plain })
	}
	for _, text := range []string{output, markup.UnescapeString(output), percentDecoded(output), percentDecoded(percentDecoded(markup.UnescapeString(output))),
		escapedInJSON.ReplaceAllStringFunc(markup.UnescapeString(output), func(e string) string {
			n, _ := strconv.ParseUint(e[2:], 16, 16)
			return string(rune(n))
		})} {
		data := []byte(strings.ToLower(text))
		for i := 0; i+start <= len(data); i++ {
			if place, known := l.grams[[start]byte(data[i:])]; known && !slices.Contains(l.seen[place], name) {
				l.seen[place] = append(l.seen[place], name)
			}
		}
	}
}
