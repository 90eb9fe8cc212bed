package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/socialfeed/conform/conformance"
)

// Rules lists rules in a format: "text" for people, "json" for programs,
// "markdown" for documents. Rules keep their order, grouped by part of the
// contract. Another format is an error, and nothing is written then.
func Rules(w io.Writer, rules []conformance.Rule, format string) error {
	switch format {
	case "text":
		return rulesText(newPage(w, TextOptions{}), rules)
	case "json":
		return rulesJSON(w, rules)
	case "markdown":
		return rulesMarkdown(newPage(w, TextOptions{}), rules)
	}
	return fmt.Errorf("there is no format %q for rules: there are text, json and markdown", format)
}

func rulesText(p *page, rules []conformance.Rule) error {
	for i, part := range byPart(rules) {
		if i > 0 {
			p.line("")
		}
		p.line(fmt.Sprintf("%s: %s", part[0].Part(), plural(len(part), "rule")))
		for _, rule := range part {
			p.line("")
			p.line(fmt.Sprintf("  %s (%s)  %s", rule.ID, rule.Level, where(rule)))
			for _, line := range wrap(clean(rule.Statement), p.width-4) {
				p.line("    " + line)
			}
		}
	}
	return p.end()
}

func rulesJSON(w io.Writer, rules []conformance.Rule) error {
	listed := append([]conformance.Rule{}, rules...)
	for i := range listed { // a list is a list, also when it is empty
		if listed[i].Endpoints == nil {
			listed[i].Endpoints = []conformance.Endpoint{}
		}
	}
	if err := writeJSON(w, listed); err != nil {
		return fmt.Errorf("writing the rules as JSON: %w", err)
	}
	return nil
}

func rulesMarkdown(p *page, rules []conformance.Rule) error {
	p.line("# Rules")
	for _, part := range byPart(rules) {
		t := table.NewWriter()
		t.AppendHeader(table.Row{"Rule", "Level", "Endpoints", "Statement", "Source"})
		for _, rule := range part {
			t.AppendRow(table.Row{"`" + rule.ID + "`", string(rule.Level), where(rule), markdown(rule.Statement), markdown(rule.Source)})
		}
		p.line("")
		p.line("## " + part[0].Part())
		p.line("")
		p.line(t.RenderMarkdown())
	}
	return p.end()
}

// markdown is a text that Markdown shows as it is.
func markdown(s string) string {
	return strings.NewReplacer(`\`, `\\`, "<", `\<`, "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`).Replace(clean(s))
}

// byPart groups rules by their part of the contract, in the order in which the parts come up.
func byPart(rules []conformance.Rule) [][]conformance.Rule {
	var parts [][]conformance.Rule
	for _, rule := range rules {
		i := slices.IndexFunc(parts, func(part []conformance.Rule) bool { return part[0].Part() == rule.Part() })
		if i < 0 {
			i = len(parts)
			parts = append(parts, nil)
		}
		parts[i] = append(parts[i], rule)
	}
	return parts
}

// where is the places at which a rule is judged, in short.
func where(rule conformance.Rule) string {
	switch {
	case rule.Passive:
		return "every response"
	case len(rule.Endpoints) == 0:
		return "no endpoint of its own"
	}
	numbers := make([]int, len(rule.Endpoints))
	for i, e := range rule.Endpoints {
		numbers[i] = int(e)
	}
	return numbered(numbers)
}
