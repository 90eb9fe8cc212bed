package markdown

import (
	"fmt"

	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
)

// groupItems are rules by the reason that they share.
func groupItems(s *view.Section) []item {
	var items []item
	for _, g := range s.Groups {
		line := fmt.Sprintf("- %s: %s\n", code(g.Headline()), code(view.Members(g.Rules)))
		it := item{brief: line, rules: len(g.Rules)}
		if g.Last != nil {
			var d document
			d.text.WriteString(line)
			d.exchange(g.Last)
			it.full = d.text.String()
		}
		items = append(items, it)
	}
	return items
}

// choiceItems are the answers of the target, each with the endpoints where it holds.
func choiceItems(v *view.View) []item {
	var items []item
	for _, c := range v.Choices {
		line := fmt.Sprintf("- %s: %s", code(c.Rule), code(c.Answer))
		if c.Where != "" {
			line += " (" + code(c.Where) + ")"
		}
		items = append(items, item{brief: line + "\n", rules: 1})
	}
	return items
}

// waiverItems are the waivers with their states, those that do not hold first.
func waiverItems(v *view.View) []item {
	var items []item
	for _, w := range v.Waivers {
		state := Escape(w.State)
		if w.Gates {
			state = "❌ " + state
		}
		line := fmt.Sprintf("- %s: %s", state, code(w.Rule))
		if w.Endpoint != "" {
			line += " at " + code(w.Endpoint)
		}
		line += ": " + code(w.Message) + "; reason " + code(w.Reason)
		if w.Link != "" {
			line += " " + code(w.Link)
		}
		items = append(items, item{brief: line + "\n", rules: 1})
	}
	return items
}

func (d *document) client(r *result.Report) {
	for _, s := range view.ClientSections(r) {
		d.drawer(s.Title, []item{{brief: fenced("", s.Lines) + "\n", rules: 1}})
	}
}
