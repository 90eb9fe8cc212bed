package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/socialfeed/conform/conformance/result"
)

func diffMarkdown(w io.Writer, d *result.Diff) error {
	var doc document
	doc.line("## Conformance: what became different\n")
	for _, s := range []struct {
		name string
		side result.Side
	}{{"Old", d.Old}, {"New", d.New}} {
		doc.line("- %s: %s, %s, %s, conform %s", s.name, badgeOf(newVerdictView(s.side.Verdict)), code(s.side.BaseURL),
			startOf(s.side), code(s.side.Version))
	}
	if apart := sidesApart(d); apart != "" {
		doc.line("\n%s", apart)
	}
	if d.Empty() {
		doc.line("\n%s", unchanged)
	}
	for _, s := range diffSections(d) {
		var items []item
		for rule, changes := range inGroups(s.changes, func(c result.Change) string { return c.Rule }) {
			items = append(items, item{rules: 1, brief: changedRule(rule, changes)})
		}
		doc.section(fmt.Sprintf("%s: %d", s.heading, len(s.changes)), items)
	}
	var items []item
	for _, c := range d.Drift {
		items = append(items, item{rules: 1, brief: diffItem(c.Rule, c.Endpoint) +
			": " + code(cut(c.Old, maxAnswer)) + " → " + code(cut(c.New, maxAnswer)) + "\n"})
	}
	doc.section(fmt.Sprintf("Changed choices: %d", len(d.Drift)), items)
	for _, s := range trafficSections(d) {
		var items []item
		for _, told := range s.lines {
			items = append(items, item{rules: 1, brief: "- " + code(told[0]) + ": " + code(cut(told[1], maxAnswer)) + "\n"})
		}
		doc.section(fmt.Sprintf("%s: %d", s.heading, len(s.lines)), items)
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
	for said, some := range inGroups(changes, markedTurn) {
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
	said := turn(c)
	for i := range said[1:] {
		said[i+1] = code(cut(said[i+1], maxAnswer))
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
