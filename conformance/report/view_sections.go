package report

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// section is the rules with the same outcome: one by one, or in groups that share a reason.
type section struct {
	ID          sectionID
	Title, Lead string
	Status      result.Status
	Rules       []*ruleView
	Groups      []*group // nil where the rules are listed one by one
}

// sectionID identifies a section, also as an anchor of the page.
type sectionID string

// The sections. The rules of notImplemented fail because their endpoint is missing.
const (
	notImplemented  sectionID = "not-implemented"
	sectionFailures sectionID = "failures"
	sectionUnstable sectionID = "unstable"
	sectionWarnings sectionID = "warnings"
	sectionWaived   sectionID = "waived"
	sectionBlocked  sectionID = "blocked"
	sectionErrors   sectionID = "errors"
	sectionSkipped  sectionID = "skipped"
)

// group is rules that share a reason.
type group struct {
	Reason string
	Note   string
	ByRule bool // the reason is another rule
	Absent bool // the reason is a missing endpoint, or a rule that it breaks
	Rules  []*ruleView
	Frees  int              // how many other rules the group's reason blocks
	Last   *result.Exchange // the request after which the target stopped answering; nil for none
}

// sections sorts the rules into those that have any.
func (v *view) sections(r *result.Report) []*section {
	warned := "The contract recommends these, or the target answers in a way that is only just acceptable."
	if r.FailOn == rules.Should {
		warned += " In this run a broken should counts against the verdict."
	}
	all := []*section{
		{ID: notImplemented, Title: "Not implemented", Status: result.Fail, Lead: "Valid requests to these endpoints are answered as if they were not there. The one for which most rules wait comes first."},
		{ID: sectionFailures, Title: "Failures", Status: result.Fail, Lead: "Each of these makes the target not conformant."},
		{ID: sectionUnstable, Title: "Unstable", Status: result.Unstable, Lead: "These came out differently when they were repeated."},
		{ID: sectionWarnings, Title: "Warnings", Status: result.Warn, Lead: warned},
		{ID: sectionWaived, Title: "Waived", Status: result.Waived, Lead: "Known deviations that a waiver accepts for now."},
		{ID: sectionBlocked, Title: "Blocked", Status: result.Blocked, Lead: "What these rules need does not work: mend that first, then run again."},
		{ID: sectionErrors, Title: "Errors", Status: result.Error, Lead: "The judge could not judge these."},
		{ID: sectionSkipped, Title: "Skipped", Status: result.Skipped, Lead: "These were left out of the run."},
	}
	v.findAbsent(r)
	for _, s := range all {
		for _, rule := range v.Rules {
			if rule.Status == s.Status && (s.Status != result.Fail || (rule.Absent != "") == (s.ID == notImplemented)) {
				s.Rules = append(s.Rules, rule)
			}
		}
	}
	v.group(r, all)
	return slices.DeleteFunc(all, func(s *section) bool { return len(s.Rules) == 0 })
}

// broken are the rules that are named before their evidence: those that fail or are
// unstable, unless their endpoint is missing.
func (v *view) broken() []*ruleView {
	var broken []*ruleView
	for _, s := range v.Sections {
		if s.Groups == nil && (s.Status == result.Fail || s.Status == result.Unstable) {
			broken = append(broken, s.Rules...)
		}
	}
	return broken
}

// heading is the section's title with the number of its rules.
func (s *section) heading() string {
	n, they, need := result.Plural(len(s.Rules), "rule"), "they", "need"
	if len(s.Rules) == 1 {
		they, need = "it", "needs"
	}
	switch s.ID {
	case notImplemented:
		return s.Title + ": what " + n + " " + need + " is not there"
	case sectionUnstable:
		return s.Title + ": " + n + " came out differently when repeated"
	case sectionBlocked:
		return s.Title + ": " + n + " could not be judged, since what " + they + " " + need + " does not work"
	case sectionErrors:
		return s.Title + ": " + n + " could not be judged"
	}
	return s.Title + ": " + n
}

// group groups the rules of those sections that are listed by reason; missing endpoints
// come first.
func (v *view) group(r *result.Report, all []*section) {
	causes := v.rootCauses()
	unknown := "no reason is known"
	for _, s := range all {
		switch s.ID {
		case notImplemented:
			s.Groups = grouped(s.Rules, func(rule *ruleView) string { return rule.Absent })
			for _, g := range s.Groups {
				g.Absent, g.Note = true, "answers "+statusLine(g.Rules[0].Violations[0].check.Answered())
			}
			inOrderOfSteps(s.Groups, r.Next())
		case sectionBlocked:
			s.Groups = grouped(s.Rules, func(rule *ruleView) string {
				return cmp.Or(causes[rule.ID], rule.Violations[0].Message, rule.Message, unknown)
			})
			for _, g := range s.Groups {
				g.ByRule = causes[g.Rules[0].ID] == g.Reason
				g.Absent = g.ByRule && slices.ContainsFunc(all[0].Rules, func(rule *ruleView) bool { return rule.ID == g.Reason })
				if g.ByRule {
					g.Note = g.Rules[0].Violations[0].Message
				}
			}
		case sectionErrors:
			s.Groups = grouped(s.Rules, func(rule *ruleView) string { return cmp.Or(rule.Violations[0].Message, rule.Message, unknown) })
			for _, g := range s.Groups {
				g.Last = lastRequest(g.Rules)
			}
		case sectionSkipped:
			s.Groups = grouped(s.Rules, func(rule *ruleView) string {
				return cmp.Or(rule.Message, rule.Violations[0].Message, "not judged")
			})
		}
	}
}

// inOrderOfSteps sorts missing endpoints by which to implement first, and counts the rules
// that each blocks.
func inOrderOfSteps(absent []*group, steps []result.NextStep) {
	order := map[string]int{}
	for i, step := range steps {
		if !step.Missing {
			continue
		}
		order[step.Rule] = i
		for _, g := range absent {
			if g.Rules[0].ID == step.Rule {
				g.Frees = max(g.Frees, step.Frees)
			}
		}
	}
	slices.SortStableFunc(absent, func(a, b *group) int { return order[a.Rules[0].ID] - order[b.Rules[0].ID] })
}

// headline is what the group's rules share, in words.
func (g *group) headline() string {
	switch {
	case g.ByRule:
		return result.Plural(len(g.Rules), "rule") + " blocked by " + g.Reason
	case g.Absent && g.Frees == 0:
		return g.Reason + " " + g.Note
	case g.Absent:
		return fmt.Sprintf("%s %s; %s", g.Reason, g.Note, waitingFor(g.Frees))
	}
	return result.Plural(len(g.Rules), "rule") + ": " + g.Reason
}

// waitingFor says how many rules wait for something that is missing or broken.
func waitingFor(n int) string {
	if n == 1 {
		return "1 rule waits for it"
	}
	return result.Plural(n, "rule") + " wait for it"
}

// grouped sorts rules by reason, the largest group first.
func grouped(rules []*ruleView, reason func(*ruleView) string) []*group {
	var groups []*group
	for why, of := range inGroups(rules, reason) {
		groups = append(groups, &group{Reason: why, Rules: of})
	}
	slices.SortStableFunc(groups, func(a, b *group) int { return len(b.Rules) - len(a.Rules) })
	return groups
}

// inGroups are the items of each key, the keys in the order in which they come up.
func inGroups[T any, K comparable](items []T, key func(T) K) iter.Seq2[K, []T] {
	var order []K
	groups := map[K][]T{}
	for _, item := range items {
		k := key(item)
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], item)
	}
	return func(yield func(K, []T) bool) {
		for _, k := range order {
			if !yield(k, groups[k]) {
				return
			}
		}
	}
}

// rootCauses follows what blocks each blocked rule to the one that is not blocked itself.
func (v *view) rootCauses() map[string]string {
	by := map[string]string{}
	for _, rule := range v.Rules {
		if rule.Status == result.Blocked {
			by[rule.ID] = rule.Violations[0].BlockedBy
		}
	}
	roots := map[string]string{}
	for id, cause := range by {
		for range len(by) { // ends also for a cycle in a forged report
			if by[cause] == "" || by[cause] == id {
				break
			}
			cause = by[cause]
		}
		roots[id] = cause
	}
	return roots
}

// findAbsent marks the failures of endpoints that the report says are missing.
func (v *view) findAbsent(r *result.Report) {
	absent := map[int]bool{}
	for _, e := range r.Endpoints {
		absent[e.Number] = e.Missing()
	}
	for _, rule := range v.Rules {
		var in []string
		for _, c := range rule.Checks {
			switch {
			case c.Status != result.Fail:
			case absent[c.Number]:
				in = append(in, c.check.Endpoint)
			default: // it fails at other endpoints, too
				in = append(in, "")
			}
		}
		if rule.Status != result.Fail || len(in) == 0 || slices.Contains(in, "") {
			continue
		}
		rule.Absent = v.index.full(in[0])
		if len(in) > 1 {
			rule.Absent += " and " + v.index.short(in[1:])
		}
		rule.Absent = short(rule.Absent)
	}
}
