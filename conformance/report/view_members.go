package report

import (
	"fmt"
	"strings"

	"github.com/socialfeed/conform/conformance/result"
)

// lastRequest is the request after which a target stopped answering; nil where the rules
// were not judged for another reason.
func lastRequest(rules []*ruleView) *result.Exchange {
	for _, rule := range rules {
		for _, c := range rule.Checks {
			if x := c.check.Decisive(); c.Status == result.Error && x != nil && x.Response == nil {
				return x
			}
		}
	}
	return nil
}

// maxIDs is how many rules of a group are named one by one.
const maxIDs = 16

// members names the rules of a group; of a large group it names the parts of the contract.
func members(rules []*ruleView) string {
	var names []string
	if len(rules) > maxIDs {
		for _, part := range grouped(rules, func(rule *ruleView) string { return rule.Part }) {
			names = append(names, fmt.Sprintf("%s %d", part.Reason, len(part.Rules)))
		}
		return short("in " + strings.Join(names, ", "))
	}
	for _, rule := range rules {
		name := rule.ID
		if rule.Status == result.Blocked && rule.Elsewhere != "" {
			name += " (" + rule.Elsewhere + ")"
		}
		names = append(names, name)
	}
	return short(strings.Join(names, ", "))
}
