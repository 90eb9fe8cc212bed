package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/socialfeed/conform/conformance"
)

// rareStatuses are those that only some runs can bring, where one did.
func rareStatuses(rules []conformance.RuleReport) []conformance.Status {
	var met []conformance.Status
	for _, s := range []conformance.Status{conformance.Unstable, conformance.Waived} {
		if slices.ContainsFunc(rules, func(rule conformance.RuleReport) bool { return rule.Status == s }) {
			met = append(met, s)
		}
	}
	return met
}

// conditions are what the verdict rests on beside the rules, in words.
func conditions(r *conformance.Report) []string {
	var said []string
	if n := len(holding(r, conformance.Unstable)); n > 0 {
		said = append(said, plural(n, "rule")+" came out differently when repeated")
	}
	if n := len(holding(r, conformance.Waived)); n > 0 {
		said = append(said, fmt.Sprintf("deviations from %s are waived", plural(n, "rule")))
	}
	gone := 0
	for _, w := range r.Waivers {
		if w.State.Gates() {
			gone++
		}
	}
	switch {
	case gone == 1:
		said = append(said, "1 waiver does not hold")
	case gone > 1:
		said = append(said, fmt.Sprintf("%d waivers do not hold", gone))
	}
	if r.Missing != "" {
		said = append(said, clean(r.Missing))
	}
	return said
}

// partOf tells that the report is only of a part of a run, or of several runs.
func partOf(r *conformance.Report) string {
	var parts []string
	if r.Shard != nil {
		parts = append(parts, r.Shard.String()+" of the scenarios, for conform merge")
	}
	if r.Repeats > 1 {
		parts = append(parts, fmt.Sprintf("%d repeats", r.Repeats))
	}
	return strings.Join(parts, "; ")
}

// unstable tells the rules that came out differently, with the evidence of each time.
func (p *page) unstable(r *conformance.Report, at places) {
	rules := holding(r, conformance.Unstable)
	if len(rules) == 0 {
		return
	}
	p.heading("Unstable: %s came out differently when repeated", plural(len(rules), "rule"))
	for _, rule := range rules {
		p.breaches(rule, conformance.Unstable, at, func(c conformance.CheckReport) {
			p.field("scenario", c.Scenario, 2)
			for _, x := range c.Exchanges[max(0, len(c.Exchanges)-maxOccasions):] {
				p.field("exchange", occasion(x), 3)
			}
		})
	}
}

// maxOccasions is how many exchanges of an unstable check are told.
const maxOccasions = 6

// occasion is an exchange in a line.
func occasion(x conformance.Exchange) string {
	head := x.Request.Method + " " + x.Request.URL + ": "
	if x.Response == nil {
		return head + "no response: " + x.Error
	}
	return strings.TrimSpace(head + statusLine(x.Response.Status) + " " + x.Response.Body)
}

// waivers tells what became of each waiver, those first that do not hold.
func (p *page) waivers(r *conformance.Report, at places) {
	if len(r.Waivers) == 0 {
		return
	}
	n := map[conformance.WaiverState]int{}
	for _, w := range r.Waivers {
		n[w.State]++
	}
	var counted []string
	for _, s := range waiverStates() {
		if n[s] > 0 {
			counted = append(counted, fmt.Sprintf("%d %s", n[s], s))
		}
	}
	p.heading("Waivers: %s", strings.Join(counted, ", "))
	for _, s := range waiverStates() {
		for _, w := range r.Waivers {
			if w.State == s {
				p.waiver(w, at)
			}
		}
	}
}

func waiverStates() []conformance.WaiverState {
	return []conformance.WaiverState{conformance.WaiverUnknown, conformance.WaiverExpired, conformance.WaiverStale,
		conformance.WaiverUsed, conformance.WaiverUnjudged}
}

func (p *page) waiver(w conformance.WaiverReport, at places) {
	symbol, color := "–", text.FgCyan
	if w.State.Gates() {
		symbol, color = "✗", text.FgRed
	}
	name := clean(w.Rule)
	if w.Endpoint != "" {
		name += "  " + clean(at.full(w.Endpoint))
	}
	p.line("")
	p.line(p.paint(color, symbol+" "+strings.ToUpper(clean(string(w.State)))) + "  " + p.paint(text.Bold, name))
	p.paragraph(w.Message, 3)
	p.field("reason", w.Reason, 3)
	p.field("link", w.Link, 1)
}

// quoted is a path as a word of a shell command.
func quoted(path string) string {
	if path != "" && !strings.ContainsFunc(path, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/+,:@%", r)
	}) {
		return path
	}
	return "'" + strings.ReplaceAll(clean(path), "'", `'\''`) + "'"
}
