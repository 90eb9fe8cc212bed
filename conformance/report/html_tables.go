package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance"
)

// htmlSummary counts the rules by outcome and level.
type htmlSummary struct {
	Rows  []htmlCounts // by outcome
	Total htmlCounts
	Bar   []htmlSlice
}

// htmlCounts is a row of the summary: how many rules of each level, and of all.
type htmlCounts struct {
	Status conformance.Status
	Levels []htmlCount
	All    int
}

type htmlCount struct {
	Level conformance.Level
	Rules int
}

func newHTMLSummary(r *conformance.Report) htmlSummary {
	n := map[conformance.Status]map[conformance.Level]int{}
	for _, rule := range r.Rules {
		if n[rule.Status] == nil {
			n[rule.Status] = map[conformance.Level]int{}
		}
		n[rule.Status][rule.Level]++
	}
	levels := []conformance.Level{conformance.Must, conformance.Should, conformance.Choice}
	summary := htmlSummary{Total: htmlCounts{Levels: make([]htmlCount, len(levels))}}
	all := map[conformance.Status]int{}
	for _, s := range conformance.Statuses() {
		row := htmlCounts{Status: s}
		for i, level := range levels {
			row.Levels = append(row.Levels, htmlCount{level, n[s][level]})
			row.All += n[s][level]
			summary.Total.Levels[i].Level = level
			summary.Total.Levels[i].Rules += n[s][level]
		}
		all[s] = row.All
		summary.Total.All += row.All
		if row.All == 0 && (s == conformance.Unstable || s == conformance.Waived) {
			continue // these come up only in runs that ask for them
		}
		summary.Rows = append(summary.Rows, row)
	}
	summary.Bar = htmlBar(all)
	return summary
}

// htmlSlice is a status's share of a bar that is 100 wide.
type htmlSlice struct {
	Status   conformance.Status
	Checks   int
	X, Width string
}

// htmlBar shares a bar out among the statuses that came up, the worst first.
func htmlBar(n map[conformance.Status]int) []htmlSlice {
	total := 0
	for _, s := range conformance.Statuses() {
		total += max(n[s], 0)
	}
	var bar []htmlSlice
	x := 0.0
	for _, s := range conformance.Statuses() {
		if n[s] <= 0 {
			continue
		}
		width := 100 * float64(n[s]) / float64(total)
		bar = append(bar, htmlSlice{s, n[s], fmt.Sprintf("%.2f", x), fmt.Sprintf("%.2f", width)})
		x += width
	}
	return bar
}

// htmlEndpoint is a row of the table by endpoint.
type htmlEndpoint struct {
	Number       int
	Method, Path string
	Status       conformance.Status
	Bar          []htmlSlice
}

func htmlEndpoints(r *conformance.Report) []htmlEndpoint {
	var rows []htmlEndpoint
	for _, e := range r.Endpoints {
		rows = append(rows, htmlEndpoint{e.Number, htmlText(e.Method), htmlText(e.Path), e.Status, htmlBar(e.Checks)})
	}
	return rows
}

// htmlChoice is a row of the table of choices.
type htmlChoice struct{ Rule, Answer, Where string }

func htmlChoices(r *conformance.Report, at places) []htmlChoice {
	var rows []htmlChoice
	for _, a := range folded(r.Choices) {
		rows = append(rows, htmlChoice{clean(a.rule), htmlText(at.brief(a.text)), htmlText(at.short(a.endpoints))})
	}
	return rows
}

// htmlWaiver is a row of the table of waivers.
type htmlWaiver struct {
	Rule, Where, State, Message, Reason, Expires string
	Link                                         htmlLink
	Look                                         conformance.Status // that whose looks it has
}

func htmlWaivers(r *conformance.Report, at places) []htmlWaiver {
	var rows []htmlWaiver
	for _, w := range waiversOf(r) {
		rows = append(rows, htmlWaiver{
			Rule: clean(w.Rule), Where: htmlText(at.full(w.Endpoint)), State: htmlText(string(w.State)), Look: waiverLook(w.State),
			Message: htmlText(w.Message), Reason: htmlText(w.Reason), Link: htmlLink(htmlText(w.Link)), Expires: htmlText(w.Expires),
		})
	}
	return rows
}

func waiverLook(s conformance.WaiverState) conformance.Status {
	switch {
	case s.Gates():
		return conformance.Fail
	case s == conformance.WaiverUsed:
		return conformance.Waived
	}
	return conformance.Skipped
}

// htmlPart is the rules of one part of the contract, for the table by rule.
type htmlPart struct {
	Name  string
	Rules []htmlRow
}

// htmlRow is a row of the table by rule.
type htmlRow struct {
	htmlRule
	Anchored bool // the rule's anchor is here, since no section tells more about it
	At       string
	Bar      []htmlSlice
}

func htmlParts(r *conformance.Report, at places) []htmlPart {
	var parts []htmlPart
	for i := range r.Rules {
		rule := &r.Rules[i]
		j := slices.IndexFunc(parts, func(p htmlPart) bool { return p.Name == clean(rule.Part) })
		if j < 0 {
			j = len(parts)
			parts = append(parts, htmlPart{Name: clean(rule.Part)})
		}
		n := map[conformance.Status]int{}
		for _, c := range rule.Checks {
			n[c.Status]++
		}
		parts[j].Rules = append(parts[j].Rules, htmlRow{
			htmlRule: newHTMLRule(rule, at),
			Anchored: rule.Status == conformance.Pass || rule.Status == conformance.Observed,
			At:       at.numbersOf(rule),
			Bar:      htmlBar(n),
		})
	}
	return parts
}

// numbersOf lists the numbers of the endpoints that a rule was judged at, each
// once, 0 for none, as the page's script reads them.
func (all places) numbersOf(rule *conformance.RuleReport) string {
	var numbers []string
	for _, c := range rule.Checks {
		if n := fmt.Sprint(all[c.Endpoint]); !slices.Contains(numbers, n) {
			numbers = append(numbers, n)
		}
	}
	return strings.Join(numbers, " ")
}
