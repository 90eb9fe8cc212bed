package result

import (
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// EndpointCount counts the endpoints by whether they are implemented. Those of
// which the run did not show it are in neither number.
type EndpointCount struct {
	Implemented int `json:"implemented"`
	Missing     int `json:"missing"`
	Of          int `json:"of"`
}

// Told says how many endpoints are implemented, of those of which the run showed whether they
// are.
func (c *EndpointCount) Told() string {
	if judged := c.Implemented + c.Missing; judged < c.Of {
		return fmt.Sprintf("%d of the %d %s", c.Implemented, judged, thatWereJudged(judged))
	}
	return fmt.Sprintf("%d of %d", c.Implemented, c.Of)
}

// NotImplemented says how many endpoints are missing, of those of which the run showed
// whether they are.
func (c *EndpointCount) NotImplemented() string {
	of, verb := c.Implemented+c.Missing, "are"
	endpoints := Plural(of, "endpoint")
	if of < c.Of {
		endpoints += " " + thatWereJudged(of)
	}
	if c.Missing == 1 {
		verb = "is"
	}
	return fmt.Sprintf("%d of %s %s not implemented", c.Missing, endpoints, verb)
}

func thatWereJudged(n int) string {
	if n == 1 {
		return "that was judged"
	}
	return "that were judged"
}

// Missing reports whether the run showed that the endpoint is not implemented.
func (e *Endpoint) Missing() bool { return e.Implemented != nil && !*e.Implemented }

// implemented returns which endpoints exist, as far as the report says.
func (r *Report) implemented() map[rules.Endpoint]bool {
	all := map[rules.Endpoint]bool{}
	for _, e := range r.Endpoints {
		if e.Implemented != nil {
			all[rules.Endpoint(e.Number)] = *e.Implemented
		}
	}
	return all
}

// setImplemented enters which endpoints are there.
func (r *Report) setImplemented(implemented map[rules.Endpoint]bool) {
	r.Summary.Endpoints = nil
	if len(implemented) == 0 {
		return
	}
	count := &EndpointCount{Of: len(r.Endpoints)}
	for i := range r.Endpoints {
		e := &r.Endpoints[i]
		there, known := implemented[rules.Endpoint(e.Number)]
		switch {
		case !known:
			continue
		case there:
			count.Implemented++
		default:
			count.Missing++
		}
		e.Implemented = &there
	}
	r.Summary.Endpoints = count
}

// nameRootCauses replaces the rule that a check is blocked by where that rule is itself only
// blocked: the cause is at the end of the chain. One shard alone does not show it.
func (r *Report) nameRootCauses() {
	if r.Shard != nil && r.Shard.Of > 1 {
		return
	}
	causes := map[string]string{}
	for _, rule := range r.Rules {
		if i := slices.IndexFunc(rule.Checks, func(c Check) bool { return c.BlockedBy != "" }); i >= 0 && rule.onlyBlocked() {
			causes[rule.ID] = rule.Checks[i].BlockedBy
		}
	}
	for _, c := range r.EachCheck() {
		for range len(causes) { // a chain is no longer, even if it is a cycle
			next, blocked := causes[c.BlockedBy]
			if !blocked {
				break
			}
			c.BlockedBy = next
		}
	}
}

// onlyBlocked reports whether no check of the rule came to an outcome of its own.
func (r *Rule) onlyBlocked() bool {
	return !slices.ContainsFunc(r.Checks, func(c Check) bool { return c.Status != Blocked && c.Status != Skipped })
}
