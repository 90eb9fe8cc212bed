package report

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/socialfeed/conform/conformance/result"
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
	Again  string           // the command that plays again what a drawn story showed once, "" where none did
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
				if slices.ContainsFunc(g.Rules[0].Checks, func(c *checkView) bool { return c.check.SeenOnce() }) {
					g.Again = g.Rules[0].Rerun
				}
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
