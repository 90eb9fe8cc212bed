package scenarios_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/refserver"
)

// distance answers each request after a while, and keeps how many were under way at the same time: of scenarios, of
// drawn stories, of stories while scenarios had some, and of deletions of users.
type distance struct {
	mu      sync.Mutex
	present map[string]int // by scenario
	deletes int
	most    map[string]int // by phase
}

func (d *distance) behind(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		const way = 6 * time.Millisecond
		defer d.begin(r)()
		if r.Method != http.MethodOptions { // which a gateway nearby answers
			time.Sleep(way) // what is tested is not how long it takes, but what goes on meanwhile
		}
		next.ServeHTTP(w, r)
	})
}

// begin counts a request until the returned function is called.
func (d *distance) begin(r *http.Request) (end func()) {
	scenario, _, _ := strings.Cut(r.Header.Get("X-Conform-Scenario"), "; rule ")
	deletes := 0
	if r.Method == http.MethodDelete && r.URL.Path == "/0.2/user" {
		deletes = 1
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.present[scenario]++
	d.deletes += deletes
	stories, others := 0, 0
	for name, n := range d.present {
		switch {
		case n == 0:
		case strings.HasPrefix(name, "a drawn story"):
			stories++
		default:
			others += n
		}
	}
	for phase, n := range map[string]int{"scenarios": others, "stories": stories, "stories beside scenarios": min(stories, others), "deletions": d.deletes} {
		d.most[phase] = max(d.most[phase], n)
	}
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.present[scenario]--
		d.deletes -= deletes
	}
}

// TestNoPhaseSendsOneRequestAtATime judges a target at some distance, and sees that several requests are under way in
// each phase of the run.
func TestNoPhaseSendsOneRequestAtATime(t *testing.T) {
	t.Parallel()
	d := &distance{present: map[string]int{}, most: map[string]int{}}
	config := conformance.Config{Seed: 7, Rate: conformance.DefaultRate, Hold: 200 * time.Millisecond}
	report := judgedAs(t, config, refserver.Choices{}, d.behind)
	if report.Verdict != result.Conformant {
		t.Errorf("the verdict is %s", report.Verdict)
	}
	for phase, least := range map[string]int{"scenarios": conformance.DefaultJobs, "stories": 2, "stories beside scenarios": 1, "deletions": 4} {
		if d.most[phase] < least {
			t.Errorf("%s: %d at the same time at most, want %d", phase, d.most[phase], least)
		}
	}
	t.Logf("at the same time: %v, jobs %d", d.most, report.Jobs)
}
