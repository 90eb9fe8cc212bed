package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/socialfeed/conform/conformance"
)

// How much of a Markdown report, in bytes, may be filled: with evidence, with
// anything, and at all. What is left in between are headings and counts.
const (
	maxEvidence = 40 << 10
	maxItems    = 60 << 10
	maxMarkdown = 64 << 10
)

// maxAnswer is how much of a response's body Markdown shows, in bytes.
const maxAnswer = 600

// maxBrief is how much of a message stands in a line without evidence, in bytes.
const maxBrief = 240

// document is Markdown in the making.
type document struct{ text strings.Builder }

// item is what Markdown says about some rules, with the evidence and without.
type item struct {
	full, brief string
	rules       int
}

func (d *document) line(format string, args ...any) { fmt.Fprintf(&d.text, format+"\n", args...) }

// paragraph is a line that stands alone.
func (d *document) paragraph(format string, args ...any) {
	d.gap()
	d.line(format, args...)
}

// gap makes sure of an empty line, without which Markdown takes blocks for one.
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

// drawer lists items that are out of sight until someone opens them.
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
		d.paragraph("Without the evidence of %s, which finds no room here; the JSON report has it.", plural(bare, "rule"))
	}
	if left > 0 {
		d.paragraph("And %d more, left out to stay under 64 KiB; the JSON report has them.", left)
	}
}

// brokenItems are rules that have checks with the status, failures with the evidence.
func brokenItems(rules []*conformance.RuleReport, s conformance.Status, at places, a again) []item {
	var items []item
	for _, rule := range rules {
		all := breachesOf(rule, s)
		if len(all) == 0 { // a rule that has the status by itself
			all = []breach{{{Status: s, Message: rule.Message}}}
		}
		it := item{rules: 1, brief: briefly(rule, all, at)}
		if s == conformance.Fail {
			it.full = drawn(rule, all, at, a)
		}
		items = append(items, it)
	}
	return items
}

// briefly is a broken rule in a line.
func briefly(rule *conformance.RuleReport, all []breach, at places) string {
	first := all[0]
	line := fmt.Sprintf("- %s (%s)", code(rule.ID), code(string(rule.Level)))
	if place := at.full(first[0].Endpoint); place != "" {
		line += " at " + code(place)
	}
	line += ": " + code(cut(said(first[0]), maxBrief))
	if often := alike(rule, first, at); often != "" {
		line += "; " + code(often)
	}
	if len(all) > 1 {
		line += fmt.Sprintf("; and in %s", plural(len(all)-1, "other way"))
	}
	return line + "\n"
}

// maxGlance is how much of a message stands in the title of the evidence, in bytes.
const maxGlance = 100

// glance is what went wrong with a check, as far as a title has room for it.
func glance(c conformance.CheckReport) string {
	text := clean(said(c))
	if len(text) <= maxGlance {
		return text
	}
	return strings.ToValidUTF8(text[:beforeName(text, maxGlance)], "") + "…"
}

// said is what went wrong with a check.
func said(c conformance.CheckReport) string {
	if c.Expected != "" {
		return "expected " + cut(c.Expected, maxAnswer) + "; got " + cut(c.Actual, maxAnswer)
	}
	return c.Message
}

// drawn is a broken rule with its evidence, out of sight until someone opens it.
func drawn(rule *conformance.RuleReport, all []breach, at places, a again) string {
	var d document
	place := at.full(all[0][0].Endpoint)
	if place != "" {
		place = " at " + tag(place)
	}
	d.line("<details><summary>❌ %s (%s)%s: %s</summary>", tag(rule.ID), tag(string(rule.Level)), place, tag(glance(all[0][0])))
	d.paragraph("%s", markdown(rule.Statement))
	for i, b := range all[:min(len(all), maxBreaches)] {
		if i > 0 {
			d.paragraph("Also at %s:", code(cmp.Or(at.full(b[0].Endpoint), "no endpoint")))
		}
		d.breach(rule, b, at)
	}
	if rest := len(all) - maxBreaches; rest > 0 {
		d.paragraph("It is broken in %s more: see the JSON report.", plural(rest, "way"))
	}
	d.paragraph("Source: %s. More: %s. Again: %s.", markdown(rule.Source), code("conform explain "+rule.ID), code(a.of(rule.ID)))
	d.paragraph("</details>")
	return d.text.String()
}

func (d *document) breach(rule *conformance.RuleReport, b breach, at places) {
	c := b[0]
	d.gap()
	if c.Expected != "" {
		d.line("- expected %s", code(cut(c.Expected, maxAnswer)))
		d.line("- got %s", code(cut(c.Actual, maxAnswer)))
	} else {
		d.line("- %s", code(cut(c.Message, maxAnswer)))
	}
	if often := alike(rule, b, at); often != "" {
		d.line("- alike %s", code(often))
	}
	if c.Scenario != "" {
		d.line("- scenario %s", code(c.Scenario))
	}
	x := decisive(c)
	if x == nil {
		return
	}
	lines, note := shownCommand(x.Curl, defaultWidth)
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
func answerLines(x *conformance.Exchange) []string {
	if x.Response == nil {
		return []string{"no response: " + clean(cut(x.Error, maxAnswer))}
	}
	lines := []string{statusLine(x.Response.Status)}
	for _, header := range telling(x.Response.Headers) {
		lines = append(lines, clean(cut(header, maxAnswer)))
	}
	return append(lines, bodyLines("", x.Response.Body, maxAnswer)...)
}
