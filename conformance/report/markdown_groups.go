package report

import (
	"fmt"

	"github.com/socialfeed/conform/conformance"
)

// groupItems are rules by the reason that they share.
func groupItems(rules []*conformance.RuleReport, s conformance.Status, why func(*conformance.RuleReport) string, at places) []item {
	var items []item
	for _, g := range grouped(rules, why) {
		line := fmt.Sprintf("- %s: %s: %s\n", plural(len(g.rules), "rule"), code(g.reason), code(members(g.rules, s, at)))
		items = append(items, item{brief: line, rules: len(g.rules)})
	}
	return items
}

// choiceItems are the answers of the target, each with the endpoints where it holds.
func choiceItems(r *conformance.Report, at places) []item {
	var items []item
	for _, a := range folded(r.Choices) {
		line := fmt.Sprintf("- %s: %s", code(a.rule), code(at.brief(a.text)))
		if where := at.short(a.endpoints); where != "" {
			line += " (" + code(where) + ")"
		}
		items = append(items, item{brief: line + "\n", rules: 1})
	}
	return items
}

// waiverItems tell what became of each waiver, those first that do not hold.
func waiverItems(r *conformance.Report, at places) []item {
	var items []item
	for _, w := range waiversOf(r) {
		state := markdown(string(w.State))
		if w.State.Gates() {
			state = "❌ " + state
		}
		line := fmt.Sprintf("- %s: %s", state, code(w.Rule))
		if w.Endpoint != "" {
			line += " at " + code(at.full(w.Endpoint))
		}
		line += ": " + code(w.Message) + "; reason " + code(w.Reason)
		if w.Link != "" {
			line += " " + code(w.Link)
		}
		items = append(items, item{brief: line + "\n", rules: 1})
	}
	return items
}
