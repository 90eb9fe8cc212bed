package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance"
)

// counted is how many rules a section tells of, and how many of them the tables
// count under a worse outcome.
func counted(rules []*conformance.RuleReport, s conformance.Status) string {
	elsewhere := 0
	for _, rule := range rules {
		if rule.Status != s {
			elsewhere++
		}
	}
	if elsewhere == 0 {
		return plural(len(rules), "rule")
	}
	return fmt.Sprintf("%s (%d of them counted elsewhere, for other checks)", plural(len(rules), "rule"), elsewhere)
}

// headingOf is the heading of the section about the rules that have checks with
// the status.
func headingOf(rules []*conformance.RuleReport, s conformance.Status) string {
	n := counted(rules, s)
	switch s {
	case conformance.Fail:
		return "Failures: " + n
	case conformance.Unstable:
		return "Unstable: " + n + " came out differently when repeated"
	case conformance.Warn:
		return "Warnings: " + n
	case conformance.Blocked:
		return "Blocked: " + n + " could not be judged, since what they need does not work"
	}
	return "Errors: " + n + " could not be judged"
}

// group is rules that share a reason.
type group struct {
	reason string
	rules  []*conformance.RuleReport
}

// grouped sorts rules by reason, the largest group first.
func grouped(rules []*conformance.RuleReport, reason func(*conformance.RuleReport) string) []group {
	var groups []group
	for _, rule := range rules {
		why := clean(reason(rule))
		i := slices.IndexFunc(groups, func(g group) bool { return g.reason == why })
		if i < 0 {
			i = len(groups)
			groups = append(groups, group{reason: why})
		}
		groups[i].rules = append(groups[i].rules, rule)
	}
	slices.SortStableFunc(groups, func(a, b group) int { return cmp.Compare(len(b.rules), len(a.rules)) })
	return groups
}

func whyBlocked(rule *conformance.RuleReport) string {
	first := firstOf(rule, conformance.Blocked)
	if first.BlockedBy != "" {
		return "blocked by " + first.BlockedBy
	}
	return cmp.Or(first.Message, rule.Message, "blocked")
}

func whyError(rule *conformance.RuleReport) string {
	return cmp.Or(firstOf(rule, conformance.Error).Message, rule.Message, "no reason is known")
}

func whySkipped(rule *conformance.RuleReport) string {
	return cmp.Or(rule.Message, firstOf(rule, conformance.Skipped).Message, "not judged")
}

// blocked tells what could not be judged, by the rule that stands in its way.
func (p *page) blocked(r *conformance.Report, at places) {
	rules := holding(r, conformance.Blocked)
	p.groups(headingOf(rules, conformance.Blocked), conformance.Blocked, grouped(rules, whyBlocked), " ", at)
}

// errors tells what the judge could not judge, by the reason.
func (p *page) errors(r *conformance.Report, at places) {
	rules := holding(r, conformance.Error)
	p.groups(headingOf(rules, conformance.Error), conformance.Error, grouped(rules, whyError), ": ", at)
}

// groups lists rules by reason.
func (p *page) groups(heading string, s conformance.Status, groups []group, join string, at places) {
	if len(groups) == 0 {
		return
	}
	p.heading("%s", heading)
	symbol, color := look(s)
	for _, g := range groups {
		reason := clip(plural(len(g.rules), "rule")+join+g.reason, p.width-4, 3)
		p.line("  " + p.paint(color, symbol) + " " + reason[0])
		for _, line := range reason[1:] {
			p.line("    " + line)
		}
		for _, line := range wrap(clean(members(g.rules, s, at)), p.width-4) {
			p.line("    " + line)
		}
	}
}

// maxIDs is how many rules of a group are named one by one.
const maxIDs = 16

// members names the rules of a group, with their endpoints where only some of
// their checks are in it; of a large group it tells the parts of the contract.
func members(rules []*conformance.RuleReport, s conformance.Status, at places) string {
	var names []string
	if len(rules) > maxIDs {
		parts := grouped(rules, func(rule *conformance.RuleReport) string { return rule.Part })
		for _, part := range parts {
			names = append(names, fmt.Sprintf("%s %d", part.reason, len(part.rules)))
		}
		return "in " + strings.Join(names, ", ")
	}
	for _, rule := range rules {
		var in []string
		for _, c := range rule.Checks {
			if c.Status == s {
				in = append(in, c.Endpoint)
			}
		}
		name := rule.ID
		if where := at.short(in); len(in) < len(rule.Checks) && where != "" {
			name += " (at " + where + ")"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// firstOf is the first check of a rule with the status.
func firstOf(rule *conformance.RuleReport, s conformance.Status) conformance.CheckReport {
	for _, c := range rule.Checks {
		if c.Status == s {
			return c
		}
	}
	return conformance.CheckReport{}
}

// skipped tells in a line or two which rules were left out, and why.
func (p *page) skipped(r *conformance.Report) {
	groups := grouped(holding(r, conformance.Skipped), whySkipped)
	if len(groups) == 0 {
		return
	}
	const maxReasons = 3
	var told []string
	for _, g := range groups[:min(len(groups), maxReasons)] {
		who := plural(len(g.rules), "rule")
		if len(g.rules) == 1 {
			who = g.rules[0].ID
		}
		told = append(told, who+" ("+g.reason+")")
	}
	if rest := len(groups) - maxReasons; rest > 0 {
		told = append(told, "and for "+plural(rest, "other reason"))
	}
	p.heading("Skipped")
	p.paragraph(strings.Join(told, ", "), 2)
}
