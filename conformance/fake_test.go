package conformance_test

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

const appToken = "the-app-token-of-the-fake"

// fake is a target that does what made-up scenarios need, and no more.
type fake struct {
	app string // its token

	// instead, when set, may answer in the fake's place; it reports whether it did.
	instead func(w http.ResponseWriter, r *http.Request) bool

	mu       sync.Mutex
	users    map[string]map[string]any // by id
	sessions map[string]string         // token → id
	counter  int
	asked    []string // method and path of every request
	server   *httptest.Server
}

func newFake(t *testing.T) *fake {
	t.Helper()
	f := &fake{app: appToken, users: map[string]map[string]any{}, sessions: map[string]string{}}
	f.server = httptest.NewTLSServer(f)
	t.Cleanup(f.server.Close)
	return f
}

// config is a configuration to judge the fake by, quickly.
func (f *fake) config(rs ...string) conformance.Config {
	return conformance.Config{
		Target:    conformance.Target{BaseURL: f.server.URL, AppToken: appToken, CACert: certificateOf(f.server)},
		Selection: rules.Selection{Rules: rs},
		Settle:    60 * time.Millisecond, Hold: 60 * time.Millisecond, RequestTimeout: 5 * time.Second, Timeout: time.Minute, Seed: 1,
	}
}

func certificateOf(server *httptest.Server) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.asked = append(f.asked, r.Method+" "+r.URL.Path)
	f.mu.Unlock()
	if f.instead != nil && f.instead(w, r) {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	app, token, _ := r.BasicAuth()
	me, live := f.sessions[token]
	switch where := r.Method + " " + r.URL.Path; {
	case where == "GET /versions":
		answer(w, 200, []map[string]string{{"version": "0.2", "status": "current"}})
	case app != f.app:
		answer(w, 401, map[string]any{})
	case where == "POST /0.2/users":
		f.create(w, r)
	case where == "POST /0.2/user/login":
		f.login(w, r)
	case !live:
		answer(w, 401, map[string]any{})
	case where == "DELETE /0.2/user/logout":
		delete(f.sessions, token)
		w.WriteHeader(204)
	case where == "DELETE /0.2/user":
		delete(f.users, me)
		w.WriteHeader(204)
	case where == "GET /0.2/user" && f.users[me] != nil:
		answer(w, 200, shown(f.users[me]))
	case where == "GET /0.2/user/feed", where == "GET /0.2/users/search":
		answer(w, 200, []any{})
	case where == "POST /0.2/user/events":
		f.counter++
		answer(w, 201, map[string]any{"id": "e" + strconv.Itoa(f.counter), "user_id": me, "verb": "like"})
	default:
		if user := f.users[strings.TrimPrefix(where, "GET /0.2/users/")]; user != nil {
			answer(w, 200, shown(user))
			return
		}
		answer(w, 404, map[string]any{})
	}
}

func (f *fake) create(w http.ResponseWriter, r *http.Request) {
	fields := decoded(r)
	if fields["user_name"] == nil {
		answer(w, 400, map[string]any{})
		return
	}
	f.counter++
	id := strconv.Itoa(f.counter)
	fields["id"] = f.counter
	f.users[id] = fields
	user := shown(fields)
	if r.URL.Query().Get("withLogin") == "true" {
		user["session_token"] = f.session(id)
	}
	answer(w, 201, user)
}

func (f *fake) login(w http.ResponseWriter, r *http.Request) {
	given := decoded(r)
	for id, user := range f.users {
		if user["password"] == given["password"] && (given["user_name"] == user["user_name"] || given["email"] != nil && given["email"] == user["email"]) {
			answer(w, 200, map[string]any{"id": id, "session_token": f.session(id)})
			return
		}
	}
	answer(w, 401, map[string]any{})
}

func (f *fake) session(id string) string {
	f.counter++
	token := "session-" + strings.Repeat("7", 20) + "-" + strconv.Itoa(f.counter)
	f.sessions[token] = id
	return token
}

// left is how many users the fake still has.
func (f *fake) left() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.users)
}

// endSessions ends every session, as a target may at any time.
func (f *fake) endSessions() {
	f.mu.Lock()
	defer f.mu.Unlock()
	clear(f.sessions)
}

// times is how often something was asked for.
func (f *fake) times(what string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for _, asked := range f.asked {
		if asked == what {
			n++
		}
	}
	return n
}

func shown(fields map[string]any) map[string]any {
	user := map[string]any{}
	for name, value := range fields {
		if name != "password" {
			user[name] = value
		}
	}
	return user
}

func decoded(r *http.Request) map[string]any {
	fields := map[string]any{}
	_ = json.NewDecoder(r.Body).Decode(&fields)
	return fields
}

// decodedBody reads a request's body, to be read again and again.
func decodedBody(r *http.Request) func() io.ReadCloser {
	body, _ := io.ReadAll(r.Body)
	again := func() io.ReadCloser { return io.NopCloser(bytes.NewReader(body)) }
	r.Body = again()
	return again
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// judged runs scenarios against a target.
func judged(t *testing.T, config conformance.Config, register func(*conformance.Suite)) *result.Report {
	t.Helper()
	report, err := newJudge(t, config, register).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func newJudge(t *testing.T, config conformance.Config, register func(*conformance.Suite)) *conformance.Runner {
	t.Helper()
	judge, err := conformance.New(config, register)
	if err != nil {
		t.Fatal(err)
	}
	return judge
}

// ruleOf finds a rule in a report.
func ruleOf(t *testing.T, report *result.Report, id string) result.Rule {
	t.Helper()
	for _, rule := range report.Rules {
		if rule.ID == id {
			return rule
		}
	}
	t.Fatalf("the report has no rule %s", id)
	return result.Rule{}
}

// expectRule asserts a rule's status, and a part of its first check's message.
func expectRule(t *testing.T, report *result.Report, id string, status result.Status, says string) result.Rule {
	t.Helper()
	rule := ruleOf(t, report, id)
	message := rule.Message
	if len(rule.Checks) > 0 {
		message = rule.Checks[0].Message
	}
	if rule.Status != status || !strings.Contains(message, says) {
		t.Errorf("%s: %s with %q, want %s with %q", id, rule.Status, message, status, says)
	}
	return rule
}

// rulesInAll is how many rules the catalogue has.
func rulesInAll(t *testing.T) int {
	t.Helper()
	catalogue := rules.Load()
	return len(catalogue.Rules())
}
