package view

import (
	"fmt"
	"strings"

	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/result"
)

// lastRequest is the request after which a target stopped answering; nil where the rules
// were not judged for another reason.
func lastRequest(rules []*Rule) *result.Exchange {
	for _, rule := range rules {
		for _, c := range rule.Checks {
			if x := c.Result.Decisive(); c.Status == result.Error && x != nil && x.Response == nil {
				return x
			}
		}
	}
	return nil
}

// maxIDs is how many rules of a group are named one by one.
const maxIDs = 16

// Members names the rules of a group; of a large group it names the parts of the contract.
func Members(rules []*Rule) string {
	var names []string
	if len(rules) > maxIDs {
		for _, part := range grouped(rules, func(rule *Rule) string { return rule.Part }) {
			names = append(names, fmt.Sprintf("%s %d", part.Reason, len(part.Rules)))
		}
		return plain.Short("in " + strings.Join(names, ", "))
	}
	for _, rule := range rules {
		name := rule.ID
		if rule.Status == result.Blocked && rule.Elsewhere != "" {
			name += " (" + rule.Elsewhere + ")"
		}
		names = append(names, name)
	}
	return plain.Short(strings.Join(names, ", "))
}
