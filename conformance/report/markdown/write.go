// Package markdown writes reports and differences for job summaries and comments.
package markdown

import (
	"html"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
)

// Write writes the report for a job summary or a comment on a pull request: the
// verdict first, and less than 64 KiB in all. When the evidence, and then whole rules, do
// not fit, they are counted instead. Whatever the target may have sent stands in code spans
// and fences, so that it is no markup, mention or link.
func Write(w io.Writer, v *view.View) error {
	var d document
	d.summary(v)
	for _, s := range v.Sections {
		switch {
		case s.ID == view.Waived: // the waivers' section shows them
		case s.ID == "skipped":
			d.drawer("Skipped", groupItems(s))
		case s.Groups != nil:
			d.section(s.Heading(), groupItems(s))
		default:
			d.section(s.Heading(), ruleItems(s))
		}
	}
	if v.HasVariables() {
		d.paragraph("%s.", "In the commands "+view.PlaceholderName.ReplaceAllString(v.Variables(), "`$0`"))
	}
	d.section("Waivers: "+Escape(v.WaiverSums), waiverItems(v))
	d.client(v.Report)
	d.endpoints(v)
	d.drawer("Choices: what the target does where the contract is silent", choiceItems(v))
	return d.writeTo(w)
}

func (d *document) summary(v *view.View) {
	d.line("## %s: %s", badgeOf(v.Verdict), code(v.Target))
	d.paragraph("%s", Escape(v.Verdict.Sentence))
	d.levels(v)
	d.paragraph("Requests: %s; %s, from %s; seed %s; %s.", code(v.Fact("requests")), v.Fact("duration"), v.Fact("started"), v.Fact("seed"), code(v.Fact("judge")))
	for _, name := range []string{"again", "settings", "server", "claims", "part", "missing", "played", "retries"} {
		if value := v.Fact(name); value != "" {
			d.paragraph("> %s: %s", strings.ToUpper(name[:1])+name[1:], code(value))
		}
	}
	const maxNotes = 10
	for _, note := range v.Notes[:min(len(v.Notes), maxNotes)] {
		d.paragraph("> Note: %s", code(note))
	}
	if rest := len(v.Notes) - maxNotes; rest > 0 {
		d.paragraph("> And %s.", result.Plural(rest, "more note"))
	}
}

// badgeOf is a verdict with its symbol.
func badgeOf(v view.Verdict) string {
	if v.Status == result.Skipped {
		return code(v.Words)
	}
	return emoji(v.Status) + " " + v.Title + v.Aside
}

// marked is a status as a symbol and its word.
func marked(s result.Status) string {
	if !slices.Contains(result.Statuses(), s) {
		return cell(string(s))
	}
	return strings.TrimSpace(emoji(s) + " " + string(s))
}

// emoji is the symbol of a status, "" for none.
func emoji(s result.Status) string {
	switch s {
	case result.Pass:
		return "✅"
	case result.Fail:
		return "❌"
	case result.Warn, result.Blocked, result.Error, result.Unstable:
		return "⚠️"
	}
	return ""
}

func (d *document) levels(v *view.View) {
	header := table.Row{"Rules"}
	for _, s := range v.Statuses {
		header = append(header, string(s))
	}
	var rows []table.Row
	for _, t := range v.Tallies {
		row := table.Row{string(t.Level)}
		for _, s := range v.Statuses {
			row = append(row, t.N[s])
		}
		rows = append(rows, append(row, t.All))
	}
	d.paragraph("%s", numbers(append(header, "all"), rows, 2, len(header)+1))
}

// endpoints is the folded table of the endpoints where anything was judged.
func (d *document) endpoints(v *view.View) {
	n := map[result.Status]int{}
	var rows []table.Row
	for _, e := range v.Endpoints {
		n[e.Status]++
		if e.Status == result.Skipped {
			continue
		}
		others := maps.Clone(e.Checks)
		delete(others, result.Pass)
		rows = append(rows, table.Row{e.Number, cell(e.Method + " " + e.Path), marked(e.Status), e.Checks[result.Pass], view.CountsOf(others)})
	}
	if len(rows) == 0 {
		return
	}
	header := table.Row{"#", "Endpoint", "Outcome", "pass", "other checks"}
	const pass = 4
	d.drawer("Endpoints: "+view.CountsOf(n), []item{{brief: numbers(header, rows, pass, pass) + "\n", rules: 1}})
}

// numbers is a Markdown table with the columns number from up to number to, counted from 1, aligned right.
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
	s = plain.Short(s)
	if s == "" {
		return ""
	}
	ticks := strings.Repeat("`", longestRun(s, '`')+1)
	if len(ticks) > 1 { // keeps a backtick at an end apart from the delimiters
		s = " " + s + " "
	}
	return ticks + s + ticks
}

// cell is a code span in a table. Bars are spelled out, since one after a backslash cannot
// be escaped there.
func cell(s string) string { return code(strings.ReplaceAll(s, "|", `\x7c`)) }

// tag is a text as an HTML code element, for where Markdown is not interpreted.
func tag(s string) string { return "<code>" + html.EscapeString(plain.Short(s)) + "</code>" }

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

// Escape escapes a text for Markdown.
func Escape(s string) string {
	return strings.NewReplacer(`\`, `\\`, "<", `\<`, "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`).Replace(plain.Line(s))
}
