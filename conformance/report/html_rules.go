package report

import (
	"fmt"
	"strings"

	"github.com/socialfeed/conform/conformance"
)

// htmlRule is what a page says of every rule.
type htmlRule struct {
	ID, Part, Statement, Source, Where string
	Level                              conformance.Level
	Status                             conformance.Status
}

func newHTMLRule(rule *conformance.RuleReport, at places) htmlRule {
	var endpoints []string
	for _, c := range rule.Checks {
		endpoints = append(endpoints, c.Endpoint)
	}
	return htmlRule{
		ID: clean(rule.ID), Part: clean(rule.Part), Statement: htmlText(rule.Statement), Source: htmlText(rule.Source),
		Where: htmlText(at.short(endpoints)), Level: rule.Level, Status: rule.Status,
	}
}

// htmlCard is a rule with all that went wrong with it.
type htmlCard struct {
	htmlRule
	Breaches []htmlBreach
	Again    string // the command that judges it again
}

// htmlBreach is checks that went wrong alike: one that is told, and the others.
type htmlBreach struct {
	*htmlCheck
	Often string // how many checks came out like it, and where
	Alike []*htmlCheck
}

// htmlCheck is a check that did not pass.
type htmlCheck struct {
	Status                    conformance.Status
	Endpoint, Scenario        string
	Expected, Actual, Message string
	BlockedBy                 string
	Waived                    *htmlAccepted // nil where nothing is waived
	Exchanges                 []htmlExchange
	LeftOut                   string // what there was no room for, "" when all is there
}

// htmlAccepted is what a waiver accepts about a check.
type htmlAccepted struct {
	Status          conformance.Status
	Reason, Expires string
	Link            htmlLink
}

// htmlLink is what a waiver names as its link.
type htmlLink string

// Web tells whether it can be followed; anything else is shown as text.
func (l htmlLink) Web() bool {
	return strings.HasPrefix(string(l), "https://") || strings.HasPrefix(string(l), "http://")
}

func newHTMLCard(rule *conformance.RuleReport, at places, e *htmlEvidence) *htmlCard {
	card := &htmlCard{htmlRule: newHTMLRule(rule, at)}
	for _, s := range conformance.Statuses() {
		if s == conformance.Pass || s == conformance.Observed || s == conformance.Skipped {
			continue
		}
		for _, b := range breachesOf(rule, s) {
			card.Breaches = append(card.Breaches, newHTMLBreach(rule, b, at, e))
		}
	}
	if len(card.Breaches) == 0 { // a rule that has its status by itself
		alone := breach{{Status: rule.Status, Message: rule.Message}}
		card.Breaches = append(card.Breaches, newHTMLBreach(rule, alone, at, e))
	}
	return card
}

func newHTMLBreach(rule *conformance.RuleReport, b breach, at places, e *htmlEvidence) htmlBreach {
	told := htmlBreach{htmlCheck: newHTMLCheck(b[0], at), Often: htmlText(alike(rule, b, at))}
	e.wants(told.htmlCheck, b[0], first)
	for _, c := range b[1:] {
		other := newHTMLCheck(c, at)
		e.wants(other, c, another)
		told.Alike = append(told.Alike, other)
	}
	return told
}

func newHTMLCheck(c conformance.CheckReport, at places) *htmlCheck {
	check := &htmlCheck{
		Status: c.Status, Endpoint: htmlText(at.full(c.Endpoint)), Scenario: htmlText(c.Scenario),
		Expected: htmlText(c.Expected), Actual: htmlText(c.Actual), BlockedBy: clean(c.BlockedBy),
	}
	if c.Expected == "" { // otherwise the message only repeats it
		check.Message = htmlText(c.Message)
	}
	if w := c.Waived; w != nil {
		check.Waived = &htmlAccepted{w.Status, htmlText(w.Reason), htmlText(w.Expires), htmlLink(htmlText(w.Link))}
	}
	return check
}

// htmlGroup is rules that were not judged for the same cause.
type htmlGroup struct {
	Cause  string
	ByRule bool // the cause is another rule
	Note   string
	Rules  []htmlRule
	Long   bool // too many to be shown at once
}

// manyRules is from how many rules on a group starts closed.
const manyRules = 12

func newHTMLGroup(g group, s conformance.Status, at places) htmlGroup {
	shown := htmlGroup{Cause: htmlText(g.reason), Long: len(g.rules) > manyRules}
	for _, rule := range g.rules {
		entry := newHTMLRule(rule, at)
		if others := len(rule.Checks) - countOf(rule, s); others > 0 && len(rule.Checks) > others {
			entry.Where = fmt.Sprintf("%d of %d checks", len(rule.Checks)-others, len(rule.Checks))
		}
		shown.Rules = append(shown.Rules, entry)
	}
	if c := firstOf(g.rules[0], s); c.BlockedBy != "" {
		shown.ByRule, shown.Note = true, htmlText(c.Message)
	}
	return shown
}

func countOf(rule *conformance.RuleReport, s conformance.Status) int {
	n := 0
	for _, c := range rule.Checks {
		if c.Status == s {
			n++
		}
	}
	return n
}
