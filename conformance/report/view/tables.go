package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/result"
)

// Endpoint counts the checks at one endpoint.
type Endpoint struct {
	Number       int
	Method, Path string
	Status       result.Status
	Checks       map[result.Status]int
}

func endpointsOf(r *result.Report) []Endpoint {
	var all []Endpoint
	for _, e := range r.Endpoints {
		all = append(all, Endpoint{e.Number, plain.Short(e.Method), plain.Short(e.Path), status(e.Status), e.Checks})
	}
	return all
}

// Part counts the rules of one part of the contract, and their checks at each endpoint:
// a row of the map.
type Part struct {
	Name  string
	Rules []*Rule
	N     map[result.Status]int         // its rules by outcome
	At    map[int]map[result.Status]int // its checks by endpoint's number, 0 for none
}

func (v *View) parts() []*Part {
	var parts []*Part
	for name, of := range InGroups(v.Rules, func(rule *Rule) string { return rule.Part }) {
		p := &Part{Name: name, Rules: of, N: map[result.Status]int{}, At: map[int]map[result.Status]int{}}
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

// Choice is what the target does at some endpoints where the contract is silent.
type Choice struct {
	Rule, Answer, Where string
	Several             bool // the rule has other answers, too
}

func (v *View) choices(choices []result.Choice) []Choice {
	byAnswer := InGroups(choices, func(c result.Choice) [2]string { return [2]string{c.Rule, c.Answer} })
	answers := map[string]int{}
	for key := range byAnswer {
		answers[key[0]]++
	}
	var all []Choice
	for key, of := range byAnswer {
		var where []string
		for _, c := range of {
			where = append(where, c.Endpoint)
		}
		all = append(all, Choice{plain.Short(key[0]), plain.Short(v.Index.brief(key[1])), v.Index.Short(where), answers[key[0]] > 1})
	}
	return all
}

// Drift is a choice that differs from the previous report.
type Drift struct{ Rule, Endpoint, Old, New string }

func (v *View) drift(all []result.Drift) []Drift {
	var drift []Drift
	for _, d := range all {
		drift = append(drift, Drift{plain.Short(d.Rule), plain.Short(v.Index.full(d.Endpoint)), plain.Short(v.Index.brief(d.Old)), plain.Short(v.Index.brief(d.New))})
	}
	return drift
}

// Waiver is a waiver and its state.
type Waiver struct {
	Rule, Endpoint, State, Message, Reason, Link, Expires string
	Gates                                                 bool
	Pattern                                               bool          // it is about several rules
	Ends                                                  bool          // soon
	Status                                                result.Status // the one whose symbol and colour it has
}

// waivers lists them, those that do not hold first, and counts them by state.
func (v *View) waivers(applied []result.AppliedWaiver) (all []Waiver, sums string) {
	applied = slices.SortedStableFunc(slices.Values(applied), func(a, b result.AppliedWaiver) int {
		return cmp.Compare(slices.Index(WaiverStates(), a.State), slices.Index(WaiverStates(), b.State))
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
		all = append(all, Waiver{Rule: plain.Short(w.Rule), Endpoint: plain.Short(v.Index.full(w.Endpoint)), State: state, Message: plain.Short(w.Message),
			Reason: plain.Short(w.Reason), Link: plain.Short(w.Link), Expires: plain.Short(w.Expires), Gates: w.State.Gates(), Status: shown,
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

// WaiverStates are the states of waivers, those that do not hold first.
func WaiverStates() []result.WaiverState {
	return []result.WaiverState{result.WaiverUnknown, result.WaiverExpired, result.WaiverStale, result.WaiverUsed, result.WaiverQuiet, result.WaiverUnjudged}
}

// CountsOf lists how often each status occurs, the worst first.
func CountsOf(n map[result.Status]int) string {
	var counts []string
	for _, s := range result.Statuses() {
		if n[s] > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n[s], s))
		}
	}
	return cmp.Or(strings.Join(counts, ", "), "none")
}
