package report

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
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
func (p *page) briefSection(s *section, v *view) {
	switch s.ID {
	case sectionWaived, sectionSkipped: // the waivers' section shows them, and the facts
		return
	case notImplemented:
		p.section(s)
		return
	}
	p.heading("%s", s.heading())
	switch {
	case s.Groups != nil:
		for i, g := range s.Groups {
			if i == briefGroups {
				p.line(fmt.Sprintf("  and %d more causes", len(s.Groups)-i))
				return
			}
			p.briefGroup(s, g)
		}
	case s.ID == sectionWarnings:
		p.named(s.Rules, v)
	default:
		told := min(len(s.Rules), briefTold)
		for _, rule := range s.Rules[:told] {
			p.line("")
			p.briefRule(rule)
		}
		if len(s.Rules) > told {
			p.line("")
			p.named(s.Rules[told:], v)
		}
	}
}

// briefGroup writes the reason that rules share, and how to go on where the target stopped answering or
// a story showed them once.
func (p *page) briefGroup(s *section, g *group) {
	symbol, color := styleOf(s.Status)
	p.item(p.paint(color, symbol), g.headline(), 2)
	if !g.Absent {
		p.paragraph("  "+members(g.Rules), 1)
	}
	p.wayOn(g)
}

// briefRule writes what went wrong with a rule at its first endpoint.
func (p *page) briefRule(rule *ruleView) {
	told := rule.Violations[0]
	symbol, color := styleOf(rule.Status)
	head := fmt.Sprintf("%s %s", symbol, strings.ToUpper(string(rule.Status)))
	p.line(p.paint(color, head) + "  " + p.paint(text.Bold, fmt.Sprintf("%s (%s)", rule.ID, rule.Level)) + "  " + told.Endpoint)
	for _, b := range p.findings(rule) {
		if b.spare == alike || b.spare == alsoBroken {
			b.lines = b.lines[:min(len(b.lines), 1)]
		}
		if b.spare != elsewhere {
			p.lines(b.label, b.lines[:min(len(b.lines), 3)])
		}
	}
	x := told.check.Decisive()
	if rule.Status == result.Unstable {
		for _, x := range told.check.Exchanges[max(0, len(told.check.Exchanges)-maxOccasions):] {
			p.lines("exchange", p.fit(occasion(x), 1))
		}
	} else if x != nil {
		if try := p.try(x); len(try) <= briefCommand {
			p.lines("try", try)
		} else {
			p.lines("reproduce", command(told.Reproduce, p.width-labelWidth-4))
		}
	}
	p.lines("again", command(rule.Rerun, p.width-labelWidth-4))
}

// named writes a line for each of the first rules, and the names of the others.
func (p *page) named(all []*ruleView, v *view) {
	shown := all[:min(len(all), briefNamed)]
	p.ruleLines(shown, v)
	if rest := all[len(shown):]; len(rest) > 0 {
		p.paragraph(fmt.Sprintf("and %d more: %s", len(rest), members(rest)), 2)
	}
}

// briefFacts writes what is needed to run again, and how to see everything.
func (p *page) briefFacts(v *view, l Layout) {
	p.line("")
	if len(v.Tallies) > 0 {
		all := v.Tallies[len(v.Tallies)-1]
		p.field("rules", fmt.Sprintf("%d: %s", all.All, countsOf(all.N)), 1)
	}
	if skipped := v.section(sectionSkipped); skipped != nil {
		p.field("skipped", reasons(skipped.Groups), 1)
	}
	sent, _, _ := strings.Cut(v.fact("requests"), " (")
	p.field("run", fmt.Sprintf("%s requests in %s, seed %s (%s)", sent, v.fact("duration"), v.fact("seed"), v.fact("judge")), 1)
	for _, name := range asides() {
		if name != "deletions" && name != "server" {
			p.field(name, v.fact(name), 2)
		}
	}
	if len(v.Choices) > 0 && !l.Choices {
		p.field("choices", fmt.Sprintf("%d, where the contract is silent: --choices lists them", len(v.Choices)), 1)
	}
	for _, note := range v.Notes {
		p.field("note", note, 3)
	}
	if len(v.broken()) > 0 || v.section(sectionWarnings) != nil || v.section(sectionBlocked) != nil {
		p.lines("all of it", v.commands.everything(p.width-labelWidth-4))
	}
}
