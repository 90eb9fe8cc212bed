package faults_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/faults"
)

const (
	firstApp  = "first-application-token"
	secondApp = "second-application-token"
)

// sound is no fault: it is told of like one of a kind.
func sound(kind faults.Kind) faults.Fault { return faults.Fault{Kind: kind} }

// play tells a story to a server with a fault, in time that passes at once, and returns what it answers, a line for
// each request. It ends where the answers are no longer the right ones, if those are given.
func (s story) play(t *testing.T, fault faults.Fault, right []string) (said []string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		server := newServer(t, fault)
		p := player{server: server, bound: bindings{map[string]string{}, map[string]string{}}, numbers: map[string]string{}, untimed: fault.Kind == faults.Concurrency}
		for len(s) > 0 {
			n := 1
			for n < len(s) && s[n].beside {
				n++
			}
			said = append(said, p.tell(s[:n])...)
			s = s[n:]
			if right != nil && !slices.Equal(said, right[:min(len(said), len(right))]) {
				return
			}
		}
	})
	return said
}

func newServer(t *testing.T, fault faults.Fault) *refserver.Server {
	t.Helper()
	options := refserver.Options{AppTokens: []string{firstApp, secondApp}, PasswordCost: 1, RateLimit: -1, AllowPlainHTTP: true}
	if fault.Apply != nil {
		fault.Apply(&options)
	}
	server, err := refserver.New(options)
	if err != nil {
		t.Fatal(err)
	}
	return server
}

func newRequest(method, path, body string) *http.Request {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("User-Agent", "story")
	r.Header.Set("Accept", "application/json")
	if method == http.MethodPost || method == http.MethodPut {
		r.Header.Set("Content-Type", "application/json")
	}
	return r
}

// player is a story on its way.
type player struct {
	server  http.Handler
	bound   bindings
	numbers map[string]string // of session tokens, which differ from server to server
	untimed bool              // times are no part of what is said: a fault of concurrency holds operations open
}

// tell sends requests beside each other, a moment apart, and returns what is answered to each.
func (p *player) tell(steps story) []string {
	time.Sleep(time.Millisecond + steps[0].wait)
	answers := make([]*httptest.ResponseRecorder, len(steps))
	var all sync.WaitGroup
	for i, step := range steps {
		if step.wait > 0 {
			continue
		}
		r := step.request(p.bound)
		answers[i] = httptest.NewRecorder()
		all.Go(func() {
			time.Sleep(time.Duration(i) * time.Millisecond)
			p.server.ServeHTTP(answers[i], r)
		})
	}
	all.Wait()
	said := make([]string, len(steps))
	for i, answer := range answers {
		if answer != nil {
			p.bind(steps[i].bind, answer)
			if said[i] = p.meaning(answer); len(steps) > 1 && steps[i].method != http.MethodGet {
				said[i] = raced(steps[i], answer)
			}
		}
	}
	return said
}

// raced is what matters of a write beside others, of which one may be refused as well as another: that it failed,
// and which user it made.
func raced(s step, answer *httptest.ResponseRecorder) string {
	var made struct {
		ID json.RawMessage `json:"id"`
	}
	switch {
	case answer.Code >= http.StatusInternalServerError:
		return "failed"
	case s.method == http.MethodPost && strings.HasPrefix(s.path, "/0.2/users") && json.Unmarshal(answer.Body.Bytes(), &made) == nil:
		return string(made.ID)
	}
	return ""
}

func (p *player) bind(name string, answer *httptest.ResponseRecorder) {
	var made struct {
		ID    json.RawMessage `json:"id"`
		Token string          `json:"session_token"`
	}
	if json.Unmarshal(answer.Body.Bytes(), &made) != nil || name == "" {
		return
	}
	p.bound.ids[name], p.bound.tokens[name] = strings.Trim(string(made.ID), `"`), made.Token
}

// meaning is what an answer says, however it is written.
func (p *player) meaning(answer *httptest.ResponseRecorder) string {
	said := fmt.Sprint(answer.Code)
	for _, name := range slices.Sorted(maps.Keys(answer.Header())) {
		if name != "Content-Length" {
			said += fmt.Sprintf(" %s %q", name, answer.Header().Values(name))
		}
	}
	var value any
	decoder := json.NewDecoder(bytes.NewReader(answer.Body.Bytes()))
	decoder.UseNumber()
	if decoder.Decode(&value) != nil {
		return said + " " + answer.Body.String()
	}
	if record, is := value.(map[string]any); is {
		if token, is := record["session_token"].(string); is {
			if p.numbers[token] == "" {
				p.numbers[token] = fmt.Sprint("token ", len(p.numbers))
			}
			record["session_token"] = p.numbers[token]
		}
	}
	body, err := json.Marshal(value)
	if err != nil {
		return said + " " + err.Error()
	}
	if p.untimed {
		body = moment.ReplaceAll(body, []byte(`"a time"`))
	}
	return said + " " + string(body)
}

var moment = regexp.MustCompile(`"\d{4}-\d\d-\d\dT[\d:.]+Z"`)
