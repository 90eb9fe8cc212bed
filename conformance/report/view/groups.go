package view

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/result"
)

// Group is rules that share a reason.
type Group struct {
	Reason string
	Note   string
	ByRule bool // the reason is another rule
	Absent bool // the reason is a missing endpoint, or a rule that it breaks
	Rules  []*Rule
	Frees  int              // how many other rules the group's reason blocks
	Last   *result.Exchange // the request after which the target stopped answering; nil for none
	Again  string           // the command that plays again what a drawn story showed once, "" where none did
}

// group groups the rules of those sections that are listed by reason; missing endpoints
// come first.
func (v *View) group(r *result.Report, all []*Section) {
	causes := v.rootCauses()
	unknown := "no reason is known"
	for _, s := range all {
		switch s.ID {
		case NotImplemented:
			s.Groups = grouped(s.Rules, func(rule *Rule) string { return rule.Absent })
			for _, g := range s.Groups {
				g.Absent, g.Note = true, "answers "+plain.StatusLine(g.Rules[0].Violations[0].Result.Answered())
			}
			inOrderOfSteps(s.Groups, r.Next())
		case Blocked:
			s.Groups = grouped(s.Rules, func(rule *Rule) string {
				return cmp.Or(causes[rule.ID], rule.Violations[0].Message, rule.Message, unknown)
			})
			for _, g := range s.Groups {
				g.ByRule = causes[g.Rules[0].ID] == g.Reason
				g.Absent = g.ByRule && slices.ContainsFunc(all[0].Rules, func(rule *Rule) bool { return rule.ID == g.Reason })
				if g.ByRule {
					g.Note = g.Rules[0].Violations[0].Message
				}
			}
		case Errors:
			s.Groups = grouped(s.Rules, func(rule *Rule) string { return cmp.Or(rule.Violations[0].Message, rule.Message, unknown) })
			for _, g := range s.Groups {
				g.Last = lastRequest(g.Rules)
				if slices.ContainsFunc(g.Rules[0].Checks, func(c *Check) bool { return c.Result.SeenOnce() }) {
					g.Again = g.Rules[0].Rerun
				}
			}
		case Skipped:
			s.Groups = grouped(s.Rules, func(rule *Rule) string {
				return cmp.Or(rule.Message, rule.Violations[0].Message, "not judged")
			})
		}
	}
}

// inOrderOfSteps sorts missing endpoints by which to implement first, and counts the rules
// that each blocks.
func inOrderOfSteps(absent []*Group, steps []result.NextStep) {
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
	slices.SortStableFunc(absent, func(a, b *Group) int { return order[a.Rules[0].ID] - order[b.Rules[0].ID] })
}

// Headline is what the group's rules share, in words.
func (g *Group) Headline() string {
	switch {
	case g.ByRule:
		return result.Plural(len(g.Rules), "rule") + " blocked by " + g.Reason
	case g.Absent && g.Frees == 0:
		return g.Reason + " " + g.Note
	case g.Absent:
		return fmt.Sprintf("%s %s; %s", g.Reason, g.Note, WaitingFor(g.Frees))
	}
	return result.Plural(len(g.Rules), "rule") + ": " + g.Reason
}

// WaitingFor says how many rules wait for something that is missing or broken.
func WaitingFor(n int) string {
	if n == 1 {
		return "1 rule waits for it"
	}
	return result.Plural(n, "rule") + " wait for it"
}

// grouped sorts rules by reason, the largest group first.
func grouped(rules []*Rule, reason func(*Rule) string) []*Group {
	var groups []*Group
	for why, of := range InGroups(rules, reason) {
		groups = append(groups, &Group{Reason: why, Rules: of})
	}
	slices.SortStableFunc(groups, func(a, b *Group) int { return len(b.Rules) - len(a.Rules) })
	return groups
}

// InGroups are the items of each key, the keys in the order in which they come up.
func InGroups[T any, K comparable](items []T, key func(T) K) iter.Seq2[K, []T] {
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
func (v *View) rootCauses() map[string]string {
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
