package proof_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"golang.org/x/sync/errgroup"
)

// substitution is a status that a rule tolerates, with a warning, in place of the one that the
// reference server answers.
type substitution struct {
	rules   []string // that get the warning
	at      []rules.Endpoint
	from    int
	to      []int // each of which is tolerated
	applies func(*remembered, *http.Request, []byte) bool
}

// substitutions are the statuses that the catalogue tolerates.
func substitutions() []substitution {
	always := func(*remembered, *http.Request, []byte) bool { return true }
	malformed := func(_ *remembered, _ *http.Request, body []byte) bool { return !json.Valid(body) }
	deleted := func(t *remembered, r *http.Request, _ []byte) bool { return t.gone[lastSegment(r)] }
	lacks := func(fields ...string) func(*remembered, *http.Request, []byte) bool {
		return func(_ *remembered, _ *http.Request, body []byte) bool {
			sent := decoded(body)
			return sent != nil && !slices.ContainsFunc(fields, func(f string) bool { _, there := sent[f]; return there })
		}
	}
	return []substitution{
		{[]string{"sessions.login.password-required"}, []rules.Endpoint{rules.Login}, 422, []int{401}, lacks("password")},
		{[]string{"sessions.login.identifier-required"}, []rules.Endpoint{rules.Login}, 422, []int{401, 404}, lacks("user_name", "email")},
		{[]string{"sessions.login.unknown-user"}, []rules.Endpoint{rules.Login}, 401, []int{400, 403, 404, 422}, (*remembered).namesNobody},
		{[]string{"sessions.deleted-user"}, rules.Endpoints(), 401, []int{403, 404}, (*remembered).afterDeletion},
		{[]string{"users.create.malformed-json"}, []rules.Endpoint{rules.CreateUser}, 400, []int{422}, malformed},
		{[]string{"events.create.malformed-json"}, []rules.Endpoint{rules.CreateEvent}, 400, []int{422}, malformed},
		{[]string{"users.create.wrong-type", "users.me.update.wrong-type", "connections.create.wrong-type", "connections.create.type-invalid", "social.wrong-type",
			"social.type-invalid", "events.create.wrong-type", "events.update.wrong-type", "limits.metadata.strings-only"},
			[]rules.Endpoint{rules.CreateUser, rules.UpdateMe, rules.CreateConnection, rules.ConnectSocial, rules.CreateEvent, rules.UpdateEvent}, 422, []int{400}, always},
		{[]string{"users.me.delete.gone"}, []rules.Endpoint{rules.GetUser}, 404, []int{403, 410}, deleted},
		{[]string{"users.get.unknown"}, []rules.Endpoint{rules.GetUser}, 404, []int{400, 422}, func(t *remembered, r *http.Request, body []byte) bool { return !deleted(t, r, body) }},
		{[]string{"connections.create.unknown-target"}, []rules.Endpoint{rules.CreateConnection}, 404, []int{400, 422}, always},
		{[]string{"connections.delete.unknown"}, []rules.Endpoint{rules.DeleteConnection}, 404, []int{204, 400, 409, 422}, always},
		{[]string{"connections.lists.unknown-user"}, []rules.Endpoint{rules.FollowsOf, rules.FollowersOf, rules.FriendsOf}, 404, []int{400, 422}, always},
		{[]string{"events.update.unknown"}, []rules.Endpoint{rules.UpdateEvent}, 404, []int{400, 422}, always},
		{[]string{"events.delete.unknown"}, []rules.Endpoint{rules.DeleteEvent}, 404, []int{204, 400, 409, 422}, always},
	}
}

// TestToleratedAnswersAreNotBlamed judges servers that answer with what rules tolerate, a first
// one with the first status of each, a second one with the second: each rule gets its warning,
// and nothing fails or stays unjudged.
func TestToleratedAnswersAreNotBlamed(t *testing.T) {
	t.Parallel()
	most := 0
	for _, s := range substitutions() {
		most = max(most, len(s.to))
	}
	judges := startJudges(t, most)
	var group errgroup.Group
	for which := range most {
		group.Go(func() error {
			report, err := judges.judged(order{Tolerated: which + 1})
			if err != nil {
				return err
			}
			for _, problem := range unexpected(report, which) {
				t.Errorf("with tolerated answers of kind %d: %s", which+1, problem)
			}
			return nil
		})
	}
	must(t, group.Wait())
}

// unexpected tells what differs from a warning for each rule whose substitution applies.
func unexpected(report *result.Report, which int) []string {
	var problems []string
	want := map[string]result.Status{}
	for _, s := range substitutions() {
		for _, rule := range s.rules {
			want[rule] = result.Pass
			if which < len(s.to) {
				want[rule] = result.Warn
			}
		}
	}
	for _, rule := range report.Rules {
		warned := want[rule.ID] == result.Warn
		if slices.Contains([]result.Status{result.Fail, result.Blocked, result.Error}, rule.Status) || warned != (rule.Status == result.Warn) {
			problems = append(problems, fmt.Sprintf("%s is %s: %s", rule.ID, rule.Status, messages(rule)))
		}
	}
	return problems
}

// remembered is what a server with substitutions remembers of its users.
type remembered struct {
	mu    sync.Mutex
	users map[string]string // ids, by session
	gone  map[string]bool   // ids of deleted users
	names map[string]bool   // that users have or had
}

// tolerating answers with the tolerated statuses of one kind where the reference server answers
// otherwise.
func tolerating(which int, next http.Handler) http.Handler {
	t := &remembered{users: map[string]string{}, gone: map[string]bool{}, names: map[string]bool{}}
	mux := http.NewServeMux()
	mux.Handle("/", next)
	for _, at := range rules.Endpoints() {
		mux.HandleFunc(at.Method()+" "+at.Path(), func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return // the judge has hung up
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			answer := httptest.NewRecorder()
			next.ServeHTTP(answer, r)
			t.substitute(at, which, answer, r, body)
			for name, values := range answer.Header() {
				w.Header()[name] = values
			}
			w.WriteHeader(answer.Code)
			_, _ = w.Write(answer.Body.Bytes()) // the judge may have hung up
		})
	}
	return mux
}

// substitute changes an answer where a substitution applies, and remembers what it tells.
func (t *remembered) substitute(at rules.Endpoint, which int, answer *httptest.ResponseRecorder, r *http.Request, body []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.remember(at, answer, r, body)
	if r.UserAgent() == "" {
		return // which is refused before anything else is looked at
	}
	for _, s := range substitutions() {
		if which >= len(s.to) || answer.Code != s.from || !slices.Contains(s.at, at) || !s.applies(t, r, body) {
			continue
		}
		answer.Code = s.to[which]
		answer.Body.Reset()
		switch answer.Code {
		case http.StatusNoContent:
			answer.Header().Del("Content-Type")
		case http.StatusBadRequest:
			answer.Body.WriteString("{}")
		default:
			answer.Body.WriteString(`{"errors":[{"code":1,"message":"not to be had"}]}`)
		}
		answer.Header().Del("Content-Length")
		answer.Header().Del("WWW-Authenticate")
		if answer.Code == http.StatusUnauthorized {
			answer.Header().Set("WWW-Authenticate", `Basic realm="users"`)
		}
		return
	}
}

func (t *remembered) remember(at rules.Endpoint, answer *httptest.ResponseRecorder, r *http.Request, body []byte) {
	if answer.Code >= http.StatusBadRequest {
		return
	}
	switch at {
	case rules.CreateUser, rules.UpdateMe, rules.Login:
		for _, field := range []string{"user_name", "email"} {
			if name, is := decoded(body)[field].(string); is {
				t.names[strings.ToLower(name)] = true
			}
		}
		record := decoded(answer.Body.Bytes())
		if session, is := record["session_token"].(string); is {
			t.users[session] = fmt.Sprint(record["id"])
		}
	case rules.DeleteMe:
		t.gone[t.users[sessionOf(r)]] = true
	}
}

// namesNobody reports whether a login names a user who never was.
func (t *remembered) namesNobody(_ *http.Request, body []byte) bool {
	for _, field := range []string{"user_name", "email"} {
		if name, is := decoded(body)[field].(string); is && t.names[strings.ToLower(name)] {
			return false
		}
	}
	return true
}

// afterDeletion reports whether a request is sent in the session of a deleted user.
func (t *remembered) afterDeletion(r *http.Request, _ []byte) bool {
	user, known := t.users[sessionOf(r)]
	return known && t.gone[user]
}

func sessionOf(r *http.Request) string {
	_, session, _ := r.BasicAuth()
	return session
}

func lastSegment(r *http.Request) string { return r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:] }

// decoded returns the object that a body is, nil if it is none. Numbers keep their digits.
func decoded(body []byte) map[string]any {
	var object map[string]any
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if decoder.Decode(&object) != nil {
		return nil
	}
	return object
}
