package result

import (
	"fmt"
	"slices"
)

// waiveConsequences waives what could not be judged since something is broken whose
// every failure is waived: as long as the cause is accepted, so is what it blocks.
func (r *Report) waiveConsequences() {
	causes := map[string]*Check{}
	for i := range r.Rules {
		rule := &r.Rules[i]
		waived := slices.IndexFunc(rule.Checks, func(c Check) bool { return c.Waived != nil && c.Waived.Status != Blocked })
		if waived >= 0 && !rule.fails() {
			causes[rule.ID] = &rule.Checks[waived]
		}
	}
	counts := map[string]int{}
	for _, c := range r.EachCheck() {
		if cause := causes[c.BlockedBy]; c.Status == Blocked && cause != nil {
			c.Waived = &Accepted{Status: Blocked, Reason: cause.Waived.Reason, Link: cause.Waived.Link, Expires: cause.Waived.Expires, Cause: c.BlockedBy}
			c.Status = Waived
			counts[c.BlockedBy]++
		}
	}
	for i := range r.Waivers {
		w := &r.Waivers[i]
		if w.State != WaiverUsed || w.Status == Blocked {
			continue
		}
		for cause, n := range counts {
			if matches(w.Rule, cause) {
				w.Consequences += n
				delete(counts, cause) // one waiver of the rule counts them
			}
		}
		if w.Consequences > 0 {
			w.Message += fmt.Sprintf(", and %d that could not be judged for it", w.Consequences)
		}
	}
}

// broken reports whether a rule has a failure that gates.
func (r *Report) broken(id string) bool {
	return slices.ContainsFunc(r.Rules, func(rule Rule) bool {
		return rule.ID == id && slices.ContainsFunc(rule.Checks, func(c Check) bool { return r.Gates(rule.Level, c.Status) })
	})
}

// fails reports whether a check of the rule fails, and is not waived.
func (r *Rule) fails() bool {
	return slices.ContainsFunc(r.Checks, func(c Check) bool { return c.FoundBroken() })
}
