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

// TestRunsStayBelowTheLimits plays runs of several seeds, whose stories differ, and sees that each sends
// fewer requests of a category than the contract's limit leaves room for, and that the scenarios leave
// enough for a combined story, which finds most for its requests, or for all stories in which requests are sent at
// once: one and the other in some runs.
func TestRunsStayBelowTheLimits(t *testing.T) {
	const runs, most = 6, 900
	combined := 0
	for seed := range int64(runs) {
		config := conformance.Config{Hold: time.Millisecond, Seed: seed + 1, Rate: conformance.DefaultRate}
		played := scenariosSeen{all: map[string]bool{}}
		report := judgedAs(t, config, refserver.Choices{}, played.behind)
		if played.all["a drawn story: combined"] {
			combined++
		} else if !played.all["a drawn story: at once"] {
			t.Errorf("seed %d: neither a combined story was played nor one of requests at once", seed+1)
		}
		for _, story := range []string{"at once with a deletion", "requests with many peculiarities"} {
			if !played.all["a drawn story: "+story] {
				t.Errorf("seed %d: the story %q was not played", seed+1, story)
			}
		}
		sent := report.Summary.Requests
		for category, n := range map[string]int{"writing": sent["POST"] + sent["PUT"], "querying": sent["GET"], "deleting": sent["DELETE"]} {
			if n >= most {
				t.Errorf("seed %d: %d requests of the category %s, want fewer than %d", seed+1, n, category, most)
			}
		}
	}
	if combined == 0 {
		t.Errorf("none of %d runs plays a combined story", runs)
	}
}

// TestATargetThatServesMoreIsSentMore judges targets on this machine, with and without limits: further stories are
// played where there are none, or where another application or user has limits of its own, unless a rate is set. A
// limit costs neither a wait nor leaves users behind.
func TestATargetThatServesMoreIsSentMore(t *testing.T) {
	if testing.Short() {
		t.Skip("five whole runs: they run without the race detector")
	}
	const contract, few = 1000, 100
	for name, test := range map[string]struct {
		limit int
		scope refserver.RateScope
		rate  int
		more  bool
	}{
		"no limit":                             {-1, "", 0, true},
		"no limit, but a rate":                 {-1, "", conformance.DefaultRate, false},
		"the contract's limit, by address":     {contract, refserver.PerAddress, 0, false},
		"the contract's limit, by application": {contract, refserver.PerApplication, 0, true},
		"the contract's limit, by user":        {contract, refserver.PerUser, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			options := refserver.Options{RateLimit: test.limit, Choices: refserver.Choices{RateScope: test.scope}}
			report := judgedOn(t, conformance.Config{Hold: time.Millisecond, Seed: 3, Rate: test.rate}, options, func(served http.Handler) http.Handler { return served })
			if report.Verdict != result.Conformant || time.Since(began) > time.Minute {
				t.Errorf("the verdict is %s, after %s", report.Verdict, time.Since(began))
			}
			sent := report.Summary.Requests
			if writes := sent["POST"] + sent["PUT"]; writes > contract+few != test.more {
				t.Errorf("%d writes are sent", writes)
			}
		})
	}
}

// scenariosSeen are the scenarios that requests name.
type scenariosSeen struct {
	mu  sync.Mutex
	all map[string]bool
}

func (s *scenariosSeen) behind(served http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, _, _ := strings.Cut(r.Header.Get("X-Conform-Scenario"), ";")
		s.mu.Lock()
		s.all[name] = true
		s.mu.Unlock()
		served.ServeHTTP(w, r)
	})
}
