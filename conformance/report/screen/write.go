package screen

import (
	"fmt"
	"io"
	"strings"

	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
)

// Write writes the report for people: the verdict, a line for each failure, the
// evidence, what could not be judged by cause, and the verdict again at the end, which a
// terminal shows. Symbols and colours always come with words, and nothing that the target
// sent can control the terminal.
func Write(w io.Writer, v *view.View, l Layout) error {
	p, r := NewPage(w, l), v.Report
	p.Line(p.verdict(v.Verdict) + "  " + v.Target)
	if l.Brief {
		p.Paragraph(v.Verdict.Sentence, 3)
	} else {
		p.Paragraph(v.Verdict.Sentence, 4)
	}
	p.toDo(r, v.Commands)
	if !l.Brief {
		p.overview(v)
	}
	for _, s := range v.Sections {
		if l.Brief {
			p.briefSection(s, v)
		} else {
			p.section(s)
		}
	}
	p.waivers(v)
	p.drift(v)
	if l.Choices {
		p.choices(v)
	}
	p.client(r)
	p.endpoints(v)
	if l.Brief {
		p.briefFacts(v, l)
	} else {
		p.facts(v, l)
	}
	p.Line("")
	last := p.verdict(v.Verdict) + ": "
	p.Line(last + v.Verdict.Begin(max(p.Width-plain.Columns(last), 20)))
	return p.End()
}

func (p *Page) verdict(v view.Verdict) string {
	if v.Status == result.Skipped {
		return v.Words
	}
	symbol, color := styleOf(v.Status)
	return p.Paint(color, symbol+" "+strings.ToUpper(v.Words)+v.Aside)
}

// overview is a line for each rule that is broken.
func (p *Page) overview(v *view.View) {
	if broken := v.Broken(); len(broken) > 0 {
		p.Line("")
		p.ruleLines(broken, v)
	}
}

// ruleLines writes a line for each rule: where, and what went wrong first.
func (p *Page) ruleLines(rules []*view.Rule, v *view.View) {
	longest := 0
	for _, rule := range rules {
		longest = min(max(longest, plain.Columns(rule.ID)), 34)
	}
	for _, rule := range rules {
		symbol, color := styleOf(rule.Status)
		told := rule.Violations[0]
		head := fmt.Sprintf("%s%*s  %-3s  ", rule.ID, max(0, longest-plain.Columns(rule.ID)), "", v.Index.Short([]string{told.Result.Endpoint}))
		p.Line("  " + p.Paint(color, symbol) + " " + head + strings.Join(plain.Clip(told.Said(), max(p.Width-4-plain.Columns(head), 20), 1), ""))
	}
}

// section writes the rules of one outcome.
func (p *Page) section(s *view.Section) {
	if s.ID == view.Waived { // the waivers' section shows them
		return
	}
	p.Heading("%s", s.Heading())
	switch {
	case s.ID == view.NotImplemented:
		p.absent(s)
	case s.ID == view.Skipped:
		p.skipped(s.Groups)
	case s.Groups != nil:
		p.groups(s)
	default:
		for _, rule := range s.Rules[:min(len(s.Rules), maxTold)] {
			p.Line("")
			p.rule(rule)
		}
		if rest := s.Rules[min(len(s.Rules), maxTold):]; len(rest) > 0 {
			p.Line("")
			p.Paragraph(fmt.Sprintf("And %s, with the evidence in --report json, html and markdown: %s", result.Plural(len(rest), "more rule"), view.Members(rest)), 3)
		}
	}
}

// absent lists the missing endpoints by what they answer instead.
func (p *Page) absent(s *view.Section) {
	symbol, color := styleOf(result.Fail)
	for answer, groups := range view.InGroups(s.Groups, func(g *view.Group) string { return g.Note }) {
		var numbers []int
		for _, g := range groups {
			for _, rule := range g.Rules {
				for _, c := range rule.Checks {
					if c.Status == result.Fail {
						numbers = append(numbers, c.Number)
					}
				}
			}
		}
		p.item(p.Paint(color, symbol), view.Numbered(numbers)+": each "+answer, 2)
	}
}

// groups lists rules by the reason that they share.
func (p *Page) groups(s *view.Section) {
	symbol, color := styleOf(s.Status)
	for _, g := range s.Groups {
		p.item(p.Paint(color, symbol), g.Headline(), 3)
		if g.Absent { // the missing endpoint is shown above
			continue
		}
		for _, line := range plain.Clip(view.Members(g.Rules), p.Width-4, 2) {
			p.Line("    " + line)
		}
		p.wayOn(g)
	}
}

// wayOn writes the last exchange, where the target stopped answering, and the command that plays a
// story again that showed rules once.
func (p *Page) wayOn(g *view.Group) {
	if x := g.Last; x != nil {
		lines, note := plain.ShownCommand(x.Curl, p.Width-LabelWidth-4, plain.MaxCommand)
		p.Lines("try", lines)
		p.Field("", note, 1)
		p.Lines("exchange", plain.Transcript(x))
	}
	p.Lines("again", plain.Command(g.Again, p.Width-LabelWidth-4))
}

// item is a text behind a symbol.
func (p *Page) item(symbol, s string, most int) {
	for i, line := range plain.Clip(s, p.Width-4, most) {
		if i > 0 {
			symbol = " "
		}
		p.Line("  " + symbol + " " + line)
	}
}

// skipped says in a line or two which rules were left out, and why.
func (p *Page) skipped(groups []*view.Group) { p.Paragraph(reasons(groups), 2) }

// reasons says which rules were left out, and why.
func reasons(groups []*view.Group) string {
	const maxReasons = 3
	var told []string
	for _, g := range groups[:min(len(groups), maxReasons)] {
		who := result.Plural(len(g.Rules), "rule")
		if len(g.Rules) == 1 {
			who = g.Rules[0].ID
		}
		told = append(told, who+" ("+g.Reason+")")
	}
	if rest := len(groups) - maxReasons; rest > 0 {
		told = append(told, "and for "+result.Plural(rest, "other reason"))
	}
	return strings.Join(told, ", ")
}

// endpoints lists them by outcome, the worst first.
func (p *Page) endpoints(v *view.View) {
	if len(v.Endpoints) == 0 {
		return
	}
	numbers := map[result.Status][]int{}
	for _, e := range v.Endpoints {
		numbers[e.Status] = append(numbers[e.Status], e.Number)
	}
	p.Heading("Endpoints")
	for _, s := range result.Statuses() {
		if in := numbers[s]; len(in) > 0 {
			p.Line(fmt.Sprintf("  %s%*s %3d  %s", p.outcome(s), max(0, 8-len(s)), "", len(in), plain.Clip(view.Numbered(in), p.Width-20, 1)[0]))
		}
	}
}

// facts writes what else is known of the run.
func (p *Page) facts(v *view.View, l Layout) {
	p.Line("")
	if len(v.Tallies) > 0 {
		all := v.Tallies[len(v.Tallies)-1]
		p.Field("rules", fmt.Sprintf("%d: %s", all.All, view.CountsOf(all.N)), 2)
	}
	p.Field("requests", v.Fact("requests"), 2)
	p.Field("time", v.Fact("duration")+", from "+v.Fact("started"), 1)
	p.Field("seed", v.Fact("seed")+" ("+v.Fact("judge")+")", 1)
	p.Field("again", v.Fact("again"), 3)
	p.Field("settings", v.Fact("settings"), 2)
	for _, name := range asides() {
		p.Field(name, v.Fact(name), 2)
	}
	if len(v.Choices) > 0 && !l.Choices {
		p.Field("choices", fmt.Sprintf("%d, where the contract is silent: --choices lists them", len(v.Choices)), 1)
	}
	if v.HasVariables() {
		p.Field("variables", v.Variables(), 3)
	}
	for _, note := range v.Notes {
		p.Field("note", note, 3)
	}
}

// asides are the facts that only some runs have, in the order of the text's end.
func asides() []string {
	return []string{"server", "claims", "played", "part", "missing", "retries", "deletions", "jobs", "drawn", "corpus"}
}

func (p *Page) client(r *result.Report) {
	for _, s := range view.ClientSections(r) {
		p.Heading("%s", s.Title)
		for _, line := range s.Lines {
			p.Line("  " + line)
		}
	}
}
