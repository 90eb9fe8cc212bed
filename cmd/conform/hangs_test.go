//go:build unix

package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/refserver"
)

// The ways in which an answer never comes to its end.
var neverEnding = map[string]func(w http.ResponseWriter, r *http.Request){
	"no answer": func(http.ResponseWriter, *http.Request) {},
	"no body": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", "100")
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).Flush()
	},
	"a byte a second": func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusOK)
		for {
			if _, err := w.Write([]byte(" ")); err != nil || http.NewResponseController(w).Flush() != nil {
				return
			}
			select {
			case <-time.After(time.Second):
			case <-r.Context().Done():
				return
			}
		}
	},
}

// hanging is a good server, one of whose endpoints never comes to the end of an answer.
type hanging struct {
	good  http.Handler
	at    rules.Endpoint
	way   string
	hung  atomic.Int64
	asked chan struct{} // holds something once a request hangs
}

// hangs makes one.
func hangs(good http.Handler, at rules.Endpoint, way string) *hanging {
	return &hanging{good: good, at: at, way: way, asked: make(chan struct{}, 1)}
}

// ServeHTTP answers, but at the endpoint.
func (h *hanging) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if rules.EndpointOf(r.Method, r.URL.EscapedPath()) != h.at {
		h.good.ServeHTTP(w, r)
		return
	}
	_, _ = io.Copy(io.Discard, r.Body) // until then the server does not notice that a client has gone
	h.hung.Add(1)
	select {
	case h.asked <- struct{}{}:
	default:
	}
	neverEnding[h.way](w, r)
	<-r.Context().Done()
}

// TestAnEndpointThatNeverAnswers has each endpoint in turn never come to the end of an answer: it is
// told at the endpoint, and the rest is judged. HANGS=each tries every endpoint, HANGS=all
// each in every way.
func TestAnEndpointThatNeverAnswers(t *testing.T) {
	t.Parallel()
	quick := map[rules.Endpoint]string{rules.DeleteMe: "no body", rules.Login: "no answer", rules.Feed: "a byte a second"}
	for _, at := range rules.Endpoints() {
		for way := range neverEnding {
			if all := os.Getenv("HANGS"); all != "all" && quick[at] != way && !(all == "each" && way == "no answer") {
				continue
			}
			t.Run(fmt.Sprintf("%s %s", at, way), func(t *testing.T) {
				t.Parallel()
				good := reference(t, func(o *refserver.Options) { o.RateLimit = -1 })
				target := hangs(good, at, way)
				began := time.Now()
				o := judged(t, append(servePlain(t, target), "--request-timeout", "3s", "--settle", "200ms", "--hold", "100ms", "--timeout", "2m")...)
				var told, unjudged []string
				passed, blocked := 0, 0
				for _, rule := range o.report.Rules {
					for _, check := range rule.Checks {
						switch {
						case check.Status == result.Pass:
							passed++
						case check.Status == result.Blocked && blockedThrough(o.report, check.BlockedBy, at.BlockingRule()):
							blocked++
						case check.Status == result.Error && rule.ID == at.BlockingRule():
							told = append(told, check.Message)
						case check.Status == result.Error, check.Status == result.Blocked:
							unjudged = append(unjudged, fmt.Sprintf("%s at %s: %s (%s)", rule.ID, check.Endpoint, check.Message, check.BlockedBy))
						}
					}
				}
				t.Logf("exit %d, %.1fs, %d requests hung, %d checks passed, %d blocked; %q", o.code, time.Since(began).Seconds(), target.hung.Load(), passed, blocked, told)
				o.wants(t, exitNoVerdict)
				if text := strings.Join(told, "\n"); !strings.Contains(text, "complete answer") || !strings.Contains(text+o.report.EndedBy, at.String()) && !strings.Contains(text, "no complete answer within 3s") {
					t.Errorf("at the endpoint it is told as %q", told)
				}
				if blamed := o.blamed(); len(blamed) > 0 {
					t.Errorf("blamed is %v", blamed)
				}
				if len(unjudged) > 0 {
					t.Errorf("%d checks are blocked by no rule of the endpoint:\n%s", len(unjudged), strings.Join(unjudged, "\n"))
				}
				if most := int64(32); target.hung.Load() > most {
					t.Errorf("%d requests were waited for, want %d at most", target.hung.Load(), most)
				}
				if fewest := 300; passed < fewest && at != rules.CreateUser { // without which there is nobody
					t.Errorf("%d checks passed, want %d at least", passed, fewest)
				}
			})
		}
	}
}

// blockedThrough reports whether what a rule blocks is blocked by another rule in the end: by itself,
// or through rules that it blocks.
func blockedThrough(r *result.Report, by, root string, before ...string) bool {
	if by == root {
		return true
	}
	for _, rule := range r.Rules {
		for _, check := range rule.Checks {
			if rule.ID == by && check.Status == result.Blocked && !slices.Contains(before, by) &&
				blockedThrough(r, check.BlockedBy, root, append(before, by)...) {
				return true
			}
		}
	}
	return false
}

// TestInterruptWhereAnEndpointNeverAnswers interrupts a run on such a target: it ends with a report
// that tells who was not deleted.
func TestInterruptWhereAnEndpointNeverAnswers(t *testing.T) {
	t.Parallel()
	for _, at := range []rules.Endpoint{rules.DeleteMe, rules.CreateEvent} {
		t.Run(at.String(), func(t *testing.T) {
			t.Parallel()
			target := hangs(reference(t, nil), at, "no answer")
			path := file(t, nil)
			cmd := command(t, append(servePlain(t, target), "--request-timeout", "5m", "--quiet", "--report", "json="+path)...)
			var interrupted time.Time
			o := finishWhile(t, cmd, func() {
				<-target.asked
				interrupted = time.Now()
				cmd.Process.Signal(os.Interrupt)
			})
			o.read(t, path)
			o.wants(t, exitNoVerdict)
			notes := strings.Join(o.report.Notes, "\n")
			t.Logf("it ended after %.1fs", time.Since(interrupted).Seconds())
			if took, most := time.Since(interrupted), time.Minute; took > most {
				t.Errorf("it ended after %s, want %s at most, however busy the machine is", took, most)
			}
			if !strings.Contains(notes, "interrupted") || strings.Contains(notes, "could not be deleted") != (at == rules.DeleteMe) {
				t.Errorf("the notes are %q", o.report.Notes)
			}
		})
	}
}
