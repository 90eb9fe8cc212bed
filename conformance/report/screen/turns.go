package screen

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
)

// maxTurns is how many rules with the same change are named.
const maxTurns = 15

// Turns says which rules became green and red since the last run, and the verdict of a whole
// run. The report r is nil after a run of a few scenarios.
func Turns(w io.Writer, turns []result.Turn, r *result.Report, l Layout) error {
	p := NewPage(w, l)
	p.turned("✓ green", text.FgGreen, turns, result.Turn.Green)
	unjudged := func(s result.Status) bool { return s == result.Blocked || s == result.Error }
	red := func(t result.Turn) bool { return !t.Green() && !unjudged(t.Is) }
	p.turned("✗ red", text.FgRed, turns, func(t result.Turn) bool { return red(t) && !unjudged(t.Was) })
	p.turned("✗ newly judged, red", text.FgRed, turns, func(t result.Turn) bool { return red(t) && unjudged(t.Was) })
	p.turned("– not judged", text.FgCyan, turns, func(t result.Turn) bool { return unjudged(t.Is) })
	if r == nil {
		return p.End()
	}
	if len(turns) == 0 {
		p.Line("  the rest came out as before")
	}
	v := view.New(r, view.Options{})
	var counts []string
	for _, s := range v.Statuses {
		if n := r.Summary.Rules[s]; n > 0 && s != result.Skipped {
			counts = append(counts, fmt.Sprintf("%d %s", n, s))
		}
	}
	p.Line("  " + p.verdict(v.Verdict) + "  rules: " + strings.Join(counts, ", "))
	return p.End()
}

func (p *Page) turned(symbol string, color text.Color, turns []result.Turn, wanted func(result.Turn) bool) {
	turns = slices.DeleteFunc(slices.Clone(turns), func(t result.Turn) bool { return !wanted(t) })
	for i, t := range turns {
		if i == maxTurns {
			p.Line(fmt.Sprintf("  %s and %d more", p.Paint(color, symbol), len(turns)-i))
			return
		}
		line := fmt.Sprintf("  %s %s", p.Paint(color, symbol), plain.Line(strings.TrimSuffix(t.Rule+" at "+t.Endpoint, " at ")))
		if !t.Green() && t.Message != "" {
			line += ": " + plain.Cut(plain.Line(t.Message), 200)
		}
		p.Line(line)
	}
}
