package report

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/socialfeed/conform/conformance"
)

// Text writes the report for people: what it comes to, the endpoints, and then
// what went wrong, the worst first. Its symbols and colours always come with
// words, and what the target sent cannot steer the terminal.
func Text(w io.Writer, r *conformance.Report, o TextOptions) error {
	p := newPage(w, o)
	at := placesOf(r)
	p.summary(r)
	p.endpoints(r)
	p.failures(r, at)
	p.warnings(r, at)
	p.blocked(r, at)
	p.errors(r, at)
	p.skipped(r)
	p.choices(r, at)
	return p.end()
}

func (p *page) summary(r *conformance.Report) {
	p.line(p.verdict(r.Verdict) + "  " + clean(r.Target.BaseURL))
	p.paragraph(meaning(r), 2)
	p.line("")
	p.outcomes(r.Rules)
	p.line("")
	p.field("requests", requests(r.Summary.Requests), 2)
	took := (time.Duration(r.DurationMS) * time.Millisecond).Round(100 * time.Millisecond)
	p.field("time", fmt.Sprintf("%s, from %s", took, r.StartedAt.UTC().Format("2006-01-02 15:04:05 UTC")), 1)
	p.field("seed", fmt.Sprintf("%d (conform %s)", r.Seed, r.Tool.Version), 1)
	for _, note := range r.Notes {
		p.field("note", note, 3)
	}
}

func (p *page) verdict(v conformance.Verdict) string {
	switch v {
	case conformance.Conformant:
		return p.paint(text.FgGreen, "✓ CONFORMANT")
	case conformance.NonConformant:
		return p.paint(text.FgRed, "✗ NOT CONFORMANT")
	case conformance.Incomplete:
		return p.paint(text.FgYellow, "! NO VERDICT (incomplete)")
	}
	return clean(string(v))
}

// meaning is the verdict in a sentence.
func meaning(r *conformance.Report) string {
	n := map[conformance.Status]int{}
	broken := 0
	for i := range r.Rules {
		n[r.Rules[i].Status]++
		if gates(r, &r.Rules[i]) {
			broken++
		}
	}
	unjudged := n[conformance.Blocked] + n[conformance.Error]
	sentence := "No rule is broken"
	switch {
	case broken == 1:
		sentence = "1 rule is broken"
	case broken > 1:
		sentence = fmt.Sprintf("%d rules are broken", broken)
	case r.Verdict == conformance.Incomplete:
		sentence = "Nothing failed, but the rest is not known"
	}
	var also []string
	if warned := n[conformance.Warn]; warned > 0 && r.FailOn != conformance.Should {
		also = append(also, plural(warned, "rule")+" with warnings")
	}
	if unjudged > 0 {
		also = append(also, plural(unjudged, "rule")+" could not be judged")
	}
	if len(also) > 0 {
		sentence += ": " + strings.Join(also, ", ")
	}
	return sentence + "."
}

// gates tells whether the rule's outcome makes the target non-conformant.
func gates(r *conformance.Report, rule *conformance.RuleReport) bool {
	return rule.Status == conformance.Fail ||
		rule.Status == conformance.Warn && rule.Level == conformance.Should && r.FailOn == conformance.Should
}

// outcomes is the table of the rules, by level and outcome.
func (p *page) outcomes(rules []conformance.RuleReport) {
	statuses := []conformance.Status{conformance.Pass, conformance.Warn, conformance.Fail, conformance.Blocked,
		conformance.Error, conformance.Observed, conformance.Skipped}
	header := table.Row{"rules"}
	columns := []table.ColumnConfig{}
	for i, s := range append(slices.Clone(statuses), "all") {
		header = append(header, string(s))
		columns = append(columns, table.ColumnConfig{Number: i + 2, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	var rows []table.Row
	for _, level := range []conformance.Level{conformance.Must, conformance.Should, conformance.Choice, "all"} {
		n, all := map[conformance.Status]int{}, 0
		for _, rule := range rules {
			if rule.Level == level || level == "all" {
				n[rule.Status]++
				all++
			}
		}
		if all == 0 {
			continue
		}
		row := table.Row{string(level)}
		for _, s := range statuses {
			row = append(row, p.count(s, n[s]))
		}
		rows = append(rows, append(row, fmt.Sprint(all)))
	}
	p.table(header, rows, columns...)
}

// requests counts them by method, the most frequent first.
func requests(by map[string]int) string {
	methods := slices.SortedFunc(maps.Keys(by), func(a, b string) int {
		return cmp.Or(cmp.Compare(by[b], by[a]), cmp.Compare(a, b))
	})
	total := 0
	for i, method := range methods {
		total += by[method]
		methods[i] = fmt.Sprintf("%s %d", method, by[method])
	}
	if total == 0 {
		return "none"
	}
	return fmt.Sprintf("%d (%s)", total, strings.Join(methods, ", "))
}
