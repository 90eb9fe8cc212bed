package conformance_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	. "github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// rewriting lets the fake answer, and changes what it said.
func rewriting(f *fake, change func(r *http.Request, body string) string) {
	f.instead = func(w http.ResponseWriter, r *http.Request) bool {
		body := decodedBody(r)
		inner := &fake{app: f.app, users: f.users, sessions: f.sessions}
		f.mu.Lock()
		inner.counter = f.counter
		said := httptest.NewRecorder()
		r.Body = body()
		inner.ServeHTTP(said, r)
		f.counter = inner.counter
		f.mu.Unlock()
		r.Body = body()
		w.Header().Set("Content-Type", said.Header().Get("Content-Type"))
		w.WriteHeader(said.Code)
		if said.Body.Len() > 0 {
			_, _ = w.Write([]byte(change(r, said.Body.String())))
		}
		return true
	}
}

func TestPassiveRulesAreJudgedOnEveryResponse(t *testing.T) {
	f := newFake(t)
	rewriting(f, func(r *http.Request, body string) string {
		if r.Method != "GET" || r.URL.Path == "/versions" {
			return body
		}
		return strings.Replace(body, `"user_name"`, `"last_name":"","enabled":"yes","user_name"`, 1)
	})
	register := func(s *Suite) {
		for _, rule := range []string{"users.me.get", "users.get.other"} {
			s.Scenario(rule, Covers(rule), func(t *T) {
				a := t.Actor()
				t.Judge(rule, func(c *Check) {
					for range 3 {
						c.Status(t.Send(a, rules.GetMe), OneOf(200))
					}
					c.Status(t.Send(a, rules.GetUser, ID(a.ID)), OneOf(200))
				})
			})
		}
	}
	config := f.config("users.*", "transport.blank-omitted", "events.types", "connections.types", "errors.no-content-empty")
	config.Selection.Skip = []string{"users.create.*", "users.me.[du]*", "users.get.[eu]*", "users.id-stable"}
	report := judged(t, config, register)
	for _, id := range []string{"users.types", "transport.blank-omitted"} {
		at := map[string]result.Check{}
		for _, check := range ruleOf(t, report, id).Checks {
			at[check.Endpoint] = check
		}
		// The first two actors of the run try their sessions with one request more each.
		for endpoint, often := range map[string]string{rules.GetMe.String(): "(8 of 8 responses)", rules.GetUser.String(): "(2 of 2 responses)"} {
			check := at[endpoint]
			if check.Status != result.Fail || !strings.HasSuffix(check.Message, often) || len(check.Exchanges) == 0 || len(check.Exchanges) > 3 {
				t.Errorf("%s at %s: %s, %s, %d exchanges", id, endpoint, check.Status, check.Message, len(check.Exchanges))
			}
		}
		if check := at[rules.CreateUser.String()]; check.Status != result.Pass || len(check.Exchanges) > 0 {
			t.Errorf("%s at creation: %s, %s", id, check.Status, check.Message)
		}
	}
	expectRule(t, report, "users.password-hidden", result.Pass, "")
	expectRule(t, report, "errors.no-content-empty", result.Pass, "")
	expectRule(t, report, "users.id-type", result.Observed, "integer everywhere")
	for _, id := range []string{"events.types", "connections.types"} { // whose resources nothing selected shows
		expectRule(t, report, id, result.Skipped, "nothing of what was selected shows it")
	}
}

// A browser's preflight belongs to no endpoint: it is no example where an endpoint has one.
func TestAPreflightIsNoExampleForAnEndpoint(t *testing.T) {
	f := newFake(t)
	f.instead = func(w http.ResponseWriter, r *http.Request) bool {
		refused := r.Method == http.MethodOptions || r.URL.Path == "/0.2/users/0"
		if refused {
			http.Error(w, "no", http.StatusNotFound)
		}
		return refused
	}
	report := judged(t, f.config("users.me.get", "errors.json-error"), func(s *Suite) {
		s.Scenario("is refused", Covers("users.me.get"), func(t *T) {
			t.Judge("users.me.get", func(c *Check) {
				t.SendTo(Anonymous{}, http.MethodOptions, rules.GetMe.Path())
				t.Send(t.Actor(), rules.GetUser, IDText("0"))
			})
		})
	})
	checks := expectRule(t, report, "errors.json-error", result.Fail, "404").Checks
	if len(checks) != 2 || checks[0].Endpoint != rules.GetUser.String() || checks[1].Endpoint != "" {
		t.Errorf("the failures are shown by %v", checks)
	}
}

// Where only some endpoints are judged, what the others would show is not missed.
func TestPassiveRulesOfOtherEndpointsDoNotBlock(t *testing.T) {
	f := newFake(t)
	config := f.config()
	config.Selection = rules.Selection{Endpoints: []string{"22"}, Rules: []string{"versions.status", "*.types", "transport.timestamps", "transport.utf8"}}
	report := judged(t, config, func(s *Suite) {
		s.Scenario("versions", Covers("versions.status"), func(t *T) {
			t.Judge("versions.status", func(c *Check) { c.Status(t.Send(Anonymous{}, rules.Versions), OneOf(200)) })
		})
	})
	expectRule(t, report, "transport.utf8", result.Pass, "")
	expectRule(t, report, "users.types", result.Skipped, "nothing of what was selected")
	if report.Verdict != result.Conformant {
		t.Errorf("the verdict is %s", report.Verdict)
	}
}

// A target that repeats all it is told gets none of it into the report.
func TestNoSecretReachesTheReport(t *testing.T) {
	f := newFake(t)
	var heard bytes.Buffer
	rewriting(f, func(r *http.Request, body string) string {
		var sent bytes.Buffer
		_, _ = sent.ReadFrom(decodedBody(r)())
		heard.Write(sent.Bytes())
		app, session, _ := r.BasicAuth()
		return strings.TrimSuffix(strings.TrimSpace(body), "}") + `,"echo":"` + strings.Join([]string{app, session, r.Header.Get("Authorization")}, " ") + `","sent":` + `[` + sent.String() + `]}`
	})
	var passwords []string
	config := f.config()
	config.KeepExchanges = true
	report := judged(t, config, func(s *Suite) {
		s.Scenario("fails in every way", Covers("users.me.get", "users.get.other", "sessions.login.user-name"), func(t *T) {
			a := t.Actor()
			passwords = append(passwords, a.Password, a.Token())
			t.Judge("users.me.get", func(c *Check) { c.Status(t.Send(a, rules.GetMe), OneOf(418)) })
			t.Judge("users.get.other", func(c *Check) { t.Send(a, rules.GetUser, IDText(a.Token())).Record() })
			t.Judge("sessions.login.user-name", func(c *Check) {
				c.Fields(t.Send(t.AppOnly(), rules.Login, JSON(a.Required(nil))).Record(), Fields{"session_token": "x", "password": a.Password})
			})
		})
	})
	expectRule(t, report, "users.me.get", result.Fail, "418")
	expectRule(t, report, "errors.no-secret-echo", result.Warn, "")
	if len(report.Exchanges) < 6 {
		t.Errorf("%d exchanges are kept", len(report.Exchanges))
	}
	expectNoSecrets(t, report, append(passwords, appToken)...)
}

// Users are left behind where a target says that it does not have them, but has never
// deleted any: it may not have the endpoint.
func TestCleanUpCountsWhatIsLeft(t *testing.T) {
	f := newFake(t)
	for status, users := range map[int]string{404: "3 users", 410: "2 users", 500: "2 users", 403: "2 users"} { // one more looks whether there is an endpoint
		f.instead = func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method != "DELETE" {
				return false
			}
			answer(w, status, map[string]any{})
			return true
		}
		report := judged(t, f.config("users.me.get"), func(s *Suite) { s.Scenario("a", Covers("users.me.get"), readsItself) })
		if !strings.Contains(strings.Join(report.Notes, "\n"), users+" could not be deleted") {
			t.Errorf("with a %d, notes %q", status, report.Notes)
		}
	}
}

// Users that a target says it does not have are gone where it has deleted others.
func TestCleanUpTakesAbsentUsersForGone(t *testing.T) {
	f := newFake(t)
	deleted := false
	f.instead = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != "DELETE" || !deleted {
			deleted = deleted || r.Method == "DELETE"
			return false
		}
		answer(w, http.StatusNotFound, map[string]any{})
		return true
	}
	report := judged(t, f.config("users.me.get"), func(s *Suite) { s.Scenario("a", Covers("users.me.get"), readsItself) })
	if notes := strings.Join(report.Notes, "\n"); strings.Contains(notes, "could not be deleted") {
		t.Errorf("notes %q", notes)
	}
}

// What a request leaves out is not on the wire, not even empty.
func TestHeadersThatAreLeftOut(t *testing.T) {
	f := newFake(t)
	heard := make(chan http.Header, 1)
	f.instead = func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/0.2/user/feed" {
			return false
		}
		heard <- r.Header
		answer(w, 200, []any{})
		return true
	}
	config := f.config("feed.status")
	config.NoHeaders = true
	report := judged(t, config, func(s *Suite) {
		s.Scenario("bare", Covers("feed.status"), func(trial *T) {
			trial.Judge("feed.status", func(c *Check) {
				for _, name := range []string{"User-Agent", "Accept", "Authorization"} {
					c.Status(trial.Send(trial.AppOnly(), rules.Feed, Without(name)), OneOf(200))
					if got := <-heard; got.Values(name) != nil || len(got) != 3 {
						t.Errorf("without %s, the request has %v", name, got)
					}
				}
			})
		})
	})
	expectRule(t, report, "feed.status", result.Pass, "")
}
