package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/socialfeed/conform/conformance/setting"
	"github.com/socialfeed/conform/internal/nearest"
)

// Claims are the parts of the contract that a server claims to implement. Empty fields claim everything;
// filled ones narrow together.
type Claims struct {
	Endpoints []string `json:"endpoints,omitempty"` // numbers, and ranges of them such as 1-11
	Parts     []string `json:"parts,omitempty"`     // parts of the contract
}

// Any reports whether anything is said.
func (c Claims) Any() bool { return len(c.Endpoints)+len(c.Parts) > 0 }

// NotClaimed is the reason for skipping a rule that the server does not claim.
const NotClaimed = "not claimed"

// Claimed are claims resolved against a catalogue. The zero value claims everything.
type Claimed struct {
	endpoints []Endpoint // empty: all
	parts     []string   // empty: all
}

// Resolve checks every claim. Errors call the setting by the names.
func (c Claims) Resolve(catalogue *Catalogue, names setting.Names) (Claimed, error) {
	var claimed Claimed
	for _, text := range c.Endpoints {
		first, last, isRange := strings.Cut(text, "-")
		if !isRange {
			last = first
		}
		from, ok := ParseEndpoint(strings.TrimSpace(first))
		to, okay := ParseEndpoint(strings.TrimSpace(last))
		if !ok || !okay || from > to {
			return Claimed{}, fmt.Errorf("%s: endpoints %.20q: a number from 1 to %d is wanted, or a range such as 1-11", names.Of(setting.Claims), text, int(Versions))
		}
		for e := from; e <= to; e++ {
			if !slices.Contains(claimed.endpoints, e) {
				claimed.endpoints = append(claimed.endpoints, e)
			}
		}
	}
	slices.Sort(claimed.endpoints)
	parts := catalogue.Parts()
	for _, part := range c.Parts {
		if !slices.Contains(parts, part) {
			return Claimed{}, fmt.Errorf("%s: there is no part %.40q%s; the parts are %s", names.Of(setting.Claims), part, nearest.Hint(part, parts), strings.Join(parts, ", "))
		}
		if !slices.Contains(claimed.parts, part) {
			claimed.parts = append(claimed.parts, part)
		}
	}
	return claimed, nil
}

// Parts are the parts of the contract, in its order.
func (c *Catalogue) Parts() []string {
	var parts []string
	for _, rule := range c.rules {
		if !slices.Contains(parts, rule.Part()) {
			parts = append(parts, rule.Part())
		}
	}
	return parts
}

// Any reports whether something is left out.
func (c Claimed) Any() bool { return len(c.endpoints)+len(c.parts) > 0 }

// Parts are the parts that are named; none: all are claimed.
func (c Claimed) Parts() []string { return c.parts }

// Endpoints are those that are claimed: where no endpoint is named, those that work by a rule of the parts.
func (c Claimed) Endpoints() []Endpoint {
	return slices.DeleteFunc(Endpoints(), func(e Endpoint) bool { return !c.Claims(e) })
}

// Claims reports whether an endpoint is claimed.
func (c Claimed) Claims(e Endpoint) bool {
	if len(c.endpoints) > 0 {
		return slices.Contains(c.endpoints, e)
	}
	part, _, _ := strings.Cut(e.BlockingRule(), ".")
	return c.covers(part)
}

func (c Claimed) covers(part string) bool { return len(c.parts) == 0 || slices.Contains(c.parts, part) }

// includes reports whether a rule is claimed at an endpoint. Each claimed endpoint is to be there, whatever part its
// rule is in; another rule is claimed with all that its story needs.
func (c Claimed) includes(rule Rule, at Endpoint) bool {
	if at != NoEndpoint && rule.ID == at.BlockingRule() {
		return c.Claims(at)
	}
	outside := func(e Endpoint) bool { return len(c.endpoints) > 0 && !slices.Contains(c.endpoints, e) }
	return c.covers(rule.Part()) && (at == NoEndpoint || !outside(at)) && !slices.ContainsFunc(rule.With, outside)
}

// leavesOut reports whether no part of a rule is claimed.
func (c Claimed) leavesOut(rule Rule) bool {
	if rule.Passive {
		return !c.covers(rule.Part())
	}
	return !slices.ContainsFunc(rule.Places(), func(at Endpoint) bool { return c.includes(rule, at) })
}

// String is the claims as a flag takes them.
func (c Claimed) String() string {
	var said []string
	if len(c.endpoints) > 0 {
		var numbers []string
		for _, e := range c.endpoints {
			numbers = append(numbers, strconv.Itoa(int(e)))
		}
		said = append(said, "endpoints="+strings.Join(numbers, ","))
	}
	if len(c.parts) > 0 {
		said = append(said, "parts="+strings.Join(c.parts, ","))
	}
	return strings.Join(said, ",")
}
