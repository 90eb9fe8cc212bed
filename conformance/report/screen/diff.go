package screen

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/socialfeed/conform/conformance/report/diff"
	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
)

// WriteDiff writes the differences of two reports.
func WriteDiff(w io.Writer, d *result.Diff, l Layout) error {
	p := NewPage(w, l)
	p.Line(p.sideLine("old", d.Old))
	p.Line(p.sideLine("new", d.New))
	p.Paragraph(diff.Apart(d), 2)
	if d.Empty() {
		p.Line("")
		p.Paragraph(diff.Unchanged, 2)
	}
	for _, s := range diff.Sections(d) {
		if len(s.Changes) == 0 {
			continue
		}
		p.Heading("%s: %d", s.Heading, len(s.Changes))
		symbol, color := styleOf(s.Status)
		for rule, changes := range view.InGroups(s.Changes, func(c result.Change) string { return c.Rule }) {
			p.Line("  " + p.Paint(color, symbol) + " " + strings.TrimSpace(plain.Line(fmt.Sprintf("%s (%s)  %s", rule, changes[0].Level, diff.Places(changes)))))
			for _, line := range diff.Turn(changes[0]) {
				for _, part := range plain.Clip(plain.Line(line), p.Width-4, 4) {
					p.Line("    " + part)
				}
			}
		}
	}
	if len(d.Drift) > 0 {
		p.Heading("Changed choices: %d", len(d.Drift))
		for _, c := range d.Drift {
			p.Line("  " + p.Paint(text.FgYellow, "~") + " " + strings.TrimSpace(plain.Line(c.Rule+"  "+c.Endpoint)))
			for _, side := range []string{c.Old, "→ " + c.New} { // each is clipped, so that both begin on the page
				for _, line := range plain.Clip(plain.Line(side), p.Width-4, 3) {
					p.Line("    " + line)
				}
			}
		}
	}
	for _, s := range diff.Traffic(d) {
		p.Heading("%s: %d", s.Heading, len(s.Lines))
		symbol, color := styleOf(s.Status)
		for _, told := range s.Lines {
			for i, line := range plain.Clip(plain.Line(told[0]+": "+told[1]), p.Width-4, 3) {
				if i > 0 {
					symbol = " "
				}
				p.Line("  " + p.Paint(color, symbol) + " " + line)
			}
			symbol, _ = styleOf(s.Status)
		}
	}
	return p.End()
}

func (p *Page) sideLine(name string, s result.Side) string {
	return fmt.Sprintf("%s  %s  %s, %s, conform %s", p.Paint(text.Faint, name), plain.Line(string(s.Verdict)), plain.Line(s.BaseURL),
		diff.StartOf(s), plain.Line(s.Version))
}

// WriteDrift writes where a fake differs from the real service.
func WriteDrift(w io.Writer, d *result.FakeDrift, l Layout) error {
	p := NewPage(w, l)
	p.Line(p.sideLine("real", d.Real))
	p.Line(p.sideLine("fake", d.Fake))
	kind := result.DriftKind("")
	for _, one := range d.Differences {
		if one.Kind != kind {
			kind = one.Kind
			p.Heading("Another form of %s", kind)
		}
		for i, line := range plain.Clip(plain.Line(diff.About(one)), p.Width-4, 2) {
			p.Line("  " + p.Paint(text.FgYellow, map[bool]string{true: "~", false: " "}[i == 0]) + " " + line)
		}
		p.Field("  real", one.Real, 3)
		p.Field("  fake", one.Fake, 3)
	}
	p.Line("")
	for _, said := range diff.DriftSaid(d) {
		p.Paragraph(said, 6)
	}
	return p.End()
}
