package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/socialfeed/conform/conformance/result"
)

// writeText writes the report for people: the verdict, a line for each failure, the
// evidence, what could not be judged by cause, and the verdict again at the end, which a
// terminal shows. Symbols and colours always come with words, and nothing that the target
// sent can control the terminal.
func writeText(w io.Writer, v *view, l Layout) error {
	p, r := newPage(w, l), v.report
	p.line(p.verdict(v.Verdict) + "  " + v.Target)
	if l.Brief {
		p.paragraph(v.Verdict.Sentence, 3)
	} else {
		p.paragraph(v.Verdict.Sentence, 4)
	}
	p.toDo(r, v.commands)
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
	p.line("")
	last := p.verdict(v.Verdict) + ": "
	p.line(last + v.Verdict.begin(max(p.width-columns(last), 20)))
	return p.end()
}

func (p *page) verdict(v verdictView) string {
	if v.Status == result.Skipped {
		return v.Words
	}
	symbol, color := styleOf(v.Status)
	return p.paint(color, symbol+" "+strings.ToUpper(v.Words)+v.Aside)
}

// overview is a line for each rule that is broken.
func (p *page) overview(v *view) {
	if broken := v.broken(); len(broken) > 0 {
		p.line("")
		p.ruleLines(broken, v)
	}
}

// ruleLines writes a line for each rule: where, and what went wrong first.
func (p *page) ruleLines(rules []*ruleView, v *view) {
	longest := 0
	for _, rule := range rules {
		longest = min(max(longest, columns(rule.ID)), 34)
	}
	for _, rule := range rules {
		symbol, color := styleOf(rule.Status)
		told := rule.Violations[0]
		head := fmt.Sprintf("%s%*s  %-3s  ", rule.ID, max(0, longest-columns(rule.ID)), "", v.index.short([]string{told.check.Endpoint}))
		p.line("  " + p.paint(color, symbol) + " " + head + strings.Join(clip(told.Said(), max(p.width-4-columns(head), 20), 1), ""))
	}
}

// section writes the rules of one outcome.
func (p *page) section(s *section) {
	if s.ID == sectionWaived { // the waivers' section shows them
		return
	}
	p.heading("%s", s.heading())
	switch {
	case s.ID == notImplemented:
		p.absent(s)
	case s.ID == sectionSkipped:
		p.skipped(s.Groups)
	case s.Groups != nil:
		p.groups(s)
	default:
		for _, rule := range s.Rules[:min(len(s.Rules), maxTold)] {
			p.line("")
			p.rule(rule)
		}
		if rest := s.Rules[min(len(s.Rules), maxTold):]; len(rest) > 0 {
			p.line("")
			p.paragraph(fmt.Sprintf("And %s, with the evidence in --report json, html and markdown: %s", result.Plural(len(rest), "more rule"), members(rest)), 3)
		}
	}
}

// absent lists the missing endpoints by what they answer instead.
func (p *page) absent(s *section) {
	symbol, color := styleOf(result.Fail)
	for answer, groups := range inGroups(s.Groups, func(g *group) string { return g.Note }) {
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
		p.item(p.paint(color, symbol), numbered(numbers)+": each "+answer, 2)
	}
}

// groups lists rules by the reason that they share.
func (p *page) groups(s *section) {
	symbol, color := styleOf(s.Status)
	for _, g := range s.Groups {
		p.item(p.paint(color, symbol), g.headline(), 3)
		if g.Absent { // the missing endpoint is shown above
			continue
		}
		for _, line := range clip(members(g.Rules), p.width-4, 2) {
			p.line("    " + line)
		}
		p.wayOn(g)
	}
}

// wayOn writes the last exchange, where the target stopped answering, and the command that plays a
// story again that showed rules once.
func (p *page) wayOn(g *group) {
	if x := g.Last; x != nil {
		lines, note := shownCommand(x.Curl, p.width-labelWidth-4, maxCommand)
		p.lines("try", lines)
		p.field("", note, 1)
		p.lines("exchange", transcript(x))
	}
	p.lines("again", command(g.Again, p.width-labelWidth-4))
}

// item is a text behind a symbol.
func (p *page) item(symbol, s string, most int) {
	for i, line := range clip(s, p.width-4, most) {
		if i > 0 {
			symbol = " "
		}
		p.line("  " + symbol + " " + line)
	}
}

// skipped says in a line or two which rules were left out, and why.
func (p *page) skipped(groups []*group) { p.paragraph(reasons(groups), 2) }

// reasons says which rules were left out, and why.
func reasons(groups []*group) string {
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
func (p *page) endpoints(v *view) {
	if len(v.Endpoints) == 0 {
		return
	}
	numbers := map[result.Status][]int{}
	for _, e := range v.Endpoints {
		numbers[e.Status] = append(numbers[e.Status], e.Number)
	}
	p.heading("Endpoints")
	for _, s := range result.Statuses() {
		if in := numbers[s]; len(in) > 0 {
			p.line(fmt.Sprintf("  %s%*s %3d  %s", p.outcome(s), max(0, 8-len(s)), "", len(in), clip(numbered(in), p.width-20, 1)[0]))
		}
	}
}

// facts writes what else is known of the run.
func (p *page) facts(v *view, l Layout) {
	p.line("")
	if len(v.Tallies) > 0 {
		all := v.Tallies[len(v.Tallies)-1]
		p.field("rules", fmt.Sprintf("%d: %s", all.All, countsOf(all.N)), 2)
	}
	p.field("requests", v.fact("requests"), 2)
	p.field("time", v.fact("duration")+", from "+v.fact("started"), 1)
	p.field("seed", v.fact("seed")+" ("+v.fact("judge")+")", 1)
	p.field("again", v.fact("again"), 3)
	p.field("settings", v.fact("settings"), 2)
	for _, name := range asides() {
		p.field(name, v.fact(name), 2)
	}
	if len(v.Choices) > 0 && !l.Choices {
		p.field("choices", fmt.Sprintf("%d, where the contract is silent: --choices lists them", len(v.Choices)), 1)
	}
	if v.hasVariables() {
		p.field("variables", v.variables(), 3)
	}
	for _, note := range v.Notes {
		p.field("note", note, 3)
	}
}

// asides are the facts that only some runs have, in the order of the text's end.
func asides() []string {
	return []string{"server", "claims", "played", "part", "missing", "retries", "deletions", "jobs", "drawn", "corpus"}
}

func (p *page) client(r *result.Report) {
	for _, s := range clientSections(r) {
		p.heading("%s", s.title)
		for _, line := range s.lines {
			p.line("  " + line)
		}
	}
}
