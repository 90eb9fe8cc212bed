package result

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// placeBlame sees that every blocked check names a rule that is to blame: one that
// failed or could not be judged, or is blocked by such a one. Where the rule that stands
// for a step holds all the same, the step's endpoint broke another one. Where
// it broke none, nothing explains what happened, and the check could not be judged.
// What one shard shows is not enough to tell.
func (r *Report) placeBlame(catalogue *rules.Catalogue) {
	if r.Shard != nil && r.Shard.Of > 1 {
		return
	}
	blame := blame{}
	for i := range r.Rules {
		blame[r.Rules[i].ID] = &r.Rules[i]
	}
	for rule, c := range r.EachCheck() {
		if c.Status != Blocked || blame.leads(c.BlockedBy, rule.ID) {
			continue
		}
		// What is wrong at the check's own endpoint, or with the users and sessions that
		// every story begins with, shows later, elsewhere.
		culprit := ""
		for _, at := range []string{c.BlockedAt, c.Endpoint, rules.CreateUser.String(), rules.Login.String()} {
			culprit = cmp.Or(culprit, r.brokenAt(catalogue, at, rule.ID))
		}
		if culprit != "" {
			c.BlockedBy = culprit
			continue
		}
		c.Status, c.Message = Error, fmt.Sprintf("could not judge: %s, though %s holds elsewhere", c.Message, c.BlockedBy)
		c.BlockedBy = ""
	}
}

// blame is the rules of a report by their ids.
type blame map[string]*Rule

// leads reports whether a rule is to blame, by itself or over others that block it,
// none of them met before. A rule that nobody asked to judge may be.
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

// brokenAt is a rule other than the given one that is broken at an endpoint, or else
// is broken and takes the endpoint to be judged, or else could not be judged there; ""
// where none is.
func (r *Report) brokenAt(catalogue *rules.Catalogue, endpoint, not string) string {
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
	booked := func(_ string, c Check) bool { return c.Endpoint == endpoint }
	needed := func(id string, _ Check) bool {
		rule, _ := catalogue.Rule(id)
		return rule.Touches(at)
	}
	return cmp.Or(find(Fail, booked), find(Warn, booked), find(Fail, needed), find(Warn, needed), find(Error, booked))
}
