// Package passive judges the rules that hold for every response of a run.
package passive

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// finding is what a passive rule says of one exchange.
type finding struct {
	relevant bool   // the exchange has what the rule is about
	problem  string // "" when the rule is kept
	lenient  bool   // a problem that only warns
}

// rule judges every exchange of the run.
type rule struct {
	id       string
	expected string
	judge    func(*decodedExchange) finding
}

// tally is a passive rule at one endpoint.
type tally struct {
	relevant, broken int
	status           result.Status
	problem          string
	scenario         string
	evidence         []*wire.Exchange // of the first violations
}

const maxPassiveEvidence = 3

// Monitor judges the passive rules over the run.
type Monitor struct {
	mu       sync.Mutex
	rules    []rule
	choices  result.ObservedChoices
	tallies  map[rules.Place]*tally
	requests map[string]int
	mistakes *mistakes
}

// NewMonitor makes a monitor that has seen nothing. The mark stands in every password of
// the run, and in nothing else.
func NewMonitor(secretMark string) *Monitor {
	return &Monitor{rules: rulesWith(secretMark), tallies: map[rules.Place]*tally{}, requests: map[string]int{}, mistakes: newMistakes()}
}

// Violation is a passive rule that an exchange breaks.
type Violation struct {
	Rule, Problem string
	Lenient       bool // it is to be excused
}

// See judges one exchange, and returns what it breaks.
func (m *Monitor) See(x *wire.Exchange) []Violation {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests[x.Method]++
	o := &decodedExchange{Exchange: x, mistakes: m.mistakes}
	m.mistakes.record(o)
	if x.Err != nil {
		return nil
	}
	o.decode()
	var violations []Violation
	for _, rule := range m.rules {
		f := rule.judge(o)
		m.record(rule, o, f)
		if f.relevant && f.problem != "" {
			violations = append(violations, Violation{rule.id, f.problem, f.lenient})
		}
	}
	observeChoices(&m.choices, o)
	return violations
}

// Requests is how many requests were sent so far, by method.
func (m *Monitor) Requests() map[string]int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.requests)
}

// Choices is what the responses so far showed of the target's choices.
func (m *Monitor) Choices() result.ObservedChoices {
	m.mu.Lock()
	defer m.mu.Unlock()
	var copied result.ObservedChoices
	copied.Merge(m.choices)
	return copied
}

func (m *Monitor) record(rule rule, o *decodedExchange, f finding) {
	if !f.relevant {
		return
	}
	key := rules.Place{Rule: rule.id, At: o.Endpoint}
	t := m.tallies[key]
	if t == nil {
		t = &tally{status: result.Pass, scenario: o.Scenario}
		m.tallies[key] = t
	}
	t.relevant++
	if f.problem == "" {
		return
	}
	status := result.Fail
	if f.lenient {
		status = result.Warn
	}
	worse := t.broken == 0 || result.Worst([]result.Status{t.status, status}) != t.status
	if simpler := t.broken > 0 && status == t.status && len(o.Tried) < len(t.evidence[len(t.evidence)-1].Tried); worse || simpler {
		t.status, t.problem, t.scenario = status, f.problem+triedWith(o.Exchange), o.Scenario
		t.evidence = append(t.evidence, o.Exchange) // the decisive one stands last
	} else {
		t.evidence = slices.Insert(t.evidence, 0, o.Exchange)
	}
	t.evidence = t.evidence[max(0, len(t.evidence)-maxPassiveEvidence):]
	t.broken++
}

// triedWith says what an exchange's request has that a plain one has not.
func triedWith(x *wire.Exchange) string {
	switch n := len(x.Tried); n {
	case 0:
		return ""
	case 1:
		return ", to a request with " + x.Tried[0]
	default:
		return fmt.Sprintf(", to a request with %d peculiarities", n)
	}
}

// Outcome is how a passive rule came out at one endpoint.
type Outcome struct {
	Rule, Expected, Problem string
	At                      rules.Endpoint
	Status                  result.Status // pass, fail, or warn for what is to be excused
	Scenario                string        // the one in which it was broken first, "" where it was not
	Evidence                []*wire.Exchange
	Seen, Broken            int // responses
}

// Outcomes are those of all passive rules at each endpoint whose responses they were judged on.
func (m *Monitor) Outcomes() []Outcome {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := make([]Outcome, 0, len(m.tallies))
	places := append([]rules.Endpoint{rules.NoEndpoint}, rules.Endpoints()...)
	for _, rule := range m.rules {
		for _, e := range places {
			t := m.tallies[rules.Place{Rule: rule.id, At: e}]
			if t == nil {
				continue
			}
			o := Outcome{Rule: rule.id, Expected: rule.expected, At: e, Status: t.status, Seen: t.relevant, Broken: t.broken}
			if t.broken > 0 {
				o.Problem, o.Scenario, o.Evidence = t.problem, t.scenario, slices.Clone(t.evidence)
			}
			all = append(all, o)
		}
	}
	return all
}
