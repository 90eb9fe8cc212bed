package conformance

import (
	"slices"
	"sync"
)

// finding is what a passive rule says of one exchange.
type finding struct {
	relevant bool   // the exchange has what the rule is about
	problem  string // "" when the rule is kept
	lenient  bool   // a problem that only warns
}

// passiveRule judges every exchange of the run.
type passiveRule struct {
	id       string
	expected string
	judge    func(*observation) finding
	source   string // the rule that blocks this one when no exchange was relevant; "" when then there is nothing to keep
}

// tally is a passive rule at one endpoint.
type tally struct {
	relevant, broken int
	status           Status
	problem          string
	scenario         string
	evidence         []*exchange // of the first breaches
}

const maxPassiveEvidence = 3

// watch judges the passive rules over the run.
type watch struct {
	mu       sync.Mutex
	rules    []passiveRule
	traits   Traits
	tallies  map[claim]*tally
	requests map[string]int
}

func newWatch(secretMark string) *watch {
	return &watch{rules: passiveRules(secretMark), tallies: map[claim]*tally{}, requests: map[string]int{}}
}

// see judges one exchange.
func (w *watch) see(x *exchange) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.requests[x.method]++
	if x.err != nil {
		return
	}
	o := observe(x)
	for _, rule := range w.rules {
		w.book(rule, o, rule.judge(o))
	}
	w.traits.see(o)
}

func (w *watch) book(rule passiveRule, o *observation, f finding) {
	if !f.relevant {
		return
	}
	key := claim{rule.id, o.endpoint}
	t := w.tallies[key]
	if t == nil {
		t = &tally{status: Pass, scenario: o.scenario}
		w.tallies[key] = t
	}
	t.relevant++
	if f.problem == "" {
		return
	}
	status := Fail
	if f.lenient {
		status = Warn
	}
	if t.broken == 0 || worst([]Status{t.status, status}) != t.status {
		t.status, t.problem, t.scenario = status, f.problem, o.scenario
		t.evidence = append(t.evidence, o.exchange) // the decisive one stands last
	} else {
		t.evidence = slices.Insert(t.evidence, 0, o.exchange)
	}
	t.evidence = t.evidence[max(0, len(t.evidence)-maxPassiveEvidence):]
	t.broken++
}

// judgements are the outcomes of all passive rules that are selected.
func (w *watch) judgements(r *run) []Judgement {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []Judgement
	for _, rule := range w.rules {
		for _, e := range append([]Endpoint{NoEndpoint}, Endpoints()...) {
			if t := w.tallies[claim{rule.id, e}]; t != nil && r.selected.includes(rule.id, e) {
				all = append(all, t.judgement(r, rule, e))
			}
		}
	}
	return all
}

func (t *tally) judgement(r *run, rule passiveRule, e Endpoint) Judgement {
	c := &Check{trial: &Trial{run: r, scenario: &scenario{}}, rule: rule.id, endpoint: e, status: Pass}
	if t.broken > 0 {
		c.trial.scenario.text = t.scenario
		c.exchanges = t.evidence
		c.conclude(&stop{status: Fail, expected: rule.expected, actual: t.problem})
		if t.status == Warn {
			c.status = Warn
		}
	}
	j := c.judgement()
	j.Seen, j.Broken = t.relevant, t.broken
	return j
}
