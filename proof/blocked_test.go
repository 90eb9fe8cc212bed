package proof_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/result"
)

// misplaced lists the checks of a report that are blocked by a rule which is not to
// blame: every one must lead, over others that are blocked, to one that failed or
// could not be judged.
func misplaced(report *result.Report) []string {
	rules := map[string]result.Rule{}
	for _, rule := range report.Rules {
		rules[rule.ID] = rule
	}
	var problems []string
	for _, rule := range report.Rules {
		for _, check := range rule.Checks {
			if check.Status != result.Blocked || rootOf(rules, check.BlockedBy, []string{rule.ID}) {
				continue
			}
			problems = append(problems, fmt.Sprintf("%s at %q is blocked by %q, which is %s: %s",
				rule.ID, check.Endpoint, check.BlockedBy, rules[check.BlockedBy].Status, check.Message))
		}
	}
	return problems
}

// rootOf reports whether blame leads from a rule to one that is broken or could not
// be judged, without coming by a rule twice.
func rootOf(rules map[string]result.Rule, id string, path []string) bool {
	rule := rules[id]
	switch {
	case slices.Contains(path, id):
		return false
	case rule.Status == result.Fail, rule.Status == result.Warn, rule.Status == result.Error:
		return true
	}
	return slices.ContainsFunc(rule.Checks, func(c result.Check) bool {
		return c.Status == result.Warn || c.Status == result.Blocked && rootOf(rules, c.BlockedBy, append(path, id))
	})
}

// speechless lists the checks whose words are those of a programming language.
func speechless(report *result.Report) []string {
	var problems []string
	for _, rule := range report.Rules {
		for _, check := range rule.Checks {
			if strings.Contains(check.Message, "<nil>") || strings.Contains(check.Message, "%!") {
				problems = append(problems, fmt.Sprintf("%s at %q says %q", rule.ID, check.Endpoint, check.Message))
			}
		}
	}
	return problems
}
