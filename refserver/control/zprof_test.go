package control_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/control"
	"github.com/socialfeed/conform/refserver/control/journal"
)

func BenchmarkZ(b *testing.B) {
	for _, c := range []struct{ name, method, path, body string }{
		{"user", "GET", "/0.2/user", ""}, {"event", "POST", "/0.2/user/events", `{"verb":"like"}`}, {"create", "POST", "/0.2/users", `{"user_name":"ann","email":"ann@example.com"}`},
	} {
		for _, log := range []bool{false, true} {
			name := c.name
			o := control.Options{Server: refserver.Options{AppTokens: []string{appToken}, RateLimit: 1 << 30, AllowPlainHTTP: true, PasswordCost: 1}}
			if log {
				name += "+log"
				o.Log = func(e *journal.Entry) { io.WriteString(io.Discard, e.Line()) }
			}
			b.Run(name, func(b *testing.B) {
				handler, err := control.New(o)
				if err != nil {
					b.Fatal(err)
				}
				req := func(method, path, session, body string) *http.Request {
					r := httptest.NewRequestWithContext(b.Context(), method, path, strings.NewReader(body))
					r.Header.Set("Content-Type", "application/json")
					r.Header.Set("User-Agent", "bench")
					r.SetBasicAuth(appToken, session)
					return r
				}
				answer := httptest.NewRecorder()
				handler.ServeHTTP(answer, req("POST", "/0.2/users?withLogin=true", "", `{"user_name":"ada"}`))
				var user struct {
					SessionToken string `json:"session_token"`
				}
				json.Unmarshal(answer.Body.Bytes(), &user)
				session := user.SessionToken
				if c.path == "/0.2/users" {
					session = ""
				}
				get := req(c.method, c.path, session, "")
				rd := strings.NewReader("")
				w := &nullWriter{h: http.Header{}}
				b.ReportAllocs()
				b.ResetTimer()
				for b.Loop() {
					rd.Reset(c.body)
					get.Body = io.NopCloser(rd)
					clear(w.h)
					handler.ServeHTTP(w, get)
					if w.code >= 300 {
						b.Fatal(w.code)
					}
				}
			})
		}
	}
}

type nullWriter struct {
	h    http.Header
	code int
	b    bytes.Buffer
}

func (n *nullWriter) Header() http.Header         { return n.h }
func (n *nullWriter) Write(p []byte) (int, error) { return len(p), nil }
func (n *nullWriter) WriteHeader(c int)           { n.code = c }
