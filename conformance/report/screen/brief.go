package screen

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
)

// The bounds of the text that fits a screen: of three failures fifty lines, of a half-built target a
// hundred.
const (
	briefTold    = 5 // failures that are shown with what was sent and what came
	briefNamed   = 8 // further ones, and warnings, in a line each
	briefGroups  = 4 // causes of what could not be judged
	briefCommand = 4 // lines of a command
)

// The brief form is what a run shows: of each failure what was expected, what came, the scenario, the
// request and the command that judges it again. Failures come before warnings. The last lines say how
// to see everything.

// briefSection writes the rules of one outcome in few lines.
func (p *Page) briefSection(s *view.Section, v *view.View) {
	switch s.ID {
	case view.Waived, view.Skipped: // the waivers' section shows them, and the facts
		return
	case view.NotImplemented:
		p.section(s)
		return
	}
	p.Heading("%s", s.Heading())
	switch {
	case s.Groups != nil:
		for i, g := range s.Groups {
			if i == briefGroups {
				p.Line(fmt.Sprintf("  and %d more causes", len(s.Groups)-i))
				return
			}
			p.briefGroup(s, g)
		}
	case s.ID == view.Warnings:
		p.named(s.Rules, v)
	default:
		told := min(len(s.Rules), briefTold)
		for _, rule := range s.Rules[:told] {
			p.Line("")
			p.briefRule(rule)
		}
		if len(s.Rules) > told {
			p.Line("")
			p.named(s.Rules[told:], v)
		}
	}
}

// briefGroup writes the reason that rules share, and how to go on where the target stopped answering or
// a story showed them once.
func (p *Page) briefGroup(s *view.Section, g *view.Group) {
	symbol, color := styleOf(s.Status)
	p.item(p.Paint(color, symbol), g.Headline(), 2)
	if !g.Absent {
		p.Paragraph("  "+view.Members(g.Rules), 1)
	}
	p.wayOn(g)
}

// briefRule writes what went wrong with a rule at its first endpoint.
func (p *Page) briefRule(rule *view.Rule) {
	told := rule.Violations[0]
	symbol, color := styleOf(rule.Status)
	head := fmt.Sprintf("%s %s", symbol, strings.ToUpper(string(rule.Status)))
	p.Line(p.Paint(color, head) + "  " + p.Paint(text.Bold, fmt.Sprintf("%s (%s)", rule.ID, rule.Level)) + "  " + told.Endpoint)
	for _, b := range p.findings(rule) {
		if b.spare == alike || b.spare == alsoBroken {
			b.lines = b.lines[:min(len(b.lines), 1)]
		}
		if b.spare != elsewhere {
			p.Lines(b.label, b.lines[:min(len(b.lines), 3)])
		}
	}
	x := told.Result.Decisive()
	if rule.Status == result.Unstable {
		for _, x := range told.Result.Exchanges[max(0, len(told.Result.Exchanges)-maxOccasions):] {
			p.Lines("exchange", p.fit(occasion(x), 1))
		}
	} else if x != nil {
		if try := p.try(x); len(try) <= briefCommand {
			p.Lines("try", try)
		} else {
			p.Lines("reproduce", plain.Command(told.Reproduce, p.Width-LabelWidth-4))
		}
	}
	p.Lines("again", plain.Command(rule.Rerun, p.Width-LabelWidth-4))
}

// named writes a line for each of the first rules, and the names of the others.
func (p *Page) named(all []*view.Rule, v *view.View) {
	shown := all[:min(len(all), briefNamed)]
	p.ruleLines(shown, v)
	if rest := all[len(shown):]; len(rest) > 0 {
		p.Paragraph(fmt.Sprintf("and %d more: %s", len(rest), view.Members(rest)), 2)
	}
}

// briefFacts writes what is needed to run again, and how to see everything.
func (p *Page) briefFacts(v *view.View, l Layout) {
	p.Line("")
	if len(v.Tallies) > 0 {
		all := v.Tallies[len(v.Tallies)-1]
		p.Field("rules", fmt.Sprintf("%d: %s", all.All, view.CountsOf(all.N)), 1)
	}
	if skipped := v.Section(view.Skipped); skipped != nil {
		p.Field("skipped", reasons(skipped.Groups), 1)
	}
	sent, _, _ := strings.Cut(v.Fact("requests"), " (")
	p.Field("run", fmt.Sprintf("%s requests in %s, seed %s (%s)", sent, v.Fact("duration"), v.Fact("seed"), v.Fact("judge")), 1)
	for _, name := range asides() {
		if name != "deletions" && name != "server" {
			p.Field(name, v.Fact(name), 2)
		}
	}
	if len(v.Choices) > 0 && !l.Choices {
		p.Field("choices", fmt.Sprintf("%d, where the contract is silent: --choices lists them", len(v.Choices)), 1)
	}
	for _, note := range v.Notes {
		p.Field("note", note, 3)
	}
	if len(v.Broken()) > 0 || v.Section(view.Warnings) != nil || v.Section(view.Blocked) != nil {
		p.Lines("all of it", v.Commands.Everything(p.Width-LabelWidth-4))
	}
}
