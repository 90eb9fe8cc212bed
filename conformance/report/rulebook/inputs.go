package rulebook

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/socialfeed/conform/conformance/report/markdown"
	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/screen"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// Inputs lists what drawn stories send in bodies, in the formats of Rules: by endpoint and field,
// the values that have to come back, and those with a defect by the rule that is then judged.
// Inputs of one endpoint and field follow each other.
func Inputs(w io.Writer, inputs []rules.Input, format string) error {
	return inFormat(w, format, "inputs", inputs, inputsText, inputsMarkdown)
}

func inputsText(p *screen.Page, inputs []rules.Input) error {
	first := true
	for at, all := range view.InGroups(inputs, endpointOf) {
		if !first {
			p.Line("")
		}
		first = false
		p.Line(fmt.Sprintf("#%d %s: %s", int(at), at, result.Plural(len(all), "input")))
		for field, ofField := range view.InGroups(all, fieldOf) {
			p.Line("")
			p.Line("  " + field)
			for rule, ofRule := range view.InGroups(ofField, ruleOf) {
				p.Line("    " + rule)
				for _, line := range plain.Wrap(classes(ofRule), p.Width-6) {
					p.Line("      " + line)
				}
			}
		}
	}
	return p.End()
}

func inputsMarkdown(p *screen.Page, inputs []rules.Input) error {
	p.Line("# Inputs of drawn stories")
	for at, all := range view.InGroups(inputs, endpointOf) {
		t := table.NewWriter()
		t.AppendHeader(table.Row{"Field", "Judged", "Inputs", "Classes"})
		for field, ofField := range view.InGroups(all, fieldOf) {
			for rule, ofRule := range view.InGroups(ofField, ruleOf) {
				t.AppendRow(table.Row{markdown.Escape(field), markdown.Escape(rule), len(ofRule), markdown.Escape(classes(ofRule))})
			}
		}
		p.Line("")
		p.Line(fmt.Sprintf("## #%d %s", int(at), markdown.Escape(at.String())))
		p.Line("")
		p.Line(t.RenderMarkdown())
	}
	return p.End()
}

func endpointOf(i rules.Input) rules.Endpoint { return i.Endpoint }

func fieldOf(i rules.Input) string { return cmp.Or(i.Field, "the body") }

// ruleOf is what an input is to show.
func ruleOf(i rules.Input) string { return cmp.Or(i.Rule, "has to come back") }

func classes(inputs []rules.Input) string {
	all := make([]string, len(inputs))
	for i, input := range inputs {
		all[i] = plain.Line(plain.Visible(input.Class))
	}
	return strings.Join(all, " · ") // classes have commas and semicolons
}
