package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// Inputs lists what drawn stories send in bodies, in the formats of Rules: by endpoint and field,
// the values that have to come back, and those with a defect by the rule that is then judged.
// Inputs of one endpoint and field follow each other.
func Inputs(w io.Writer, inputs []rules.Input, format string) error {
	return inFormat(w, format, "inputs", inputs, inputsText, inputsMarkdown)
}

func inputsText(p *page, inputs []rules.Input) error {
	first := true
	for at, all := range inGroups(inputs, endpointOf) {
		if !first {
			p.line("")
		}
		first = false
		p.line(fmt.Sprintf("#%d %s: %s", int(at), at, result.Plural(len(all), "input")))
		for field, ofField := range inGroups(all, fieldOf) {
			p.line("")
			p.line("  " + field)
			for rule, ofRule := range inGroups(ofField, ruleOf) {
				p.line("    " + rule)
				for _, line := range wrap(classes(ofRule), p.width-6) {
					p.line("      " + line)
				}
			}
		}
	}
	return p.end()
}

func inputsMarkdown(p *page, inputs []rules.Input) error {
	p.line("# Inputs of drawn stories")
	for at, all := range inGroups(inputs, endpointOf) {
		t := table.NewWriter()
		t.AppendHeader(table.Row{"Field", "Judged", "Inputs", "Classes"})
		for field, ofField := range inGroups(all, fieldOf) {
			for rule, ofRule := range inGroups(ofField, ruleOf) {
				t.AppendRow(table.Row{markdown(field), markdown(rule), len(ofRule), markdown(classes(ofRule))})
			}
		}
		p.line("")
		p.line(fmt.Sprintf("## #%d %s", int(at), markdown(at.String())))
		p.line("")
		p.line(t.RenderMarkdown())
	}
	return p.end()
}

func endpointOf(i rules.Input) rules.Endpoint { return i.Endpoint }

func fieldOf(i rules.Input) string { return cmp.Or(i.Field, "the body") }

// ruleOf is what an input is to show.
func ruleOf(i rules.Input) string { return cmp.Or(i.Rule, "has to come back") }

func classes(inputs []rules.Input) string {
	all := make([]string, len(inputs))
	for i, input := range inputs {
		all[i] = oneLine(visible(input.Class))
	}
	return strings.Join(all, " · ") // classes have commas and semicolons
}
