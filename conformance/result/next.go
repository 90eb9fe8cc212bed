package result

import (
	"cmp"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// NextStep is one thing to do next: an endpoint that is not implemented, or a rule that
// is broken.
type NextStep struct {
	Rule     string         // that is broken; of an endpoint the one that stands for it
	Endpoint rules.Endpoint // where, NoEndpoint for a rule tied to none
	Missing  bool           // the endpoint is not implemented
	Level    rules.Level
	Frees    int    // how many other rules can be judged afterwards that now cannot
	Check    *Check // what shows it, nil where nothing does
}

// Next lists what is to be done, what frees the most other rules first. What an
// endpoint builds on, and is not there either, comes before it. Warnings are left
// out unless they gate.
func (r *Report) Next() []NextStep {
	var open []NextStep
	for _, e := range r.Endpoints {
		if e.Missing() {
			open = append(open, r.missingStep(rules.Endpoint(e.Number)))
		}
	}
	for rule, check := range r.EachCheck() {
		if !r.Gates(rule.Level, check.Status) || slices.ContainsFunc(open, func(s NextStep) bool { return s.about(rule.ID, check) }) {
			continue
		}
		at, _ := EndpointNamed(check.Endpoint) // none where it names none
		open = append(open, NextStep{Rule: rule.ID, Endpoint: at, Level: rule.Level, Frees: r.frees(rule.ID, rules.NoEndpoint), Check: check})
	}
	return inOrder(open)
}

// about reports whether the step covers a check: a rule is mended as a whole, an
// endpoint by itself.
func (s NextStep) about(rule string, c *Check) bool {
	return s.Rule == rule && (!s.Missing || s.Endpoint.String() == c.Endpoint)
}

func (r *Report) missingStep(e rules.Endpoint) NextStep {
	step := NextStep{Rule: e.BlockingRule(), Endpoint: e, Missing: true, Level: rules.Must, Frees: r.frees(e.BlockingRule(), e)}
	for rule, check := range r.EachCheck() {
		if rule.ID == step.Rule && check.Endpoint == e.String() {
			step.Check = check
		}
	}
	return step
}

// frees counts the rules that have a check blocked by a rule; where several
// endpoints share that rule, those of another one's checks are not counted.
func (r *Report) frees(by string, at rules.Endpoint) int {
	n := 0
	for _, rule := range r.Rules {
		if rule.ID != by && slices.ContainsFunc(rule.Checks, func(c Check) bool {
			return c.Status == Blocked && c.BlockedBy == by && !ofAnother(c, by, at)
		}) {
			n++
		}
	}
	return n
}

// ofAnother reports whether a check is of another endpoint that the same rule stands for.
func ofAnother(c Check, by string, at rules.Endpoint) bool {
	judged, _ := EndpointNamed(c.Endpoint)
	return at != rules.NoEndpoint && judged != rules.NoEndpoint && judged != at && judged.BlockingRule() == by
}

// inOrder sorts steps: by what they free, each after the endpoints that it builds on.
func inOrder(open []NextStep) []NextStep {
	slices.SortStableFunc(open, func(a, b NextStep) int {
		return cmp.Or(cmp.Compare(b.Frees, a.Frees), rank(a.Level)-rank(b.Level), cmp.Compare(a.Endpoint, b.Endpoint))
	})
	var sorted []NextStep
	for len(open) > 0 {
		i := max(0, slices.IndexFunc(open, func(s NextStep) bool { return !s.waits(open) })) // the first, should they wait for each other
		sorted = append(sorted, open[i])
		open = slices.Delete(open, i, i+1)
	}
	return sorted
}

// waits reports whether a step builds on an endpoint that is still to be made.
func (s NextStep) waits(open []NextStep) bool {
	return s.Missing && slices.ContainsFunc(open, func(o NextStep) bool {
		return o.Missing && slices.Contains(s.Endpoint.BuildsOn(), o.Endpoint)
	})
}

func rank(l rules.Level) int {
	if l == rules.Must {
		return 0
	}
	return 1
}
