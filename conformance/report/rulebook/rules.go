// Package rulebook writes pages about the rules and the contract, without a report: lists, searches and
// explanations.
package rulebook

import (
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/socialfeed/conform/conformance/report/indented"
	"github.com/socialfeed/conform/conformance/report/markdown"
	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/screen"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// Rules lists rules in a format: "text" for people, "json" for programs,
// "markdown" for documents. Rules keep their order, grouped by part of the
// contract. Another format is an error, and nothing is written then.
func Rules(w io.Writer, rs []rules.Rule, format string) error {
	listed := append([]rules.Rule{}, rs...)
	for i := range listed { // an empty list is [], not null
		if listed[i].Endpoints == nil {
			listed[i].Endpoints = []rules.Endpoint{}
		}
	}
	return inFormat(w, format, "rules", listed, rulesText, rulesMarkdown)
}

// inFormat writes a list in one of the formats that lists have.
func inFormat[T any](w io.Writer, format, of string, list []T, text, markdown func(*screen.Page, []T) error) error {
	switch format {
	case "text":
		return text(screen.NewPage(w, screen.Layout{}), list)
	case "json":
		if err := indented.Write(w, list); err != nil {
			return fmt.Errorf("writing the %s as JSON: %w", of, err)
		}
		return nil
	case "markdown":
		return markdown(screen.NewPage(w, screen.Layout{}), list)
	}
	return fmt.Errorf("there is no format %q for %s: there are text, json and markdown", format, of)
}

func rulesText(p *screen.Page, rs []rules.Rule) error {
	first := true
	for name, part := range view.InGroups(rs, rules.Rule.Part) {
		if !first {
			p.Line("")
		}
		first = false
		p.Line(fmt.Sprintf("%s: %s", name, result.Plural(len(part), "rule")))
		for _, rule := range part {
			p.Line("")
			p.Line(fmt.Sprintf("  %s (%s)  %s", rule.ID, rule.Level, where(rule)))
			for _, line := range plain.Wrap(plain.Line(rule.Statement), p.Width-4) {
				p.Line("    " + line)
			}
		}
	}
	return p.End()
}

func rulesMarkdown(p *screen.Page, rs []rules.Rule) error {
	p.Line("# Rules")
	for name, part := range view.InGroups(rs, rules.Rule.Part) {
		t := table.NewWriter()
		t.AppendHeader(table.Row{"Rule", "Level", "Endpoints", "Statement", "Source"})
		for _, rule := range part {
			t.AppendRow(table.Row{"`" + rule.ID + "`", string(rule.Level), where(rule), markdown.Escape(rule.Statement), markdown.Escape(rule.Source)})
		}
		p.Line("")
		p.Line("## " + name)
		p.Line("")
		p.Line(t.RenderMarkdown())
	}
	return p.End()
}

// where says at which endpoints a rule is judged, in short.
func where(rule rules.Rule) string {
	switch {
	case isClients(rule):
		return whereOfClient(rule)
	case rule.Passive:
		return "every response"
	case len(rule.Endpoints) == 0:
		return "no endpoint of its own"
	}
	numbers := make([]int, len(rule.Endpoints))
	for i, e := range rule.Endpoints {
		numbers[i] = int(e)
	}
	return view.Numbered(numbers)
}
