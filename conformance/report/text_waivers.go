package report

import (
	"cmp"
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
	if n := len(ending(r, conformance.Unstable)); n > 0 {
		said = append(said, plural(n, "rule")+" came out differently when repeated")
	}
	if n := len(ending(r, conformance.Waived)); n > 0 {
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

// played tells that the run was repeated.
func played(r *conformance.Report) string {
	if r.Repeats <= 1 {
		return ""
	}
	return fmt.Sprintf("in %d repeats", r.Repeats)
}

// partOf tells that the report is only of a part of a run.
func partOf(r *conformance.Report) string {
	if r.Shard == nil {
		return ""
	}
	return r.Shard.String() + " of the scenarios, for conform merge"
}

// unstable tells the rules that came out differently, with the evidence of each time.
func (p *page) unstable(r *conformance.Report, at places) {
	rules := holding(r, conformance.Unstable)
	if len(rules) == 0 {
		return
	}
	p.heading("%s", headingOf(rules, conformance.Unstable))
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
	p.heading("Waivers: %s", waiverCounts(r))
	for _, w := range waiversOf(r) {
		p.waiver(w, at)
	}
}

// waiversOf are a report's waivers, those first that do not hold.
func waiversOf(r *conformance.Report) []conformance.WaiverReport {
	return slices.SortedStableFunc(slices.Values(r.Waivers), func(a, b conformance.WaiverReport) int {
		return cmp.Compare(slices.Index(waiverStates(), a.State), slices.Index(waiverStates(), b.State))
	})
}

func waiverStates() []conformance.WaiverState {
	return []conformance.WaiverState{conformance.WaiverUnknown, conformance.WaiverExpired, conformance.WaiverStale,
		conformance.WaiverUsed, conformance.WaiverUnjudged}
}

// waiverCounts is how many waivers are in each state.
func waiverCounts(r *conformance.Report) string {
	n := map[conformance.WaiverState]int{}
	for _, w := range r.Waivers {
		n[w.State]++
	}
	var counts []string
	for _, w := range waiversOf(r) {
		if n[w.State] > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n[w.State], clean(string(w.State))))
			n[w.State] = 0
		}
	}
	return strings.Join(counts, ", ")
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
