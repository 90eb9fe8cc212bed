package report

import (
	"cmp"
	"fmt"
	"html"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/socialfeed/conform/conformance"
)

// Markdown writes the report for a job summary or a comment on a pull request:
// the verdict first, in less than 64 KiB whatever happened. Evidence that finds no
// room, and then whole rules, are counted instead. Whatever may come from the
// target stands in code spans and fences, where nothing of it is markup, a
// mention or a link.
func Markdown(w io.Writer, r *conformance.Report, o TextOptions) error {
	var d document
	at, a := placesOf(r), againOf(r, o)
	d.summary(r)
	d.endpoints(r)
	for _, s := range []conformance.Status{conformance.Fail, conformance.Unstable, conformance.Warn} {
		rules := holding(r, s)
		d.section(headingOf(rules, s), brokenItems(rules, s, at, a))
	}
	waiting, unjudged := holding(r, conformance.Blocked), holding(r, conformance.Error)
	d.section(headingOf(waiting, conformance.Blocked), groupItems(waiting, conformance.Blocked, whyBlocked, at))
	d.section(headingOf(unjudged, conformance.Error), groupItems(unjudged, conformance.Error, whyError, at))
	d.section("Waivers: "+markdown(waiverCounts(r)), waiverItems(r, at))
	d.drawer("Skipped", groupItems(holding(r, conformance.Skipped), conformance.Skipped, whySkipped, at))
	d.drawer("Choices: what the target does where the contract is silent", choiceItems(r, at))
	if _, err := io.WriteString(w, d.text.String()); err != nil {
		return fmt.Errorf("writing the report as Markdown: %w", err)
	}
	return nil
}

func (d *document) summary(r *conformance.Report) {
	d.line("## %s: %s", badgeOf(r.Verdict), code(r.Target.BaseURL))
	known := *r
	known.Missing = "" // told below, in code
	d.paragraph("%s", meaning(&known))
	d.levels(r.Rules)
	took := (time.Duration(r.DurationMS) * time.Millisecond).Round(100 * time.Millisecond)
	d.paragraph("Requests: %s; %s, from %s; seed %d; conform %s.", code(requests(r.Summary.Requests)), took,
		r.StartedAt.UTC().Format("2006-01-02 15:04:05 UTC"), r.Seed, code(cmp.Or(r.Tool.Version, "of no version")))
	for _, part := range []string{partOf(r), r.Missing} {
		if part != "" {
			d.paragraph("> Part of a run: %s", code(part))
		}
	}
	if often := played(r); often != "" {
		d.paragraph("> Played %s.", often)
	}
	const maxNotes = 10
	for _, note := range r.Notes[:min(len(r.Notes), maxNotes)] {
		d.paragraph("> Note: %s", code(note))
	}
	if rest := len(r.Notes) - maxNotes; rest > 0 {
		d.paragraph("> And %s.", plural(rest, "more note"))
	}
}

// badgeOf is a verdict with its symbol.
func badgeOf(v conformance.Verdict) string {
	switch v {
	case conformance.Conformant:
		return "✅ Conformant"
	case conformance.NonConformant:
		return "❌ Not conformant"
	case conformance.Incomplete:
		return "⚠️ No verdict (incomplete)"
	}
	return code(string(v))
}

// marked is a status as a symbol and its word.
func marked(s conformance.Status) string {
	switch s {
	case conformance.Pass:
		return "✅ pass"
	case conformance.Fail:
		return "❌ fail"
	case conformance.Warn, conformance.Blocked, conformance.Error, conformance.Unstable:
		return "⚠️ " + string(s)
	case conformance.Observed, conformance.Skipped, conformance.Waived:
		return string(s)
	}
	return cell(string(s))
}

func (d *document) levels(rules []conformance.RuleReport) {
	header := table.Row{"Rules"}
	statuses := slices.Concat(countedStatuses(), rareStatuses(rules))
	for _, s := range append(slices.Clone(statuses), "all") {
		header = append(header, string(s))
	}
	var rows []table.Row
	for _, t := range tallies(rules) {
		row := table.Row{string(t.level)}
		for _, s := range statuses {
			row = append(row, t.n[s])
		}
		rows = append(rows, append(row, t.all))
	}
	d.paragraph("%s", numbers(header, rows, 2, len(header)))
}

// endpoints is the table by endpoint, closed at first: of those where anything
// was judged.
func (d *document) endpoints(r *conformance.Report) {
	n := map[conformance.Status]int{}
	var rows []table.Row
	for _, e := range r.Endpoints {
		n[e.Status]++
		if e.Status == conformance.Skipped {
			continue
		}
		others := maps.Clone(e.Checks)
		delete(others, conformance.Pass)
		rows = append(rows, table.Row{e.Number, cell(e.Method + " " + e.Path), marked(e.Status), e.Checks[conformance.Pass], countsOf(others)})
	}
	if len(rows) == 0 {
		return
	}
	header := table.Row{"#", "Endpoint", "Outcome", "pass", "other checks"}
	const pass = 4
	d.drawer("Endpoints: "+countsOf(n), []item{{brief: numbers(header, rows, pass, pass) + "\n", rules: 1}})
}

// countsOf lists how often each status came up, the worst first.
func countsOf(n map[conformance.Status]int) string {
	var counts []string
	for _, s := range conformance.Statuses() {
		if n[s] > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n[s], s))
		}
	}
	return strings.Join(counts, ", ")
}

// numbers is a Markdown table of which some columns, counted from 1, are numbers.
func numbers(header table.Row, rows []table.Row, from, to int) string {
	t := table.NewWriter()
	t.AppendHeader(header)
	t.AppendRows(rows)
	var columns []table.ColumnConfig
	for n := from; n <= to; n++ {
		columns = append(columns, table.ColumnConfig{Number: n, Align: text.AlignRight})
	}
	t.SetColumnConfigs(columns)
	return t.RenderMarkdown()
}

// code is a text as a code span, where nothing is markup; "" for none.
func code(s string) string {
	s = short(s)
	if s == "" {
		return ""
	}
	ticks := strings.Repeat("`", longestRun(s, '`')+1)
	if len(ticks) > 1 { // a backtick at an end must not touch the span's own
		s = " " + s + " "
	}
	return ticks + s + ticks
}

// cell is a code span in a table. A bar behind a backslash cannot be escaped
// there, so bars are spelled out.
func cell(s string) string { return code(strings.ReplaceAll(s, "|", `\x7c`)) }

// tag is a text as code between HTML, where Markdown is not read.
func tag(s string) string { return "<code>" + html.EscapeString(short(s)) + "</code>" }

// fenced is lines as a block of code that none of them can end.
func fenced(language string, lines []string) string {
	body := strings.Join(lines, "\n")
	ticks := strings.Repeat("`", max(3, longestRun(body, '`')+1))
	return ticks + language + "\n" + body + "\n" + ticks
}

func longestRun(s string, of byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if run++; s[i] != of {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}
