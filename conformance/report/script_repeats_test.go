package report

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/report/script"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestScriptsRepeatARead runs the script of a read at targets that answer it differently from time to
// time. A failure in one of several answers is one, but not a stale answer that comes first.
func TestScriptsRepeatARead(t *testing.T) {
	needs(t, "sh", "curl", "jq")
	const fails, right, busy = http.StatusNotFound, http.StatusOK, http.StatusTooManyRequests
	one := func(is func(n int64) bool, status int) func(int64) int {
		return func(n int64) int { return map[bool]int{true: status, false: right}[is(n)] }
	}
	fifth := one(func(n int64) bool { return n%5 == 0 }, fails)
	for name, test := range map[string]struct {
		repeats int
		answer  func(n int64) int // the status of the nth answer
		exit    int
		sent    int64
		says    string
	}{
		"each fifth fails":                {20, fifth, 1, 5, "is there, in one of 5 answers"},
		"each fifth fails, sent once":     {0, fifth, 0, 1, "is not there"},
		"each fails":                      {20, one(func(int64) bool { return true }, fails), 1, 3, "is there: "},
		"none fails":                      {20, one(func(int64) bool { return false }, fails), 0, 20, "is not there, in 20 answers"},
		"the first is stale":              {20, one(func(n int64) bool { return n == 1 }, fails), 0, 21, "is not there, in 20 answers"},
		"the first two of three are late": {0, one(func(n int64) bool { return n < 3 }, fails), 0, 3, "is not there"},
		"the limit is met after a few":    {20, one(func(n int64) bool { return n > 3 }, busy), 2, 4, "nothing was decided"},
	} {
		for form, judge := range map[string]result.Reproduction{
			"a status":           {Passing: []string{"200"}, Answer: result.Answer{Status: fails}},
			"the answer as such": {Answer: result.Answer{Status: fails, Body: exactly("gone"), Headers: []result.Field{{Name: "Allow", Value: exactly("none")}}}},
			"one header field":   {Answer: result.Answer{Status: fails, Body: exactly("what no later answer holds"), Headers: []result.Field{{Name: "Allow", Value: exactly("none")}, {Name: "Location", Value: exactly("elsewhere")}}, Field: "Allow"}},
		} {
			t.Run(name+", judged by "+form, func(t *testing.T) {
				t.Parallel()
				var sent atomic.Int64
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					w.Header()["Content-Type"] = nil
					status := test.answer(sent.Add(1))
					w.Header().Set("Allow", map[int]string{fails: "none", right: "GET"}[status])
					w.WriteHeader(status)
					_, _ = w.Write([]byte(map[int]string{fails: "gone"}[status]))
				}))
				defer server.Close()
				story := judge
				story.Repeats = test.repeats
				story.Steps = []result.Step{{Method: http.MethodGet, Path: exactly(rules.GetMe.Path()), Headers: usualFields(), User: []result.Piece{{Var: "APP_TOKEN"}, {Text: ":"}}}}
				code, out := played(t, server.URL, result.Check{Expected: "200", Actual: "404", Reproduction: &story}, "APP_TOKEN=first")
				if code != test.exit || !strings.Contains(out, test.says) || sent.Load() != test.sent {
					t.Errorf("it ends with %d after %d requests, want %d after %d, and says %q, want %q", code, sent.Load(), test.exit, test.sent, out, test.says)
				}
			})
		}
	}
}

// TestScriptsSendAtTheSameTime runs the script of two writes that were sent at the same time, at a
// target that answers neither before it has both. What each gives is taken from its own answer.
func TestScriptsSendAtTheSameTime(t *testing.T) {
	needs(t, "sh", "curl", "jq")
	const longest = 10 * time.Second // that one waits for the other
	both, count := make(chan struct{}), new(atomic.Int64)
	asked := make(chan string, 100)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			sent, _ := io.ReadAll(r.Body)
			if count.Add(1) == 2 {
				close(both)
			}
			select {
			case <-both:
			case <-time.After(longest):
				w.WriteHeader(http.StatusGatewayTimeout)
				return
			}
			_, _ = w.Write([]byte(`{"id":"of-` + string(sent) + `"}`))
			return
		}
		asked <- r.URL.Query().Get("q")
	}))
	defer server.Close()
	step := func(body string, atOnce bool, gives string) result.Step {
		return result.Step{Method: http.MethodPost, Path: exactly(rules.CreateEvent.Path()), Headers: usualFields(), Body: exactly(body), AtOnce: atOnce,
			Captures: []result.Capture{{Var: gives, Field: "id"}}}
	}
	read := result.Step{Method: http.MethodGet, Headers: usualFields(), Path: []result.Piece{{Text: "/?q="}, {Var: "EVENT_ID_2"}}}
	story := result.Reproduction{Steps: []result.Step{step("one", false, "EVENT_ID_1"), step("two", true, "EVENT_ID_2"), read}, Answer: result.Answer{Status: 500}}
	check := result.Check{Expected: "an event", Reproduction: &story}
	code, out := played(t, server.URL, check, "APP_TOKEN=first")
	if code != 0 || !strings.Contains(out, "try again") {
		t.Fatalf("it ends with %d, and says %s", code, out)
	}
	if got := <-asked; got != "of-two" {
		t.Errorf("the second gave %q", got)
	}
	for _, form := range []script.Form{script.Hurl, script.HTTPFile, script.GoTest} {
		if err := script.Write(io.Discard, form, soundReport(), result.Rule{ID: "feed.merge"}, check); err == nil || !strings.Contains(err.Error(), "at the same time") {
			t.Errorf("%s takes it: %v", form, err)
		}
	}
}

// TestScriptsLetStaleAnswersPass runs the script of a read at a target whose copies lag: right and stale
// answers alternate for a while.
func TestScriptsLetStaleAnswersPass(t *testing.T) {
	needs(t, "sh", "curl", "jq")
	const lag = 500 * time.Millisecond
	var sent atomic.Int64
	first := sync.OnceValue(time.Now)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if time.Since(first()) < lag && sent.Add(1)%2 == 0 {
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	defer server.Close()
	read := result.Step{Method: http.MethodGet, Path: exactly(rules.GetMe.Path()), Headers: usualFields()}
	story := result.Reproduction{Steps: []result.Step{read}, Passing: []string{"200"}, Answer: result.Answer{Status: 404}, Repeats: 20, RepeatAfterMS: lag.Milliseconds()}
	if code, out := played(t, server.URL, result.Check{Reproduction: &story}, "APP_TOKEN=first"); code != 0 {
		t.Errorf("it ends with %d, and says %s", code, out)
	}
}

// TestNoScriptWhereClientsDoNotSeeTheFailure has bytes behind a 204, which HTTP clients hide.
func TestNoScriptWhereClientsDoNotSeeTheFailure(t *testing.T) {
	drop := result.Step{Method: http.MethodDelete, Path: exactly("/"), Headers: usualFields(), User: []result.Piece{{Var: "APP_TOKEN"}}}
	for _, hidden := range []bool{false, true} {
		check := result.Check{Reproduction: &result.Reproduction{Steps: []result.Step{drop}, Answer: result.Answer{Status: 204, Hidden: hidden}}}
		err := script.Write(io.Discard, script.Shell, soundReport(), result.Rule{ID: "errors.no-content-empty"}, check)
		if refused := err != nil && strings.Contains(err.Error(), "no HTTP client reads"); refused != hidden {
			t.Errorf("bytes behind the answer: %t; got %v", hidden, err)
		}
	}
}

// TestNoScriptWhereOnlyTwoAnswersTogetherShowIt has the deciding write sent beside another one, where no
// status is wrong: a target without the failure gives the same answer where this write comes first.
func TestNoScriptWhereOnlyTwoAnswersTogetherShowIt(t *testing.T) {
	put := func(atOnce bool) result.Step {
		return result.Step{Method: http.MethodPut, Path: exactly("/"), Headers: usualFields(), Body: exactly("{}"), AtOnce: atOnce, User: []result.Piece{{Var: "APP_TOKEN"}}}
	}
	x := result.Exchange{Curl: "curl $SESSION_TOKEN"}
	for _, passing := range [][]string{nil, {"200"}} {
		check := result.Check{Exchanges: []result.Exchange{x}, Reproduction: &result.Reproduction{Steps: []result.Step{put(false), put(true)}, Answer: result.Answer{Status: 200}, Passing: passing}}
		err := script.Write(io.Discard, script.Shell, soundReport(), result.Rule{ID: "feed.merge"}, check)
		refused := err != nil && strings.Contains(err.Error(), "go together")
		commands := view.New(soundReport(), view.Options{Report: "r.json"}).Commands
		command := commands.Reproduce(&result.Rule{ID: "feed.merge"}, &check)
		if want := passing == nil; refused != want || (command == "") != want {
			t.Errorf("passing %q: refused with %v, the command is %q", passing, err, command)
		}
	}
}

// TestScriptsPlayARaceSeveralTimes has the deciding write sent while another one is under way, at a
// target that answers neither before it has both, and fails in the third attempt.
func TestScriptsPlayARaceSeveralTimes(t *testing.T) {
	needs(t, "sh", "curl", "jq")
	const longest = 10 * time.Second
	for failsAt, want := range map[int]string{1: "this was attempt 1\n", 3: "this was attempt 3\n", 0: "in each of 20 attempts"} {
		t.Run(fmt.Sprint(failsAt), func(t *testing.T) {
			met, attempt := make(chan struct{}), 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method != http.MethodPut {
					return
				}
				if r.URL.Path == "/beside" {
					select {
					case met <- struct{}{}:
					case <-time.After(longest):
					}
					return
				}
				select {
				case <-met:
				case <-time.After(longest):
					t.Error("the other write was not under way")
				}
				if attempt++; attempt == failsAt {
					w.WriteHeader(http.StatusConflict)
				}
			}))
			defer server.Close()
			put := func(path string, atOnce bool) result.Step {
				return result.Step{Method: http.MethodPut, Path: exactly(path), Headers: usualFields(), Body: exactly("{}"), AtOnce: atOnce}
			}
			story := result.Reproduction{Steps: []result.Step{{Method: http.MethodGet, Path: exactly("/"), Headers: usualFields()}, put("/beside", false), put("/decides", true)},
				Answer: result.Answer{Status: http.StatusConflict}, Passing: []string{"200"}}
			code, out := played(t, server.URL, result.Check{Expected: "200", Reproduction: &story}, "APP_TOKEN=first")
			if (code == 1) != (failsAt > 0) || !strings.Contains(out, want) {
				t.Errorf("it ends with %d, and says %s", code, out)
			}
		})
	}
}
