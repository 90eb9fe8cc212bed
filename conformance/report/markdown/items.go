package markdown

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
)

// The sizes of a Markdown report, in bytes, up to which evidence is written, and items at
// all, and the size that it never exceeds. Between them there is room for headings and counts.
const (
	maxEvidence = 40 << 10
	maxItems    = 60 << 10
	maxMarkdown = 64 << 10
)

// codeWidth is how wide a command is laid out, in columns.
const codeWidth = 100

// maxAnswer is how much of a response's body Markdown shows, in bytes.
const maxAnswer = 600

// maxBrief is how much of a message a line without evidence shows, in bytes.
const maxBrief = 240

// document is a Markdown text that is being written.
type document struct{ text strings.Builder }

// item is a paragraph about some rules, with the evidence and without.
type item struct {
	full, brief string
	rules       int
}

func (d *document) writeTo(w io.Writer) error {
	_, err := io.WriteString(w, d.text.String())
	return err
}

func (d *document) line(format string, args ...any) { fmt.Fprintf(&d.text, format+"\n", args...) }

// paragraph writes a line with empty lines around it.
func (d *document) paragraph(format string, args ...any) {
	d.gap()
	d.line(format, args...)
}

// gap makes sure of an empty line: without one, Markdown joins blocks.
func (d *document) gap() {
	if so := d.text.String(); so != "" && !strings.HasSuffix(so, "\n\n") {
		d.line("")
	}
}

// section lists items under a heading, nothing when there are none.
func (d *document) section(heading string, items []item) {
	if len(items) > 0 {
		d.paragraph("### %s", heading)
		d.items(items)
	}
}

// drawer lists items in a folded element.
func (d *document) drawer(heading string, items []item) {
	if len(items) > 0 {
		d.paragraph("<details><summary>%s</summary>", heading)
		d.items(items)
		d.paragraph("</details>")
	}
}

func (d *document) items(items []item) {
	d.gap()
	bare, left := 0, 0
	for _, it := range items {
		switch {
		case it.full != "" && d.text.Len()+len(it.full) <= maxEvidence:
			d.paragraph("%s", it.full)
			d.gap()
		case left == 0 && d.text.Len()+len(it.brief) <= maxItems:
			d.text.WriteString(it.brief)
			if it.full != "" {
				bare += it.rules
			}
		default:
			left += it.rules
		}
	}
	if bare > 0 {
		d.paragraph("Without the evidence of %s, which finds no room here; the JSON report has it.", result.Plural(bare, "rule"))
	}
	if left > 0 {
		d.paragraph("And %d more, left out to stay under 64 KiB; the JSON report has them.", left)
	}
}

// ruleItems are rules one by one, with the evidence.
func ruleItems(s *view.Section) []item {
	var items []item
	for _, rule := range s.Rules {
		it := item{rules: 1, brief: inLine(rule)}
		if s.Status == result.Fail || s.Status == result.Warn {
			it.full = detailed(rule)
		}
		items = append(items, it)
	}
	return items
}

// inLine is a rule in one line.
func inLine(rule *view.Rule) string {
	told := rule.Violations[0]
	line := fmt.Sprintf("- %s (%s)", code(rule.ID), code(string(rule.Level)))
	if told.Endpoint != "" {
		line += " at " + code(told.Endpoint)
	}
	line += ": " + code(plain.Cut(told.Said(), maxBrief))
	if told.Often != "" {
		line += "; " + code(told.Often)
	}
	if others := len(rule.Violations) - 1; others > 0 {
		line += fmt.Sprintf("; and in %s", result.Plural(others, "other way"))
	}
	return line + "\n"
}

// maxGlance is how much of a message the title of the evidence shows, in bytes.
const maxGlance = 100

// glance is what went wrong with a check, cut to maxGlance.
func glance(c *view.Check) string {
	text := c.Said()
	if len(text) <= maxGlance {
		return text
	}
	return text[:plain.WholeBefore(text, maxGlance)] + "…"
}

// detailed is a rule with its evidence, folded.
func detailed(rule *view.Rule) string {
	var d document
	told := rule.Violations[0]
	d.line("<details><summary>%s %s (%s)%s: %s</summary>", emoji(rule.Status), tag(rule.ID), tag(string(rule.Level)),
		prefixed(" at ", tag(told.Endpoint), ""), tag(glance(told.Check)))
	d.paragraph("%s", Escape(rule.Statement))
	for i, violation := range rule.Violations[:min(len(rule.Violations), view.MaxViolations)] {
		if i > 0 {
			d.paragraph("Also at %s:", code(cmp.Or(violation.Endpoint, "no endpoint")))
		}
		d.violation(violation)
	}
	if rest := len(rule.Violations) - view.MaxViolations; rest > 0 {
		d.paragraph("It is broken in %s more: see the JSON report.", result.Plural(rest, "way"))
	}
	for _, words := range rule.Contract {
		d.paragraph("> %s", Escape(words))
	}
	d.paragraph("Source: %s. More: %s.%s", Escape(rule.Source), code(rule.Explain), prefixed(" Again: ", code(rule.Rerun), "."))
	d.paragraph("</details>")
	return d.text.String()
}

// prefixed is a text with something around it, "" for an empty text.
func prefixed(before, s, behind string) string {
	if s == "" || s == tag("") {
		return ""
	}
	return before + s + behind
}

func (d *document) violation(of view.Violation) {
	d.gap()
	if of.Expected != "" {
		d.line("- expected %s", code(plain.Cut(of.Expected, maxAnswer)))
		d.line("- got %s", code(plain.Cut(of.Actual, maxAnswer)))
	} else {
		d.line("- %s", code(plain.Cut(of.Message, maxAnswer)))
	}
	if of.Often != "" {
		d.line("- alike %s", code(of.Often))
	}
	if of.Scenario != "" {
		d.line("- scenario %s", code(of.Scenario))
	}
	if x := of.Result.Decisive(); x != nil {
		d.exchange(x)
	}
	if of.Reproduce != "" {
		d.paragraph("By itself: %s", code(of.Reproduce))
	}
}

// exchange is a command that repeats an exchange, and what came back.
func (d *document) exchange(x *result.Exchange) {
	lines, note := plain.ShownCommand(x.Curl, codeWidth, plain.MaxCommand)
	if len(lines) > 0 {
		d.paragraph("%s", fenced("sh", lines))
	}
	if note != "" {
		d.paragraph("%s.", note)
	}
	d.paragraph("%s", fenced("http", answerLines(x)))
}

// answerLines is the response of an exchange, with the headers that rules are
// about, or why there is none.
func answerLines(x *result.Exchange) []string {
	if x.Response == nil {
		return []string{"no response: " + plain.Line(plain.Cut(x.Error, maxAnswer))}
	}
	lines := []string{plain.StatusLine(x.Response.Status)}
	for _, header := range plain.Telling(x.Response.Headers) {
		lines = append(lines, plain.Line(plain.Cut(header, maxAnswer)))
	}
	return append(lines, plain.BodyLines("", x.Response.Body, maxAnswer)...)
}
