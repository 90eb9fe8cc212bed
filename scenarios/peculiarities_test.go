package scenarios_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/refserver"
)

// TestPeculiaritiesOfOneEndpointAreFoundInAPlainRun judges servers that one endpoint makes stumble over one
// peculiarity of a request, of which a plain run sends many at once. What is blamed must name that peculiarity
// alone.
func TestPeculiaritiesOfOneEndpointAreFoundInAPlainRun(t *testing.T) {
	body := func(r *http.Request) string {
		all, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(all))
		return string(all)
	}
	for _, server := range []struct {
		name, rule, message string
		method, path        string
		stumbles            func(*http.Request) bool
		status              int
	}{
		{"an update of an event in lines is refused", "events.update.status", "a body in lines of carriage return and line feed",
			http.MethodPut, "/0.2/user/events/", func(r *http.Request) bool { return strings.Contains(body(r), "\r\n\t") }, http.StatusBadRequest},
		{"a zero byte in an update of an event fails", "errors.no-5xx", "a NUL",
			http.MethodPut, "/0.2/user/events/", func(r *http.Request) bool { return strings.Contains(body(r), `\u0000`) }, http.StatusInternalServerError},
		{"a cookie fails at a login", "errors.no-5xx", "a header Cookie",
			http.MethodPost, "/0.2/user/login", func(r *http.Request) bool { return r.Header.Get("Cookie") != "" }, http.StatusInternalServerError},
		{"half a character fails in an update of a user", "errors.no-5xx", "a lone surrogate",
			http.MethodPut, "/0.2/user", func(r *http.Request) bool { return strings.Contains(body(r), `"\ud800"`) }, http.StatusInternalServerError},
	} {
		t.Run(server.name, func(t *testing.T) {
			found := 0
			config := conformance.Config{Hold: time.Millisecond, Seed: 3}
			report := judgedAs(t, config, refserver.Choices{}, func(served http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.Method == server.method && strings.HasPrefix(r.URL.Path, server.path) && server.stumbles(r) {
						w.Header().Set("Content-Type", "application/json")
						w.WriteHeader(server.status)
						_, _ = io.WriteString(w, `{}`)
						return
					}
					served.ServeHTTP(w, r)
				})
			})
			for _, rule := range report.Rules {
				if rule.Status != result.Fail {
					continue
				}
				if rule.ID != server.rule {
					t.Errorf("%s is blamed: %s", rule.ID, rule.Checks[0].Message)
					continue
				}
				for _, check := range rule.Checks {
					if check.Status == result.Fail && strings.Contains(check.Message, server.message) {
						found++
					}
				}
			}
			if found == 0 {
				t.Errorf("no check of %s names %q", server.rule, server.message)
			}
		})
	}
}
