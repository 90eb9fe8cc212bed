package result

import (
	"fmt"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/rules"
)

// Claims are what a server was judged by, where its makers claim a part of the contract.
type Claims struct {
	Endpoints []int    `json:"endpoints"`       // their numbers
	Parts     []string `json:"parts,omitempty"` // absent where no part was named
	Of        int      `json:"of"`              // how many endpoints the contract has
}

// String says how much is claimed.
func (c *Claims) String() string {
	said := fmt.Sprintf("%d of %s", len(c.Endpoints), Plural(c.Of, "endpoint"))
	if len(c.Parts) > 0 {
		said += ", " + Plural(len(c.Parts), "part") + " of the contract"
	}
	return said
}

func claimsOf(claimed rules.Claimed) *Claims {
	if !claimed.Any() {
		return nil
	}
	claims := &Claims{Endpoints: []int{}, Parts: claimed.Parts(), Of: len(rules.Endpoints())}
	for _, e := range claimed.Endpoints() {
		claims.Endpoints = append(claims.Endpoints, int(e))
	}
	return claims
}

// beyondClaims ends what is said of a check that what is not claimed stands in the way of.
const beyondClaims = ", which is not claimed"

// leaveUnclaimed skips the checks that what is not claimed stands in the way of, and those that wait for these. The
// own rule of a claimed endpoint stays blocked where nothing else shows that the endpoint is there.
func (r *Report) leaveUnclaimed(sel *rules.Selected, implemented map[rules.Endpoint]bool) {
	if !sel.Claimed().Any() {
		return
	}
	left := leftRules{}
	for again := true; again; {
		again = false
		for i := range r.Rules {
			rule := &r.Rules[i]
			for k := range rule.Checks {
				c := &rule.Checks[k]
				at, _ := EndpointNamed(c.Endpoint)
				needs := left.needs(c, sel)
				if needs == "" || at != rules.NoEndpoint && rule.ID == at.BlockingRule() && !implemented[at] {
					continue
				}
				*c = Check{Endpoint: c.Endpoint, Scenario: c.Scenario, Drawn: c.Drawn, Status: Skipped, Message: "needs " + needs + beyondClaims, Exchanges: []Exchange{}}
				again = true
			}
			left.enter(rule)
		}
	}
}

// leftRules are the rules that nothing but skipped checks are left of, anywhere or at an endpoint, and those of which
// one at an endpoint was left in a scenario.
type leftRules map[leftRule]bool

type leftRule struct{ rule, endpoint, scenario string }

func (l leftRules) enter(rule *Rule) {
	for _, c := range rule.Checks {
		l[leftRule{rule.ID, c.Endpoint, ""}] = rule.onlySkipped(func(other Check) bool { return other.Endpoint == c.Endpoint })
		if c.beyondClaims() {
			l[leftRule{rule.ID, c.Endpoint, c.Scenario}] = true
		}
	}
	l[leftRule{rule: rule.ID}] = len(rule.Checks) > 0 && rule.onlySkipped(func(Check) bool { return true })
}

// needs is what a blocked check needs that is not claimed, "" for nothing.
func (l leftRules) needs(c *Check, sel *rules.Selected) string {
	if c.Status != Blocked {
		return ""
	}
	at, _ := EndpointNamed(c.BlockedAt)
	switch {
	case at != rules.NoEndpoint && !sel.Claimed().Claims(at):
		return c.BlockedAt
	case sel.Reason(c.BlockedBy) == rules.NotClaimed:
		return c.BlockedBy
	case l[leftRule{rule: c.BlockedBy}], l[leftRule{c.BlockedBy, c.BlockedAt, ""}], l[leftRule{c.BlockedBy, c.BlockedAt, c.Scenario}]:
		return "what " + c.BlockedBy + " needs"
	}
	return ""
}

// onlySkipped reports whether all such checks of the rule were skipped.
func (r *Rule) onlySkipped(such func(Check) bool) bool {
	return !slices.ContainsFunc(r.Checks, func(c Check) bool { return such(c) && c.Status != Skipped })
}

// beyondClaims reports whether the check was skipped for what is not claimed.
func (c Check) beyondClaims() bool {
	return c.Status == Skipped && strings.HasSuffix(c.Message, beyondClaims)
}
