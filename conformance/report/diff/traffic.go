package diff

import (
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
)

// TrafficSection is one kind of difference between all exchanges of two runs.
type TrafficSection struct {
	Heading string
	Status  result.Status // whose symbol and colour it has
	Lines   [][2]string   // where, and what
}

// Traffic are those that are not empty.
func Traffic(d *result.Diff) (sections []TrafficSection) {
	sections = upgradeSections(d.Upgrade)
	if d.Traffic == nil {
		return sections
	}
	var lost, added, slower [][2]string
	for _, f := range d.Traffic.Fields {
		if f.Added {
			added = append(added, [2]string{f.Endpoint, f.Field})
		} else {
			lost = append(lost, [2]string{f.Endpoint, f.Field})
		}
	}
	for _, s := range d.Traffic.Slower {
		slower = append(slower, [2]string{s.Endpoint, fmt.Sprintf("%.0f ms → %.0f ms", s.OldMS, s.NewMS)})
	}
	for _, s := range []TrafficSection{
		{"Answered otherwise", result.Warn, outcomeLines(d.Traffic.Outcomes)}, {"Fields that are gone", result.Warn, lost},
		{"New fields, which clients have to ignore", result.Observed, added}, {"Slower, by more than answers vary", result.Observed, slower},
	} {
		if len(s.Lines) > 0 {
			sections = append(sections, s)
		}
	}
	return sections
}

// outcomeLines writes a line for each endpoint and change of its statuses, with the shortest form of request
// that shows it.
func outcomeLines(changes []result.OutcomeChange) (lines [][2]string) {
	for _, group := range view.InGroups(changes, func(o result.OutcomeChange) [3]string { return [3]string{o.Endpoint, o.Old, o.New} }) {
		shortest := slices.MinFunc(group, func(a, b result.OutcomeChange) int { return len(a.Request) - len(b.Request) })
		what := shortest.Old + " → " + shortest.New + " to " + shortest.Request
		if more := len(group) - 1; more > 0 {
			what += ", and " + result.Plural(more, "longer request") + " alike"
		}
		lines = append(lines, [2]string{shortest.Endpoint, what})
	}
	return lines
}
