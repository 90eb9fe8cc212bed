package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// maxNext is how many steps are named after the first, which is shown in full.
const maxNext = 12

// writeNext says what to do next: the first step in full, with the contract's words, an
// example and what the target does instead, and the following steps in a line each.
func writeNext(w io.Writer, v *view, l Layout) error {
	p, r, steps := newPage(w, l), v.report, v.report.Next()
	p.line(p.verdict(v.Verdict) + "  " + v.Target)
	if n := r.Summary.Endpoints; n != nil && n.Missing > 0 {
		p.line("  implemented " + n.Told())
	} else {
		p.paragraph(v.Verdict.Sentence, 4)
	}
	if len(steps) == 0 {
		p.seenOnce(r, v.commands)
		return p.end()
	}
	p.line("")
	p.step(r, v.commands, steps[0])
	if len(steps) > 1 {
		p.heading("Then")
	}
	for i, s := range steps[1:] {
		if i == maxNext {
			p.line(fmt.Sprintf("  and %d more; all: %s", len(steps)-1-i, v.commands.all()))
			break
		}
		p.line("  " + stepName(s) + p.paint(text.Faint, frees(s)))
	}
	return p.end()
}

// seenOnce says how to judge what drawn stories have shown once, where nothing else is left to do.
func (p *page) seenOnce(r *result.Report, commands rerunCommands) {
	nothing := true
	for rule, check := range r.EachCheck() {
		if check.SeenOnce() {
			p.field("seen once", rule.ID+" at "+check.Endpoint, 1)
			p.lines("again", command(commands.judge(rule), p.width-labelWidth-4))
			nothing = false
		}
	}
	switch {
	case r.EndedBy != "":
		p.line("  judge it again: this run ended before everything was played")
	case nothing:
		p.line("  nothing is left to do next")
	}
}

// toDo says how many endpoints an incomplete target has, and what comes next.
func (p *page) toDo(r *result.Report, commands rerunCommands) {
	n := r.Summary.Endpoints
	if n == nil || n.Missing == 0 {
		return
	}
	p.line("")
	p.line(p.paint(text.Bold, "  implemented "+n.Told()) + ", to do next:")
	const most = 5
	for _, s := range r.Next()[:min(most, len(r.Next()))] {
		p.line("  " + stepName(s) + p.paint(text.Faint, frees(s)))
	}
	p.line("  " + p.paint(text.Faint, "the first in full: "+commands.next()))
}

// stepName is a step in a few words.
func stepName(s result.NextStep) string {
	if s.Missing {
		return fmt.Sprintf("#%-2d %s", int(s.Endpoint), s.Endpoint)
	}
	if s.Endpoint != rules.NoEndpoint {
		return fmt.Sprintf("#%-2d %s", int(s.Endpoint), oneLine(s.Rule))
	}
	return "    " + oneLine(s.Rule)
}

// frees says how many rules wait for a step, "" for none.
func frees(s result.NextStep) string {
	if s.Frees == 0 {
		return ""
	}
	return "  (" + waitingFor(s.Frees) + ")"
}

// step writes a step in full.
func (p *page) step(r *result.Report, commands rerunCommands, s result.NextStep) {
	title := "Fix " + oneLine(s.Rule)
	if s.Missing {
		title = "Implement " + s.Endpoint.String()
	}
	p.line(p.paint(text.Bold, title) + p.paint(text.Faint, frees(s)))
	rule := &result.Rule{ID: s.Rule}
	if i := slices.IndexFunc(r.Rules, func(of result.Rule) bool { return of.ID == s.Rule }); i >= 0 {
		rule = &r.Rules[i]
		p.ruleOf(rule, commands)
	}
	if s.Missing {
		x := exampleOf(s.Endpoint)
		p.lines("request", x.requestLines())
		p.lines("answer", x.responseLines())
	}
	if s.Check != nil {
		p.field("expected", s.Check.Expected, 6)
		p.field("got", cmp.Or(s.Check.Actual, s.Check.Message), 6)
		p.field("scenario", short(told(s.Check)), 3)
		if x := s.Check.Decisive(); x != nil && !s.Missing {
			p.lines("try", p.try(x))
			p.lines("reproduce", command(commands.reproduce(rule, s.Check), p.width-labelWidth-4))
		}
		if again := commands.judge(rule); again != "" && s.Check.Status != result.Error { // what was not judged is what the next run begins with
			p.lines("again", command(again, p.width-labelWidth-4))
		}
	}
	p.lines("more", []string{commands.explain(s.Rule)})
}

func (p *page) ruleOf(rule *result.Rule, commands rerunCommands) {
	p.field("rule", rule.Statement, 3)
	contract := rules.ReadContract()
	quotes := rule.Contract
	if len(quotes) == 0 {
		quotes = contract.Quotes(rule.Source)
	}
	named := ""
	for _, q := range quotes {
		p.field("contract", q.Text, 8)
		named += cmp.Or(q.Text, q.Where) + "\n"
	}
	for _, table := range contract.Tables(named) {
		p.lines("fields", []string{commands.contract(table)})
	}
}
