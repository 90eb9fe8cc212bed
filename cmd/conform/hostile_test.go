//go:build unix

package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/refserver"
)

// text has a peer send a text and go on with the next request.
func text(answer string) peer {
	return func(conn net.Conn, _ <-chan struct{}) { conn.Write([]byte(answer)) }
}

// cut has a peer send a text and close the connection.
func cut(answer string) peer {
	return func(conn net.Conn, _ <-chan struct{}) { conn.Write([]byte(answer)); conn.Close() }
}

// flood has a peer send a text, and then another one without end.
func flood(head, body string) peer {
	return func(conn net.Conn, done <-chan struct{}) {
		conn.Write([]byte(head))
		for chunk := []byte(strings.Repeat(body, 1000)); ; {
			if _, err := conn.Write(chunk); err != nil {
				return
			}
			select {
			case <-done:
				return
			default:
			}
		}
	}
}

// mute has a peer say nothing.
func mute(_ net.Conn, done <-chan struct{}) { <-done }

// slow has a peer send one byte a second.
func slow(answer string) peer {
	return func(conn net.Conn, done <-chan struct{}) {
		for i := range len(answer) {
			if _, err := conn.Write([]byte{answer[i]}); err != nil {
				return
			}
			select {
			case <-done:
				return
			case <-time.After(time.Second):
			}
		}
	}
}

func sized(status, mediaType, body string) string {
	return fmt.Sprintf("HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", status, mediaType, len(body), body)
}

// bomb is a response of a megabyte that unpacks to a gigabyte: a thousand members
// of a megabyte each.
func bomb(t *testing.T) string {
	t.Helper()
	var member bytes.Buffer
	packer := gzip.NewWriter(&member)
	packer.Write(bytes.Repeat([]byte(" "), 1<<20))
	if err := packer.Close(); err != nil {
		t.Fatal(err)
	}
	return sized("200 OK", "application/json\r\nContent-Encoding: gzip", strings.Repeat(member.String(), 1<<10))
}

const (
	jsonHead = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	deep     = 100_000
)

// hostile are answers that no service gives.
func hostile(t *testing.T) map[string]peer {
	user := `{"id":1,"user_name":"ann","session_token":"token-of-a-strange-target"}`
	return map[string]peer{
		"no answer":                  mute,
		"one byte a second":          slow(sized("200 OK", "application/json", user)),
		"endless body":               flood(jsonHead+"\r\n[", "1,"),
		"endless chunks":             flood(jsonHead+"Transfer-Encoding: chunked\r\n\r\n", "2\r\n1,\r\n"),
		"endless header":             flood(jsonHead, "X-More: and more\r\n"),
		"endless interim answers":    flood("", "HTTP/1.1 103 Early Hints\r\n\r\n"),
		"nested arrays":              text(sized("200 OK", "application/json", strings.Repeat("[", deep)+strings.Repeat("]", deep))),
		"gzip bomb":                  text(bomb(t)),
		"gzip that is none":          text(sized("200 OK", "application/json\r\nContent-Encoding: gzip", user)),
		"garbage":                    cut("\x00\xff\xfe garbage \r\n\r\n more of it"),
		"SSH":                        cut("SSH-2.0-OpenSSH_9.9\r\n"),
		"closed at once":             cut(""),
		"cut in the header":          cut("HTTP/1.1 200 OK\r\nContent-Ty"),
		"cut in the body":            cut(jsonHead + "Content-Length: 1000\r\n\r\n" + user),
		"redirect loop":              text("HTTP/1.1 302 Found\r\nLocation: /versions\r\nContent-Length: 0\r\n\r\n"),
		"length too short":           text(jsonHead + "Content-Length: 2\r\n\r\n" + user),
		"length that is none":        text(jsonHead + "Content-Length: many\r\n\r\n" + user),
		"two lengths":                text(jsonHead + "Content-Length: 2\r\nContent-Length: 70\r\n\r\n" + user),
		"HTML everywhere":            text(sized("200 OK", "text/html", htmlPage)),
		"HTML 502 everywhere":        text(sized("502 Bad Gateway", "text/html", htmlPage)),
		"HTML said to be JSON":       text(sized("200 OK", "application/json", htmlPage)),
		"503 for an hour":            text(sized("503 Service Unavailable", "application/json\r\nRetry-After: 3600", "{}")),
		"429 for an hour":            text(sized("429 Too Many Requests", "application/json\r\nRetry-After: 3600", "{}")),
		"the same user for everyone": text(sized("201 Created", "application/json", user)),
		"null everywhere":            text(sized("200 OK", "application/json", "null")),
		"empty everywhere":           text("HTTP/1.1 204 No Content\r\n\r\n"),
		"status beyond any":          text(sized("999 Nobody Knows", "application/json", user)),
	}
}

// TestHostileTargets meets targets that do not answer as a service does: each
// run ends by itself, with a clear outcome, few words and little memory.
func TestHostileTargets(t *testing.T) {
	t.Parallel()
	for name, answer := range hostile(t) {
		for scheme, secure := range map[string]bool{"http": false, "https": true} {
			t.Run(name+" over "+scheme, func(t *testing.T) {
				t.Parallel()
				withstands(t, append(raw(t, secure, answer), "--request-timeout", "500ms", "--settle", "100ms"))
			})
		}
	}
}

// withstands judges a target and sees that it did the judge no harm.
func withstands(t *testing.T, flags []string) outcome {
	t.Helper()
	path, screen := file(t, nil), file(t, nil)
	cmd := command(t, append(flags, "--quiet", "--report", "json="+path, "--report", "text="+screen)...)
	used := measured(t, cmd)
	o := finish(t, cmd)
	o.read(t, path)
	o.wants(t, exitNonConformant, exitUsage, exitNoVerdict)
	const most = 3
	o.fewLines(t, most)
	fewRequests(t, o.report.Summary.Requests)
	if took := used(); took > mostMemory {
		t.Errorf("the judge took %d KiB, want %d at most", took, mostMemory)
	}
	for _, rule := range o.report.Rules {
		for _, check := range rule.Checks {
			if strings.Contains(check.Message, "a defect of the suite") {
				t.Errorf("%s at %s: %s", rule.ID, check.Endpoint, check.Message)
			}
		}
	}
	const longest = 16 << 20 // in which every rule may fail at every endpoint, with its exchanges
	if told, err := os.Stat(screen); err != nil || told.Size() > longest || len(o.written) > longest || o.stdout != "" {
		t.Errorf("the reports are %d and %d bytes long, stdout is %.80q (%v)", len(o.written), told.Size(), o.stdout, err)
	}
	return o
}

// TestOneHostileEndpoint has a good server but for its feed: what does not need
// the feed is judged all the same, and nothing is left behind.
func TestOneHostileEndpoint(t *testing.T) {
	t.Parallel()
	answers := hostile(t)
	for _, name := range []string{"no answer", "endless body", "nested arrays", "gzip bomb", "cut in the body", "garbage",
		"HTML 502 everywhere", "redirect loop"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			good := reference(t, func(o *refserver.Options) { o.RateLimit = -1 })
			done := make(chan struct{})
			t.Cleanup(func() { close(done) })
			o := withstands(t, append(serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/0.2/user/feed" {
					good.ServeHTTP(w, r)
					return
				}
				conn, _, err := http.NewResponseController(w).Hijack()
				if err != nil {
					return
				}
				defer conn.Close()
				answers[name](conn, done)
			})), "--part", "users", "--part", "events", "--part", "feed"))
			for _, rule := range o.report.Rules {
				if broken := rule.Status == result.Fail || rule.Status == result.Error; broken && rule.Part == "users" {
					t.Errorf("%s ended as %s: %v", rule.ID, rule.Status, rule.Checks)
				}
			}
			empty(t, good)
		})
	}
}
