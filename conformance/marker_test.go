package conformance_test

import (
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	. "github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// Every request says what it is for, but those of a browser's, whose headers count;
// the evidence does without.
func TestRequestsNameTheirScenario(t *testing.T) {
	const header, traceHeader = "X-Conform-Scenario", "Traceparent"
	form := regexp.MustCompile(`^00-([0-9a-f]{32})-[0-9a-f]{16}-01$`)
	for name, quiet := range map[string]bool{"named": false, "--no-headers": true} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			var mu sync.Mutex
			marked, plain := map[string]string{}, 0
			traces := map[string]string{}
			f.instead = func(_ http.ResponseWriter, r *http.Request) bool {
				mu.Lock()
				defer mu.Unlock()
				trace := r.Header.Get(traceHeader)
				if id := form.FindStringSubmatch(trace); id != nil {
					traces[id[1]] = r.Method + " " + r.URL.Path
				}
				if (form.MatchString(trace)) != (r.Header.Get(header) != "") || trace != "" && !form.MatchString(trace) {
					t.Errorf("%s %s: the trace is %q", r.Method, r.URL.Path, trace)
				}
				if text := r.Header.Get(header); text != "" {
					marked[r.Method+" "+r.URL.Path+r.Header.Get("Origin")] = text
				} else {
					plain++
				}
				return false
			}
			config := f.config("users.me.get", "feed.status")
			config.NoHeaders = quiet
			report := judged(t, config, func(s *Suite) {
				s.Scenario("a café’s user reads itself", Covers("users.me.get", "feed.status"), func(t *T) {
					a := t.Actor()
					t.Judge("users.me.get", func(c *Check) { c.Status(t.Send(a, rules.GetMe), OneOf(418)) })
					t.Judge("feed.status", func(c *Check) { c.Status(t.Send(a, rules.Feed, Header("Origin", "https://x")), OneOf(200)) })
				})
			})
			if quiet && len(marked) > 0 || !quiet && (marked["GET /0.2/user"] != "a caf??s user reads itself; rule users.me.get" || plain != 1) {
				t.Errorf("%d without, and with it %q", plain, marked)
			}
			rule := expectRule(t, report, "users.me.get", result.Fail, "418")
			for _, x := range rule.Checks[0].Exchanges {
				if x.Request.Headers.Get(header)+x.Request.Headers.Get(traceHeader) != "" || strings.Contains(strings.ToLower(x.Curl), "traceparent") || strings.Contains(x.Curl, header) {
					t.Errorf("the evidence has a header: %+v", x)
				}
				if quiet != (x.TraceID == "") || !quiet && traces[x.TraceID] != "GET /0.2/user" {
					t.Errorf("the evidence has the trace %q", x.TraceID)
				}
			}
		})
	}
}

func TestStopsAtFailures(t *testing.T) {
	f := newFake(t)
	played := 0
	config := f.config("users.me.get")
	config.Jobs, config.MaxFailures = 1, 2
	report := judged(t, config, func(s *Suite) {
		for _, name := range []string{"one", "two", "three", "four", "five"} {
			s.Scenario(name, Covers("users.me.get"), func(t *T) {
				played++
				t.Judge("users.me.get", func(c *Check) { c.Fail("this", "that") })
			})
		}
	})
	if played != 2 || report.Summary.Checks[result.Fail] != 2 || report.Verdict != result.NonConformant || !strings.Contains(report.EndedBy, "stopped after 2 failures") {
		t.Errorf("%d played, %v, %s, ended by %q", played, report.Summary.Checks, report.Verdict, report.EndedBy)
	}
}

// TestFailuresThatAreNotJudgedStopNothing has a scenario fail in a rule that was not selected,
// beside one that was.
func TestFailuresThatAreNotJudgedStopNothing(t *testing.T) {
	f := newFake(t)
	config := f.config("users.me.get")
	config.Jobs, config.MaxFailures = 1, 1
	failed := 0
	config.Progress = func(p Progress) { failed = max(failed, p.Failed) }
	report := judged(t, config, func(s *Suite) {
		for _, name := range []string{"one", "two"} {
			s.Scenario(name, Covers("users.me.get", "users.get.other"), func(t *T) {
				t.Judge("users.get.other", func(c *Check) { c.Fail("this", "that") })
				t.Judge("users.me.get", func(*Check) {})
			})
		}
	})
	if report.Summary.Checks[result.Pass] != 2 || report.Verdict != result.Conformant || failed != 0 || report.EndedBy != "" {
		t.Errorf("%v, %s, %d failed, ended by %q", report.Summary.Checks, report.Verdict, failed, report.EndedBy)
	}
}
