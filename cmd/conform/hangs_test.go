//go:build unix

package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
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
	quick := map[rules.Endpoint]string{rules.DeleteMe: "no answer", rules.Login: "no body", rules.Feed: "a byte a second"}
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
				o := judged(t, append(servePlain(t, target), "--request-timeout", "1s", "--settle", "200ms", "--hold", "100ms", "--timeout", "2m")...)
				var told []string
				passed := 0
				for _, rule := range o.report.Rules {
					for _, check := range rule.Checks {
						if check.Status == result.Pass {
							passed++
						}
						if check.Endpoint == at.String() && rule.ID == at.BlockingRule() && check.Status == result.Error {
							told = append(told, check.Message)
						}
					}
				}
				t.Logf("exit %d, %.1fs, %d requests hung, %d checks passed; %q", o.code, time.Since(began).Seconds(), target.hung.Load(), passed, told)
				o.wants(t, exitNoVerdict)
				if text := strings.Join(told, "\n"); !strings.Contains(text, "complete answer") || !strings.Contains(text+o.report.EndedBy, at.String()) && !strings.Contains(text, "no complete answer within 1s") {
					t.Errorf("at the endpoint it is told as %q", told)
				}
				if blamed := o.blamed(); len(blamed) > 0 {
					t.Errorf("blamed is %v", blamed)
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
