package result

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// placeBlame sees that every blocked check names a rule that is to blame: one that failed or
// could not be judged, or is blocked by such a one. Where the rule that stands for a step holds
// all the same, the step's endpoint broke another one. Where it broke none, the step itself shows
// that its rule does not always hold, unless a valid target may refuse it: then the check could
// not be judged. One shard alone does not show it.
func (r *Report) placeBlame(catalogue *rules.Catalogue) {
	if r.Shard != nil && r.Shard.Of > 1 {
		return
	}
	blame := blame{}
	for i := range r.Rules {
		blame[r.Rules[i].ID] = &r.Rules[i]
	}
	warned := func(rule Rule) bool {
		return slices.ContainsFunc(rule.Checks, func(c Check) bool { return c.Status == Warn || c.Status == Fail })
	}
	r.skipBehindOptional(catalogue, warned) // before others are blamed, too
	broken := map[string][]Check{}
	for rule, c := range r.EachCheck() {
		if c.Status != Blocked || len(broken[c.BlockedBy]) > 0 || blame.leads(c.BlockedBy, rule.ID) {
			continue
		}
		// What is wrong at the check's own endpoint, or with the users and sessions that
		// every story begins with, shows later, elsewhere.
		culprit := ""
		for _, at := range []string{c.BlockedAt, c.Endpoint, rules.CreateUser.String(), rules.Login.String()} {
			culprit = cmp.Or(culprit, r.brokenAt(catalogue, at, rule.ID, c.answer()))
		}
		if culprit != "" {
			c.BlockedBy = culprit
			continue
		}
		if step, shown := brokenStep(catalogue, *c); shown {
			broken[c.BlockedBy] = append(broken[c.BlockedBy], step)
			continue
		}
		c.Status, c.Message = Error, fmt.Sprintf("could not judge: %s, though %s holds elsewhere", c.Message, c.BlockedBy)
		c.BlockedBy = ""
	}
	for id, steps := range broken {
		blame[id].Checks = append(blame[id].Checks, steps...)
	}
	for _, c := range r.EachCheck() {
		if c.Status == Blocked {
			c.Expected, c.Actual, c.Reproduction = "", "", nil // they belong to the rule to blame
		}
	}
	r.skipBehindOptional(catalogue, func(rule Rule) bool { return len(broken[rule.ID]) > 0 })
}

// skipBehindOptional skips the checks that a rule blocks which a valid target need not keep and which is broken, and
// those that only such checks block: they cannot be tried on this target, which is no reason to give no verdict.
func (r *Report) skipBehindOptional(catalogue *rules.Catalogue, broken func(Rule) bool) {
	optional := map[string]string{} // the rule that need not be kept, by each rule that is left out for it
	for _, rule := range r.Rules {
		if known, _ := catalogue.Rule(rule.ID); known.Level == rules.Should && broken(rule) {
			optional[rule.ID] = rule.ID
		}
	}
	for changed := true; changed; {
		changed = false
		for rule, c := range r.EachCheck() {
			cause, left := optional[c.BlockedBy]
			if c.Status != Blocked || !left || c.Scenario == "" || c.OfStory() { // for which the rule is a guess
				continue
			}
			c.Status, c.Message, c.BlockedBy, c.BlockedAt = Skipped, fmt.Sprintf("needs %s, which the target does not keep and need not", cause), "", ""
			if optional[rule.ID] == "" && !slices.ContainsFunc(rule.Checks, func(c Check) bool { return c.Status != Skipped }) {
				optional[rule.ID] = cause
			}
			changed = true
		}
	}
}

// brokenStep is the check of the rule that stands for a step that did not work: a complete
// answer showed it, which no valid target gives. Of a request it may refuse what it holds.
func brokenStep(catalogue *rules.Catalogue, blocked Check) (Check, bool) {
	rule, known := catalogue.Rule(blocked.BlockedBy)
	at, err := EndpointNamed(blocked.BlockedAt)
	if !known || err != nil || rule.Passive || !slices.Contains(rule.Places(), at) || blocked.Expected == "" || blocked.Deciding == nil {
		return Check{}, false
	}
	answer := blocked.Exchanges[*blocked.Deciding].Response
	if answer == nil || answer.Status >= http.StatusInternalServerError || slices.Contains(refusals(), answer.Status) {
		return Check{}, false
	}
	step := blocked
	step.Endpoint, step.BlockedBy, step.BlockedAt = blocked.BlockedAt, "", ""
	step.Message = fmt.Sprintf("expected %s; got %s", blocked.Expected, blocked.Actual)
	switch rule.Level {
	case rules.Must:
		step.Status = Fail
	case rules.Should:
		step.Status = Warn
	default:
		return Check{}, false
	}
	return step, true
}

// refusals are the statuses by which a target refuses what a request holds, or for now.
func refusals() []int {
	return []int{http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusRequestURITooLong, http.StatusUnprocessableEntity, http.StatusTooManyRequests}
}

// blame is the rules of a report by their ids.
type blame map[string]*Rule

// leads reports whether a rule is to blame, by itself or over others that block it, none of them
// met before. A rule that was not selected may be.
func (b blame) leads(id string, before ...string) bool {
	rule, known := b[id]
	if !known || slices.Contains(before, id) {
		return false
	}
	judged := false
	for _, c := range rule.Checks {
		switch c.original() {
		case Fail, Warn, Error, Unstable:
			return true
		case Blocked:
			if b.leads(c.BlockedBy, append(before, id)...) {
				return true
			}
			judged = true
		case Pass, Observed:
			judged = true
		}
	}
	return !judged
}

// answer is the status that decided the check, 0 where no answer did.
func (c Check) answer() int {
	if c.Deciding == nil || c.Exchanges[*c.Deciding].Response == nil {
		return 0
	}
	return c.Exchanges[*c.Deciding].Response.Status
}

// brokenAt is a rule other than the given one that is broken at an endpoint, by an answer of the given status
// if there is one; or else is broken and takes the endpoint to be judged, or else could not be judged there;
// "" where none is.
func (r *Report) brokenAt(catalogue *rules.Catalogue, endpoint, not string, answer int) string {
	at, err := EndpointNamed(endpoint)
	if err != nil || at == rules.NoEndpoint {
		return ""
	}
	find := func(status Status, there func(id string, c Check) bool) string {
		i := slices.IndexFunc(r.Rules, func(rule Rule) bool {
			return rule.ID != not && slices.ContainsFunc(rule.Checks, func(c Check) bool { return c.Status == status && there(rule.ID, c) })
		})
		if i < 0 {
			return ""
		}
		return r.Rules[i].ID
	}
	here := func(_ string, c Check) bool { return c.Endpoint == endpoint }
	alike := func(_ string, c Check) bool { return c.Endpoint == endpoint && answer != 0 && c.answer() == answer }
	needed := func(id string, _ Check) bool {
		rule, _ := catalogue.Rule(id)
		return rule.Touches(at)
	}
	return cmp.Or(find(Fail, alike), find(Fail, here), find(Warn, here), find(Fail, needed), find(Warn, needed), find(Error, here))
}
