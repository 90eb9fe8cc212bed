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
	p.again = againOf(r, o)
	at := placesOf(r)
	p.summary(r)
	p.endpoints(r)
	p.failures(r, at)
	p.unstable(r, at)
	p.warnings(r, at)
	p.blocked(r, at)
	p.errors(r, at)
	p.waivers(r, at)
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
	p.field("played", played(r), 1)
	p.field("part", partOf(r), 1)
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
	var broken, warned, unjudged, judged, left int
	for i := range r.Rules {
		rule := &r.Rules[i]
		switch {
		case rule.Status != conformance.Skipped:
			judged++
		case !strings.HasPrefix(rule.Message, "needs "):
			left++
		}
		switch {
		case gates(r, rule):
			broken++
		case rule.Status == conformance.Warn:
			warned++
		case rule.Status == conformance.Blocked, rule.Status == conformance.Error:
			unjudged++
		}
	}
	said := []string{"no rule is broken"}
	switch {
	case broken == 1:
		said[0] = "1 rule is broken"
	case broken > 1:
		said[0] = fmt.Sprintf("%d rules are broken", broken)
	case unjudged > 0:
		said[0] = "nothing failed"
	case left > 0:
		said[0] = fmt.Sprintf("no rule is broken of the %d that were judged", judged)
	}
	if unjudged > 0 {
		said = append(said, plural(unjudged, "rule")+" could not be judged")
	}
	if warned > 0 {
		said = append(said, plural(warned, "rule")+" got a warning")
	}
	if r.EndedBy != "" {
		said = append(said, "the run ended early: "+clean(r.EndedBy))
	}
	said = append(said, conditions(r)...)
	if r.Target.Embedded {
		said = append(said, "the target is the reference server that conform starts by itself")
	}
	sentence := strings.Join(said, "; ")
	return strings.ToUpper(sentence[:1]) + sentence[1:] + "."
}

// gates tells whether the rule's outcome makes the target non-conformant.
func gates(r *conformance.Report, rule *conformance.RuleReport) bool {
	return r.Gates(rule.Level, rule.Status)
}

// outcomes is the table of the rules, by level and outcome.
func (p *page) outcomes(rules []conformance.RuleReport) {
	header := table.Row{"rules"}
	columns := []table.ColumnConfig{}
	gap, rare := wide, rareStatuses(rules)
	if len(rare) > 0 {
		gap = narrow
	}
	statuses := slices.Concat(countedStatuses(), rare)
	for i, s := range append(slices.Clone(statuses), "all") {
		header = append(header, string(s))
		columns = append(columns, table.ColumnConfig{Number: i + 2, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	var rows []table.Row
	for _, t := range tallies(rules) {
		row := table.Row{string(t.level)}
		for _, s := range statuses {
			row = append(row, p.count(s, t.n[s]))
		}
		rows = append(rows, append(row, fmt.Sprint(t.all)))
	}
	p.table(gap, header, rows, columns...)
}

// countedStatuses are the columns of a table by outcome, the best first.
func countedStatuses() []conformance.Status {
	return []conformance.Status{conformance.Pass, conformance.Warn, conformance.Fail, conformance.Blocked,
		conformance.Error, conformance.Observed, conformance.Skipped}
}

// tally counts the rules of a level by outcome.
type tally struct {
	level conformance.Level // "all" for those of every level
	n     map[conformance.Status]int
	all   int
}

// tallies counts by level, and at last all rules; a level without rules is left out.
func tallies(rules []conformance.RuleReport) []tally {
	var all []tally
	for _, level := range []conformance.Level{conformance.Must, conformance.Should, conformance.Choice, "all"} {
		t := tally{level: level, n: map[conformance.Status]int{}}
		for _, rule := range rules {
			if rule.Level == level || level == "all" {
				t.n[rule.Status]++
				t.all++
			}
		}
		if t.all > 0 {
			all = append(all, t)
		}
	}
	return all
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
