package result

import (
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// Summarize adds up what the checks come to: the outcome of each rule and endpoint,
// the choices, the counts and the verdict.
func (r *Report) Summarize() {
	r.Summary.Rules, r.Summary.Checks = counts(), counts()
	implemented := r.implemented()
	r.Choices, r.Endpoints = []Choice{}, nil
	byEndpoint := map[string][]Status{}
	for i := range r.Rules {
		rule := &r.Rules[i]
		var statuses []Status
		for _, c := range rule.Checks {
			statuses = append(statuses, c.Status)
			byEndpoint[c.Endpoint] = append(byEndpoint[c.Endpoint], c.Status)
			r.Summary.Checks[c.Status]++
			if c.Status == Observed {
				r.Choices = append(r.Choices, Choice{rule.ID, c.Endpoint, c.Message})
			}
		}
		rule.Status = r.worst(rule.Level, statuses)
		r.Summary.Rules[rule.Status]++
	}
	for _, e := range rules.Endpoints() {
		statuses := byEndpoint[e.String()]
		er := Endpoint{Number: int(e), Method: e.Method(), Path: e.Path(), Status: Worst(statuses), Checks: counts()}
		for _, s := range statuses {
			er.Checks[s]++
		}
		r.Endpoints = append(r.Endpoints, er)
	}
	r.setImplemented(implemented)
	r.Verdict = r.verdict()
	r.NoVerdict = r.reasonFor()
}

// worst is the status that the checks of a rule add up to. A warning that gates is worse
// than what could not be judged.
func (r *Report) worst(level rules.Level, statuses []Status) Status {
	if s := Worst(statuses); r.Gates(level, s) || !slices.Contains(statuses, Warn) || !r.Gates(level, Warn) {
		return s
	}
	return Warn
}

// verdict adds the rules up: broken ones decide, and waivers that no longer hold,
// then what could not be judged.
func (r *Report) verdict() Verdict {
	verdict := Conformant
	if r.Missing != "" || r.EndedBy != "" { // nothing shows what the rest would have judged
		verdict = Incomplete
	}
	for _, rule := range r.Rules {
		switch {
		case r.Gates(rule.Level, rule.Status):
			return NonConformant
		case rule.Status == Error, rule.Status == Blocked, rule.Status == Unstable:
			verdict = Incomplete
		}
	}
	for _, w := range r.Waivers {
		if w.State.Gates() {
			return NonConformant
		}
	}
	return verdict
}

// Gates reports whether a rule's outcome at its level makes the target non-conformant.
func (r *Report) Gates(level rules.Level, s Status) bool {
	return s == Fail || s == Warn && level == rules.Should && r.FailOn == rules.Should
}

func counts() map[Status]int {
	all := map[Status]int{}
	for _, s := range Statuses() {
		all[s] = 0
	}
	return all
}
