package result

import (
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// DoubtWhatFailedIn makes unstable what holds in the report and was broken in another one of the same
// target, made just before by a part of the run. That one may be nil.
func (r *Report) DoubtWhatFailedIn(part *Report) {
	if part == nil {
		return
	}
	for i := range r.Rules {
		rule := &r.Rules[i]
		if rule.Status == Fail || rule.Status == Warn || rule.Level == rules.Choice {
			continue
		}
		for _, c := range part.checksOf(rule.ID) {
			if c.FoundBroken() && slices.ContainsFunc(rule.Checks, func(now Check) bool { return now.Endpoint == c.Endpoint && now.Status == Pass }) {
				c.Status, c.Message = Unstable, "failed when it was played first, and passed in the whole run after that: "+c.Message
				rule.Checks = append(rule.Checks, c)
			}
		}
	}
	r.Summarize()
}

// checksOf returns the checks of a rule, none where the report does not have it.
func (r *Report) checksOf(id string) []Check {
	i := slices.IndexFunc(r.Rules, func(rule Rule) bool { return rule.ID == id })
	if i < 0 {
		return nil
	}
	return r.Rules[i].Checks
}
