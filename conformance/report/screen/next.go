package screen

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/socialfeed/conform/conformance/report/example"
	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// maxNext is how many steps are named after the first, which is shown in full.
const maxNext = 12

// WriteNext says what to do next: the first step in full, with the contract's words, an
// example and what the target does instead, and the following steps in a line each.
func WriteNext(w io.Writer, v *view.View, l Layout) error {
	p, r, steps := NewPage(w, l), v.Report, v.Report.Next()
	p.Line(p.verdict(v.Verdict) + "  " + v.Target)
	if n := r.Summary.Endpoints; n != nil && n.Missing > 0 {
		p.Line("  implemented " + n.Told())
	} else {
		p.Paragraph(v.Verdict.Sentence, 4)
	}
	if len(steps) == 0 {
		p.seenOnce(r, v.Commands)
		return p.End()
	}
	p.Line("")
	p.step(r, v.Commands, steps[0])
	if len(steps) > 1 {
		p.Heading("Then")
	}
	for i, s := range steps[1:] {
		if i == maxNext {
			p.Line(fmt.Sprintf("  and %d more; all: %s", len(steps)-1-i, v.Commands.All()))
			break
		}
		p.Line("  " + stepName(s) + p.Paint(text.Faint, frees(s)))
	}
	return p.End()
}

// seenOnce says how to judge what drawn stories have shown once, where nothing else is left to do.
func (p *Page) seenOnce(r *result.Report, commands view.Commands) {
	nothing := true
	for rule, check := range r.EachCheck() {
		if check.SeenOnce() {
			p.Field("seen once", rule.ID+" at "+check.Endpoint, 1)
			p.Lines("again", plain.Command(commands.Judge(rule), p.Width-LabelWidth-4))
			nothing = false
		}
	}
	switch {
	case r.EndedBy != "":
		p.Line("  judge it again: this run ended before everything was played")
	case nothing:
		p.Line("  nothing is left to do next")
	}
}

// toDo says how many endpoints an incomplete target has, and what comes next.
func (p *Page) toDo(r *result.Report, commands view.Commands) {
	n := r.Summary.Endpoints
	if n == nil || n.Missing == 0 {
		return
	}
	p.Line("")
	p.Line(p.Paint(text.Bold, "  implemented "+n.Told()) + ", to do next:")
	const most = 5
	for _, s := range r.Next()[:min(most, len(r.Next()))] {
		p.Line("  " + stepName(s) + p.Paint(text.Faint, frees(s)))
	}
	p.Line("  " + p.Paint(text.Faint, "the first in full: "+commands.Next()))
}

// stepName is a step in a few words.
func stepName(s result.NextStep) string {
	if s.Missing {
		return fmt.Sprintf("#%-2d %s", int(s.Endpoint), s.Endpoint)
	}
	if s.Endpoint != rules.NoEndpoint {
		return fmt.Sprintf("#%-2d %s", int(s.Endpoint), plain.Line(s.Rule))
	}
	return "    " + plain.Line(s.Rule)
}

// frees says how many rules wait for a step, "" for none.
func frees(s result.NextStep) string {
	if s.Frees == 0 {
		return ""
	}
	return "  (" + view.WaitingFor(s.Frees) + ")"
}

// step writes a step in full.
func (p *Page) step(r *result.Report, commands view.Commands, s result.NextStep) {
	title := "Fix " + plain.Line(s.Rule)
	if s.Missing {
		title = "Implement " + s.Endpoint.String()
	}
	p.Line(p.Paint(text.Bold, title) + p.Paint(text.Faint, frees(s)))
	rule := &result.Rule{ID: s.Rule}
	if i := slices.IndexFunc(r.Rules, func(of result.Rule) bool { return of.ID == s.Rule }); i >= 0 {
		rule = &r.Rules[i]
		p.ruleOf(rule, commands)
	}
	if s.Missing {
		x := example.Of(s.Endpoint)
		p.Lines("request", x.RequestLines())
		p.Lines("answer", x.ResponseLines())
	}
	if s.Check != nil {
		p.Field("expected", s.Check.Expected, 6)
		p.Field("got", cmp.Or(s.Check.Actual, s.Check.Message), 6)
		p.Field("scenario", plain.Short(view.Told(s.Check)), 3)
		if x := s.Check.Decisive(); x != nil && !s.Missing {
			p.Lines("try", p.try(x))
			p.Lines("reproduce", plain.Command(commands.Reproduce(rule, s.Check), p.Width-LabelWidth-4))
		}
		if again := commands.Judge(rule); again != "" && s.Check.Status != result.Error { // what was not judged is what the next run begins with
			p.Lines("again", plain.Command(again, p.Width-LabelWidth-4))
		}
	}
	p.Lines("more", []string{commands.Explain(s.Rule)})
}

func (p *Page) ruleOf(rule *result.Rule, commands view.Commands) {
	p.Field("rule", rule.Statement, 3)
	contract := rules.ReadContract()
	quotes := rule.Contract
	if len(quotes) == 0 {
		quotes = contract.Quotes(rule.Source)
	}
	named := ""
	for _, q := range quotes {
		p.Field("contract", q.Text, 8)
		named += cmp.Or(q.Text, q.Where) + "\n"
	}
	for _, table := range contract.Tables(named) {
		p.Lines("fields", []string{commands.Contract(table)})
	}
}
