package conformance

import (
	"fmt"
	"slices"
	"sync"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// plays are the scenarios and stories that a run has played, and how far it has come.
type plays struct {
	mu       sync.Mutex // also of the checks of what counts
	counted  []*T       // whose checks count
	others   []*T       // which judge nothing: played once more, or not scenarios
	replays  int
	done, of int
	failed   int
}

// begin says how many more scenarios there are to play.
func (p *plays) begin(of int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.of += of
}

// end adds what was played with its checks, of which so many failed, and counts it where it is a
// scenario that came to its end.
func (p *plays) end(t *T, counts bool, failed int) Progress {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.counted = append(p.counted, t)
	p.failed += failed
	if counts {
		p.done++
	}
	return Progress{Scenario: t.scenario.text, Done: p.done, Of: p.of, Failed: p.failed}
}

// add adds what is no scenario of the run and may have checks, or users to delete.
func (p *plays) add(more ...*T) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.counted = append(p.counted, more...)
}

// addCheck adds a check to what was played, and how many failed checks it makes.
func (p *plays) addCheck(t *T, c *Check, failed int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	t.checks = append(t.checks, c)
	p.failed += failed
}

// discard adds what has users to delete, and no checks that count.
func (p *plays) discard(t *T) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.others = append(p.others, t)
}

// maxReplays bounds how many scenarios of a run are played a second time.
const maxReplays = 40

// replay counts a scenario that is to be played once more, by new actors, and reports whether
// it may be.
func (p *plays) replay() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.replays++
	return p.replays <= maxReplays
}

// progress is how far the run has come.
func (p *plays) progress() Progress {
	p.mu.Lock()
	defer p.mu.Unlock()
	return Progress{Done: p.done, Of: p.of, Failed: p.failed}
}

// each visits every check that counts, in the order in which they were made.
func (p *plays) each(visit func(*Check)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, t := range p.counted {
		for _, c := range t.checks {
			visit(c)
		}
	}
}

// named returns what was played under a name, nil if there is none.
func (p *plays) named(name string) *T {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, t := range p.counted {
		if t.scenario.text == name {
			return t
		}
	}
	return nil
}

// all are those that count, and the others after them.
func (p *plays) all() []*T {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Concat(p.counted, p.others)
}

// failuresAmong counts the checks that failed in a rule that is judged.
func (r *run) failuresAmong(checks ...*Check) int {
	failed := 0
	for _, c := range checks {
		if c.status == result.Fail && r.selected.Includes(c.rule, c.endpoint) {
			failed++
		}
	}
	return failed
}

// stopAtFailures ends the run when the allowed number of checks has failed, including those of
// passive rules.
func (r *run) stopAtFailures() {
	if r.config.MaxFailures == 0 {
		return
	}
	failed := r.plays.progress().Failed
	for _, o := range r.monitor.Outcomes() {
		if o.Status == result.Fail && r.level(o.Rule) == rules.Must && r.selected.Includes(o.Rule, o.At) {
			failed++
		}
	}
	if failed >= r.config.MaxFailures {
		r.end(fmt.Errorf("stopped after %s", result.Plural(r.config.MaxFailures, "failure")))
	}
}
