package rulebook

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/socialfeed/conform/conformance/report/example"
	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/screen"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/internal/shell"
)

// Explain describes one rule: its statement, the contract's words behind it, where and how
// it is judged, the flags that a run needs for it, and an example request.
func Explain(w io.Writer, rule rules.Rule, l screen.Layout) error {
	p := screen.NewPage(w, l)
	p.Line(p.Paint(text.Bold, rule.ID))
	p.Paragraph(rule.Statement, 9)
	p.Line("")
	p.Field("level", meaningOf(rule.Level), 2)
	p.Field("source", rule.Source, 9)
	for _, q := range rules.ReadContract().Quotes(rule.Source) {
		p.Field("contract", cmp.Or(q.Text, "(the table: "+shell.MustLine(shell.Call("conform", shell.Plain("contract"), plain.Word(lastWord(q.Where))))+")"), 9)
	}
	p.Lines("endpoints", judgedAt(rule))
	p.Lines("also calls", addresses(rule.With))
	if rule.Needs != "" {
		p.Field("needs", "--"+rule.Needs+"; skipped without it", 2)
	}
	p.Field("judged", rule.Judged, 30)
	p.Field("alone", aloneOf(rule), 1)
	p.Line("")
	exampleOn(p, rule)
	return p.End()
}

func lastWord(text string) string { return text[strings.LastIndex(text, " ")+1:] }

func judgedAt(rule rules.Rule) []string {
	if len(rule.Endpoints) == 0 {
		return []string{where(rule)}
	}
	return addresses(rule.Endpoints)
}

func addresses(endpoints []rules.Endpoint) []string {
	var lines []string
	for _, e := range endpoints {
		lines = append(lines, fmt.Sprintf("%-3s %-6s %s", fmt.Sprintf("#%d", int(e)), e.Method(), e.Path()))
	}
	return lines
}

func exampleOn(p *screen.Page, rule rules.Rule) {
	if rule.Example != "" {
		p.Paragraph("An example request. <...> stands for a value of the run; headers that every request carries are left out.", 2)
		p.Line("")
		for line := range strings.SplitSeq(strings.TrimRight(rule.Example, "\n"), "\n") {
			p.Line("    " + plain.Visible(line))
		}
		return
	}
	endpoint := rules.GetMe // the example of a rule about every response
	if involved := slices.Concat(rule.Endpoints, rule.With); len(involved) > 0 {
		endpoint = involved[0]
	}
	p.Paragraph("An example request, for a shell that has the variables set.", 2)
	p.Line("")
	for _, line := range plain.Command(example.Of(endpoint).Curl(), p.Width-4) {
		p.Line("    " + line)
	}
}

// meaningOf is what a level means for a target.
func meaningOf(l rules.Level) string {
	switch l {
	case rules.Must:
		return "must: a target that breaks it is not conformant"
	case rules.Should:
		return "should: a target that breaks it gets a warning, and fails with --fail-on should"
	}
	return string(l) + ": left open; what the target does is recorded, and no fault"
}
