package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/socialfeed/conform/conformance/result"
)

func diffText(w io.Writer, d *result.Diff, l Layout) error {
	p := newPage(w, l)
	p.line(p.sideLine("old", d.Old))
	p.line(p.sideLine("new", d.New))
	p.paragraph(sidesApart(d), 2)
	if d.Empty() {
		p.line("")
		p.paragraph(unchanged, 2)
	}
	for _, s := range diffSections(d) {
		if len(s.changes) == 0 {
			continue
		}
		p.heading("%s: %d", s.heading, len(s.changes))
		symbol, color := styleOf(s.status)
		for rule, changes := range inGroups(s.changes, func(c result.Change) string { return c.Rule }) {
			p.line("  " + p.paint(color, symbol) + " " + strings.TrimSpace(oneLine(fmt.Sprintf("%s (%s)  %s", rule, changes[0].Level, placesOf(changes)))))
			for _, line := range turn(changes[0]) {
				for _, part := range clip(oneLine(line), p.width-4, 4) {
					p.line("    " + part)
				}
			}
		}
	}
	if len(d.Drift) > 0 {
		p.heading("Changed choices: %d", len(d.Drift))
		for _, c := range d.Drift {
			p.line("  " + p.paint(text.FgYellow, "~") + " " + strings.TrimSpace(oneLine(c.Rule+"  "+c.Endpoint)))
			for _, line := range clip(oneLine(c.Old+" → "+c.New), p.width-4, 4) {
				p.line("    " + line)
			}
		}
	}
	for _, s := range trafficSections(d) {
		p.heading("%s: %d", s.heading, len(s.lines))
		symbol, color := styleOf(s.status)
		for _, told := range s.lines {
			for i, line := range clip(oneLine(told[0]+": "+told[1]), p.width-4, 3) {
				if i > 0 {
					symbol = " "
				}
				p.line("  " + p.paint(color, symbol) + " " + line)
			}
			symbol, _ = styleOf(s.status)
		}
	}
	return p.end()
}

func (p *page) sideLine(name string, s result.Side) string {
	return fmt.Sprintf("%s  %s  %s, %s, conform %s", p.paint(text.Faint, name), oneLine(string(s.Verdict)), oneLine(s.BaseURL),
		startOf(s), oneLine(s.Version))
}

func driftText(w io.Writer, d *result.FakeDrift, l Layout) error {
	p := newPage(w, l)
	p.line(p.sideLine("real", d.Real))
	p.line(p.sideLine("fake", d.Fake))
	kind := result.DriftKind("")
	for _, one := range d.Differences {
		if one.Kind != kind {
			kind = one.Kind
			p.heading("Another form of %s", kind)
		}
		for i, line := range clip(oneLine(differs(one)), p.width-4, 2) {
			p.line("  " + p.paint(text.FgYellow, map[bool]string{true: "~", false: " "}[i == 0]) + " " + line)
		}
		p.field("  real", one.Real, 3)
		p.field("  fake", one.Fake, 3)
	}
	p.line("")
	for _, said := range driftSaid(d) {
		p.paragraph(said, 6)
	}
	return p.end()
}
