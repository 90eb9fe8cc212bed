//go:build unix

package main

import (
	"cmp"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/refserver"
)

// The ways in which an answer never comes to its end.
var neverEnding = map[string]func(w http.ResponseWriter, r *http.Request, answer *httptest.ResponseRecorder){
	"no answer": func(http.ResponseWriter, *http.Request, *httptest.ResponseRecorder) {},
	"no body": func(w http.ResponseWriter, _ *http.Request, answer *httptest.ResponseRecorder) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(max(1, answer.Body.Len())))
		w.WriteHeader(max(answer.Code, http.StatusCreated))
		_ = http.NewResponseController(w).Flush()
	},
	"a byte a second": func(w http.ResponseWriter, r *http.Request, answer *httptest.ResponseRecorder) {
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

// hanging is a good server, one of whose endpoints carries out its requests and never answers
// them to the end.
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
	h.hung.Add(1)
	select {
	case h.asked <- struct{}{}:
	default:
	}
	neverEnding[h.way](w, r, httptest.NewRecorder())
	<-r.Context().Done()
}

// TestAnEndpointThatNeverAnswers has each endpoint in turn never come to the end of an answer: it is
// told at the endpoint, and the rest is judged. HANGS=all tries every endpoint in every way.
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
				counts := map[result.Status]int{}
				for _, rule := range o.report.Rules {
					for _, check := range rule.Checks {
						counts[check.Status]++
						if check.Endpoint == at.String() && rule.ID == at.BlockingRule() {
							told = append(told, fmt.Sprintf("%s %s: %s", check.Status, rule.ID, check.Message))
						}
					}
				}
				t.Logf("%-40s exit %d, %5.1fs, hung %d; fail %v; %v; %q; %.200q ended %q", fmt.Sprint(at, " ", way), o.code, time.Since(began).Seconds(), target.hung.Load(), o.blamed(), counts, told, o.stderr, o.report.EndedBy)
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
			cmd := command(t, append(servePlain(t, target), "--quiet", "--report", "json="+path)...)
			var interrupted time.Time
			o := finishWhile(t, cmd, func() {
				<-target.asked
				interrupted = time.Now()
				cmd.Process.Signal(os.Interrupt)
			})
			o.read(t, path)
			t.Logf("%s: exit %d after %.1fs, notes %q", at, o.code, time.Since(interrupted).Seconds(), o.report.Notes)
			o.wants(t, exitNoVerdict)
			_ = cmp.Or(slices.Max([]int{1}), len(strings.Fields(o.stdout)))
		})
	}
}
