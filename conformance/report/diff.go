package report

import (
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/socialfeed/conform/conformance/clean"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/internal/loopback"
)

// DiffFormats are the names of the formats that Diff knows.
func DiffFormats() []string { return []string{"text", "json", "markdown"} }

// Diff writes the differences of two reports in one of DiffFormats; any other format is an
// error. Only text takes the options.
func Diff(w io.Writer, format string, d *result.Diff, o Options) error {
	var err error
	switch format {
	case "text":
		err = guarded(w, clean.Screen, func(w io.Writer) error { return diffText(w, d, o) })
	case "json":
		err = guarded(w, clean.JSON, func(w io.Writer) error { return writeJSON(w, d) })
	case "markdown":
		err = guarded(w, clean.Defused, func(w io.Writer) error { return diffMarkdown(w, d) })
	default:
		return fmt.Errorf("there is no format %.60q for differences: there are %s", format, strings.Join(DiffFormats(), ", "))
	}
	if err != nil {
		return fmt.Errorf("writing the differences: %w", err)
	}
	return nil
}

// diffSection is one kind of difference.
type diffSection struct {
	heading string
	status  result.Status // whose symbol and colour it has
	changes []result.Change
}

func diffSections(d *result.Diff) []diffSection {
	mild := slices.DeleteFunc(slices.Clone(d.Broken), func(c result.Change) bool { return c.Gates })
	gating := slices.DeleteFunc(slices.Clone(d.Broken), func(c result.Change) bool { return !c.Gates })
	return []diffSection{
		{"Newly broken", result.Fail, gating},
		{"Newly broken, though only warned about or waived", result.Warn, mild},
		{"No longer judged", result.Blocked, d.Unjudged},
		{"Fixed", result.Pass, d.Mended},
		{"Newly judged", result.Observed, d.Judged},
	}
}

const unchanged = "Nothing became different: every rule came out as before, and every choice is the same."

func diffText(w io.Writer, d *result.Diff, o Options) error {
	p := newPage(w, o)
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
			for _, side := range []string{c.Old, "→ " + c.New} { // each is clipped, so that both begin on the page
				for _, line := range clip(oneLine(side), p.width-4, 3) {
					p.line("    " + line)
				}
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

// placesOf is where a rule changed: its endpoint, or the numbers of several.
func placesOf(changes []result.Change) string {
	if len(changes) == 1 {
		return changes[0].Endpoint
	}
	var numbers []int
	for _, c := range changes {
		if at, err := result.EndpointNamed(c.Endpoint); err == nil && at != rules.NoEndpoint {
			numbers = append(numbers, int(at))
		}
	}
	return fmt.Sprintf("%s: %s", result.Plural(len(changes), "check"), numbered(numbers))
}

func (p *page) sideLine(name string, s result.Side) string {
	return fmt.Sprintf("%s  %s  %s, %s, conform %s", p.paint(text.Faint, name), oneLine(string(s.Verdict)), oneLine(s.BaseURL),
		startOf(s), oneLine(s.Version))
}

func startOf(s result.Side) string { return s.StartedAt.UTC().Format("2006-01-02 15:04 UTC") }

// sidesApart says in sentences what else differs between the reports, "" for nothing.
func sidesApart(d *result.Diff) string {
	var said []string
	if !sameTarget(d.Old.BaseURL, d.New.BaseURL) {
		said = append(said, "The reports are of different targets.")
	}
	if d.Old.Version != d.New.Version {
		said = append(said, "They were made by different versions of the judge: its rules may differ too.")
	}
	if d.Old.Verdict != d.New.Verdict && d.Empty() {
		said = append(said, "The verdicts differ only by what is waived, what gates, or what ended a run.")
	}
	return strings.Join(said, " ")
}

// sameTarget reports whether two base URLs are those of one target. On the judge's own
// machine each run may start it at another port.
func sameTarget(one, other string) bool {
	return one == other || ofThisMachine(one) && ofThisMachine(other)
}

func ofThisMachine(baseURL string) bool {
	u, err := url.Parse(baseURL)
	return err == nil && loopback.IsHost(u.Hostname())
}

// turn is a rule's status before and now, followed by its message, if any.
func turn(c result.Change) []string {
	name := func(s result.Status) string {
		if s == "" {
			return "not there"
		}
		return string(s)
	}
	said := name(c.Old) + " → " + name(c.New)
	if c.Waived {
		said += " (waived)"
	}
	if c.Message == "" {
		return []string{said}
	}
	return []string{said, c.Message}
}
