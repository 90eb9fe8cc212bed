package markdown

import (
	"fmt"
	"io"
	"strings"

	"github.com/socialfeed/conform/conformance/report/diff"
	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
)

// WriteDiff writes the differences of two reports.
func WriteDiff(w io.Writer, d *result.Diff) error {
	var doc document
	doc.line("## Conformance: what became different\n")
	for _, s := range []struct {
		name string
		side result.Side
	}{{"Old", d.Old}, {"New", d.New}} {
		doc.line("- %s: %s, %s, %s, conform %s", s.name, badgeOf(view.NewVerdict(s.side.Verdict)), code(s.side.BaseURL),
			diff.StartOf(s.side), code(s.side.Version))
	}
	if apart := diff.Apart(d); apart != "" {
		doc.line("\n%s", apart)
	}
	if d.Empty() {
		doc.line("\n%s", diff.Unchanged)
	}
	for _, s := range diff.Sections(d) {
		var items []item
		for rule, changes := range view.InGroups(s.Changes, func(c result.Change) string { return c.Rule }) {
			items = append(items, item{rules: 1, brief: changedRule(rule, changes)})
		}
		doc.section(fmt.Sprintf("%s: %d", s.Heading, len(s.Changes)), items)
	}
	var items []item
	for _, c := range d.Drift {
		items = append(items, item{rules: 1, brief: diffItem(c.Rule, c.Endpoint) +
			": " + code(plain.Cut(c.Old, maxAnswer)) + " → " + code(plain.Cut(c.New, maxAnswer)) + "\n"})
	}
	doc.section(fmt.Sprintf("Changed choices: %d", len(d.Drift)), items)
	for _, s := range diff.Traffic(d) {
		var items []item
		for _, told := range s.Lines {
			items = append(items, item{rules: 1, brief: "- " + code(told[0]) + ": " + code(plain.Cut(told[1], maxAnswer)) + "\n"})
		}
		doc.section(fmt.Sprintf("%s: %d", s.Heading, len(s.Lines)), items)
	}
	return doc.writeTo(w)
}

// changedRule is a rule that came out differently: in one line, or in one for each different change below its name.
func changedRule(rule string, changes []result.Change) string {
	const most = 3 // different changes
	if len(changes) == 1 {
		return diffItem(rule, changes[0].Endpoint) + ": " + markedTurn(changes[0]) + "\n"
	}
	var alike []string
	for said, some := range view.InGroups(changes, markedTurn) {
		var places []string
		for _, c := range some {
			places = append(places, placeOf(c))
		}
		alike = append(alike, "at "+strings.Join(places, ", ")+": "+said+"\n")
	}
	if len(alike) == 1 {
		return "- " + code(rule) + " " + alike[0]
	}
	said := fmt.Sprintf("- %s, %s\n", code(rule), result.Plural(len(changes), "check"))
	for _, each := range alike[:min(most, len(alike))] {
		said += "  - " + each
	}
	if more := len(alike) - most; more > 0 {
		said += fmt.Sprintf("  - and %d more\n", more)
	}
	return said
}

// placeOf is the endpoint of a change, in Markdown.
func placeOf(c result.Change) string {
	if c.Endpoint == "" {
		return "no endpoint"
	}
	return code(c.Endpoint)
}

// markedTurn is a turn in one line of Markdown.
func markedTurn(c result.Change) string {
	said := diff.Turn(c)
	for i := range said[1:] {
		said[i+1] = code(plain.Cut(said[i+1], maxAnswer))
	}
	return strings.Join(said, ": ")
}

func diffItem(rule, endpoint string) string {
	name := "- " + code(rule)
	if endpoint != "" {
		name += " at " + code(endpoint)
	}
	return name
}

// WriteDrift writes where a fake differs from the real service.
func WriteDrift(w io.Writer, d *result.FakeDrift) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## Drift of the fake: %s\n\n", result.Plural(len(d.Differences), "difference"))
	if len(d.Differences) > 0 {
		b.WriteString("| about | what | real | fake |\n| --- | --- | --- | --- |\n")
	}
	for _, one := range d.Differences {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", one.Kind, cell(diff.About(one)), cell(plain.Short(one.Real)), cell(plain.Short(one.Fake)))
	}
	for _, said := range diff.DriftSaid(d) {
		b.WriteString("\n" + Escape(plain.Short(said)) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
