package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/result"
)

// endpointView counts the checks at one endpoint.
type endpointView struct {
	Number       int
	Method, Path string
	Status       result.Status
	Checks       map[result.Status]int
}

func endpointsOf(r *result.Report) []endpointView {
	var all []endpointView
	for _, e := range r.Endpoints {
		all = append(all, endpointView{e.Number, short(e.Method), short(e.Path), status(e.Status), e.Checks})
	}
	return all
}

// partView counts the rules of one part of the contract, and their checks at each endpoint:
// a row of the map.
type partView struct {
	Name  string
	Rules []*ruleView
	N     map[result.Status]int         // its rules by outcome
	At    map[int]map[result.Status]int // its checks by endpoint's number, 0 for none
}

func (v *view) parts() []*partView {
	var parts []*partView
	for name, of := range inGroups(v.Rules, func(rule *ruleView) string { return rule.Part }) {
		p := &partView{Name: name, Rules: of, N: map[result.Status]int{}, At: map[int]map[result.Status]int{}}
		parts = append(parts, p)
		for _, rule := range of {
			p.N[rule.Status]++
			for _, c := range rule.Checks {
				if p.At[c.Number] == nil {
					p.At[c.Number] = map[result.Status]int{}
				}
				p.At[c.Number][c.Status]++
			}
		}
	}
	return parts
}

// choiceView is what the target does at some endpoints where the contract is silent.
type choiceView struct {
	Rule, Answer, Where string
	Several             bool // the rule has other answers, too
}

func (v *view) choices(choices []result.Choice) []choiceView {
	byAnswer := inGroups(choices, func(c result.Choice) [2]string { return [2]string{c.Rule, c.Answer} })
	answers := map[string]int{}
	for key := range byAnswer {
		answers[key[0]]++
	}
	var all []choiceView
	for key, of := range byAnswer {
		var where []string
		for _, c := range of {
			where = append(where, c.Endpoint)
		}
		all = append(all, choiceView{short(key[0]), short(v.index.brief(key[1])), v.index.short(where), answers[key[0]] > 1})
	}
	return all
}

// driftView is a choice that differs from the previous report.
type driftView struct{ Rule, Endpoint, Old, New string }

func (v *view) drift(all []result.Drift) []driftView {
	var drift []driftView
	for _, d := range all {
		drift = append(drift, driftView{short(d.Rule), short(v.index.full(d.Endpoint)), short(v.index.brief(d.Old)), short(v.index.brief(d.New))})
	}
	return drift
}

// waiverView is a waiver and its state.
type waiverView struct {
	Rule, Endpoint, State, Message, Reason, Link, Expires string
	Gates                                                 bool
	Pattern                                               bool          // it is about several rules
	Ends                                                  bool          // soon
	Status                                                result.Status // the one whose symbol and colour it has
}

// waivers lists them, those that do not hold first, and counts them by state.
func (v *view) waivers(applied []result.AppliedWaiver) (all []waiverView, sums string) {
	applied = slices.SortedStableFunc(slices.Values(applied), func(a, b result.AppliedWaiver) int {
		return cmp.Compare(slices.Index(waiverStates(), a.State), slices.Index(waiverStates(), b.State))
	})
	var states []string
	n := map[string]int{}
	for _, w := range applied {
		shown := result.Skipped
		switch {
		case w.State.Gates():
			shown = result.Fail
		case w.State == result.WaiverUsed:
			shown = result.Waived
		}
		state := string(status(result.Status(w.State)))
		all = append(all, waiverView{Rule: short(w.Rule), Endpoint: short(v.index.full(w.Endpoint)), State: state, Message: short(w.Message),
			Reason: short(w.Reason), Link: short(w.Link), Expires: short(w.Expires), Gates: w.State.Gates(), Status: shown,
			Pattern: strings.ContainsAny(w.Rule, "*?["), Ends: w.EndsInDays != nil})
		if n[state]++; n[state] == 1 {
			states = append(states, state)
		}
	}
	for i, state := range states {
		states[i] = fmt.Sprintf("%d %s", n[state], state)
	}
	return all, strings.Join(states, ", ")
}

func waiverStates() []result.WaiverState {
	return []result.WaiverState{result.WaiverUnknown, result.WaiverExpired, result.WaiverStale, result.WaiverUsed, result.WaiverQuiet, result.WaiverUnjudged}
}

// countsOf lists how often each status occurs, the worst first.
func countsOf(n map[result.Status]int) string {
	var counts []string
	for _, s := range result.Statuses() {
		if n[s] > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n[s], s))
		}
	}
	return cmp.Or(strings.Join(counts, ", "), "none")
}
