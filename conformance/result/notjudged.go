package result

import (
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/rules"
)

// NotJudged is something of the contract that a run left without a judgement, though nobody had left it
// out: the run lacked what it takes.
type NotJudged struct {
	What  string   `json:"what"`            // such as "rate limits"
	Needs string   `json:"needs,omitempty"` // the setting that it takes, "" where it is none
	Rules []string `json:"rules,omitempty"`
}

// gaps are what a run of the catalogue's rules did not judge, in the order of the catalogue.
func (r *Report) gaps(c *rules.Catalogue) []NotJudged {
	var all []NotJudged
	add := func(what, needs, rule string) {
		i := slices.IndexFunc(all, func(n NotJudged) bool { return n.What == what })
		if i < 0 {
			i, all = len(all), append(all, NotJudged{What: what, Needs: needs})
		}
		all[i].Rules = append(all[i].Rules, rule)
	}
	for _, rule := range r.Rules {
		known, _ := c.Rule(rule.ID)
		switch {
		case r.Claims != nil && slices.ContainsFunc(rule.Checks, Check.beyondClaims):
			add("what takes endpoints that are not claimed", "", rule.ID)
		case rule.Status != Skipped:
		case known.Needed() != "" && rules.Lacking(rule.Message):
			add(known.Needed(), rules.NeededBy(rule.Message), rule.ID)
		case rule.ID == rules.HTTPSOnly && len(rule.Checks) > 0 && strings.HasPrefix(r.Target.BaseURL, "http://"):
			add("HTTPS", "", rule.ID)
		}
	}
	return all
}
