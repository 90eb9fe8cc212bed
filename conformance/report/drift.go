package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/socialfeed/conform/conformance/clean"
	"github.com/socialfeed/conform/conformance/result"
)

// Drift writes where a fake differs from the real service in one of DiffFormats; any other format is
// an error. Only text takes the options.
func Drift(w io.Writer, format string, d *result.FakeDrift, l Layout) error {
	var err error
	switch format {
	case "text":
		err = guarded(w, clean.Screen, func(w io.Writer) error { return driftText(w, d, l) })
	case "json":
		err = guarded(w, clean.JSON, func(w io.Writer) error { return writeJSON(w, d) })
	case "markdown":
		err = guarded(w, clean.Defused, func(w io.Writer) error { return driftMarkdown(w, d) })
	default:
		return fmt.Errorf("there is no format %.60q for drift: there are %s", format, strings.Join(DiffFormats(), ", "))
	}
	if err != nil {
		return fmt.Errorf("writing the drift: %w", err)
	}
	return nil
}

// driftSaid is what is told besides the differences.
func driftSaid(d *result.FakeDrift) (said []string) {
	if len(d.Differences) == 0 {
		said = append(said, "The fake is like the real one in all that both reports tell.")
	}
	if len(d.Untold) > 0 {
		said = append(said, "Told by one report alone: "+strings.Join(d.Untold, ", ")+".")
	}
	if d.Shallow {
		said = append(said, "Statuses beyond the rules, fields, times and the length of lists were not compared: that takes two reports with all exchanges (--report har=FILE beside json, with the same --seed).")
	}
	return said
}

// differs names what a difference is about.
func differs(one result.Difference) string {
	return strings.Join(strings.Fields(one.Rule+" "+one.Endpoint+" "+one.What), " ")
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

func driftMarkdown(w io.Writer, d *result.FakeDrift) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## Drift of the fake: %s\n\n", result.Plural(len(d.Differences), "difference"))
	if len(d.Differences) > 0 {
		b.WriteString("| about | what | real | fake |\n| --- | --- | --- | --- |\n")
	}
	for _, one := range d.Differences {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", one.Kind, cell(differs(one)), cell(short(one.Real)), cell(short(one.Fake)))
	}
	for _, said := range driftSaid(d) {
		b.WriteString("\n" + markdown(short(said)) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
