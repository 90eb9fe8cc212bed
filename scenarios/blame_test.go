package scenarios_test

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/refserver"
)

// answering answers requests by a method to paths with a status, instead of serving them.
func answering(method, path string, status int) func(http.Handler) http.Handler {
	paths := regexp.MustCompile("^" + path + "$")
	return func(served http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != method || !paths.MatchString(r.URL.Path) {
				served.ServeHTTP(w, r)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, "{}")
		})
	}
}

// rewriting alters successful answers to requests by a method to paths.
func rewriting(method, path string, alter func(string) string) func(http.Handler) http.Handler {
	paths := regexp.MustCompile("^" + path + "$")
	return func(served http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != method || !paths.MatchString(r.URL.Path) {
				served.ServeHTTP(w, r)
				return
			}
			answer := httptest.NewRecorder()
			served.ServeHTTP(answer, r)
			body := answer.Body.String()
			if answer.Code/100 == 2 {
				body = alter(body)
			}
			for name, values := range answer.Header() {
				w.Header()[name] = values
			}
			w.Header().Del("Content-Length")
			w.WriteHeader(answer.Code)
			_, _ = io.WriteString(w, body)
		})
	}
}

// onceUnfollowed refuses with 409 to follow whom the session's user has unfollowed before.
func onceUnfollowed(served http.Handler) http.Handler {
	var mu sync.Mutex
	ended := map[string]bool{}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		_, session, _ := r.BasicAuth()
		if to, found := strings.CutPrefix(r.URL.Path, "/0.2/user/connections/"); found && r.Method == http.MethodDelete && to != "social" {
			ended[session+" "+to] = true
		}
		if r.URL.Path == "/0.2/user/connections" && r.Method == http.MethodPost {
			body, _ := io.ReadAll(r.Body)
			var sent struct {
				To   json.Number `json:"user_to_id"`
				Type string      `json:"type"`
			}
			if json.Unmarshal(body, &sent) == nil && sent.Type == "follow" && ended[session+" "+sent.To.String()] {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusConflict)
				_, _ = io.WriteString(w, "{}")
				return
			}
			r.Body = io.NopCloser(strings.NewReader(string(body)))
		}
		served.ServeHTTP(w, r)
	})
}

// nestDots has metadata keys with a dot in them as objects in objects, as some databases store them.
func nestDots(body string) string {
	var v any
	d := json.NewDecoder(strings.NewReader(body))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return body
	}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			if m, ok := v["metadata"].(map[string]any); ok {
				for k, x := range m {
					if a, b, there := strings.Cut(k, "."); there {
						delete(m, k)
						m[a] = map[string]any{b: x}
					}
				}
			}
		}
	}
	walk(v)
	out, _ := json.Marshal(v)
	return string(out)
}

// hashesAgain stores another password than the one of an update.
func hashesAgain(served http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut && r.URL.Path == "/0.2/user" {
			b, _ := io.ReadAll(r.Body)
			var m map[string]any
			if json.Unmarshal(b, &m) == nil {
				if p, ok := m["password"].(string); ok {
					m["password"] = p + "x"
					b, _ = json.Marshal(m)
				}
			}
			r.ContentLength = int64(len(b))
			r.Body = io.NopCloser(strings.NewReader(string(b)))
		}
		served.ServeHTTP(w, r)
	})
}

// failed are the rules that failed, with their endpoints, but for the one that any 500 breaks, too.
func failed(report *result.Report) []string {
	var all []string
	for rule, check := range report.EachCheck() {
		if told := rule.ID + " at " + check.Endpoint; check.Status == result.Fail && rule.ID != "errors.no-5xx" && !slices.Contains(all, told) {
			all = append(all, told)
		}
	}
	return all
}

// mistaken is a server with one mistake, and the rules that it breaks, with their endpoints.
type mistaken struct {
	behind func(http.Handler) http.Handler
	blamed []string
}

// oneMistake are such servers, in short runs of the tests three of them.
func oneMistake() map[string]mistaken {
	all := map[string]mistaken{
		"no user is found by its id": {answering(http.MethodGet, "/0.2/users/[0-9]+", 404), []string{"users.get.other at GET /0.2/users/{UserID}"}},
		"events fail":                {answering(http.MethodPost, "/0.2/user/events", 500), []string{"events.create.status at POST /0.2/user/events"}},
		"event updates are 401":      {answering(http.MethodPut, "/0.2/user/events/[0-9]+", 401), []string{"events.update.status at PUT /0.2/user/events/{EventID}"}},
		"updates fail":               {answering(http.MethodPut, "/0.2/user", 500), []string{"users.me.update.status at PUT /0.2/user"}},
		"follows are an empty list":  {rewriting(http.MethodGet, "/0.2/user/follows", func(string) string { return "[]" }), []string{"connections.lists.follows at GET /0.2/user/follows"}},
		"updates are 401":            {answering(http.MethodPut, "/0.2/user", 401), []string{"users.me.update.status at PUT /0.2/user"}},
		"searches are 401":           {answering(http.MethodGet, "/0.2/users/search", 401), []string{"search.status at GET /0.2/users/search"}},
		"nobody is followed again":   {onceUnfollowed, []string{"connections.create.follow at POST /0.2/user/connections"}},
		"unfollows fail":             {answering(http.MethodDelete, "/0.2/user/connections/[0-9]+", 500), []string{"connections.delete.status at DELETE /0.2/user/connections/{UserID}"}},
		"feeds are 404":              {answering(http.MethodGet, "/0.2/user/feed", 404), []string{"feed.status at GET /0.2/user/feed"}},
		"passwords are hashed again": {hashesAgain, []string{"users.me.update.password at PUT /0.2/user"}},
		"dots of keys are nested": {func(h http.Handler) http.Handler {
			return rewriting(http.MethodPost, "/0.2/user/events", nestDots)(rewriting(http.MethodPut, "/0.2/user/events/[0-9]+", nestDots)(rewriting(http.MethodGet, "/0.2/user/feed", nestDots)(h)))
		}, []string{
			"events.create.echo at POST /0.2/user/events", "events.update.applies at PUT /0.2/user/events/{EventID}",
			"events.types at POST /0.2/user/events", "events.types at PUT /0.2/user/events/{EventID}", "events.types at GET /0.2/user/feed",
		}},
		"social is 401": {answering(http.MethodPost, "/0.2/user/connections/social", 401), []string{"social.status at POST /0.2/user/connections/social"}},
	}
	if testing.Short() {
		few := []string{"no user is found by its id", "events fail", "updates are 401"}
		maps.DeleteFunc(all, func(name string, _ mistaken) bool { return !slices.Contains(few, name) })
	}
	return all
}

// TestTheFirstFailureIsTheCause stops at the first failure of servers with one mistake each.
func TestTheFirstFailureIsTheCause(t *testing.T) {
	seeds := int64(3)
	if testing.Short() {
		seeds = 1
	}
	for name, server := range oneMistake() {
		for seed := range seeds {
			config := conformance.Config{Seed: seed + 1, Settle: 300 * time.Millisecond, Hold: time.Millisecond, Jobs: 2, MaxFailures: 1}
			report := judgedAs(t, config, refserver.Choices{}, server.behind)
			for _, blamed := range failed(report) {
				if !slices.Contains(server.blamed, blamed) {
					t.Errorf("%s, seed %d: %s is blamed", name, seed+1, blamed)
				}
			}
		}
	}
}

// TestTheCauseIsBlamed judges servers with one mistake each, which shows in many places.
func TestTheCauseIsBlamed(t *testing.T) {
	for name, server := range oneMistake() {
		t.Run(name, func(t *testing.T) {
			report := judgedAs(t, conformance.Config{Seed: 1, Settle: 500 * time.Millisecond, Hold: time.Millisecond, Jobs: 4}, refserver.Choices{}, server.behind)
			for _, blamed := range failed(report) {
				if !slices.Contains(server.blamed, blamed) {
					t.Errorf("%s is blamed", blamed)
				}
			}
			for _, wanted := range server.blamed {
				if !slices.Contains(failed(report), wanted) {
					t.Errorf("%s is not blamed", wanted)
				}
			}
		})
	}
}
