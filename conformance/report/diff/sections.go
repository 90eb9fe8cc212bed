// Package diff makes of a comparison what people read of it, the same in every format.
package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// Section is one kind of difference.
type Section struct {
	Heading string
	Status  result.Status // whose symbol and colour it has
	Changes []result.Change
}

// Sections are the kinds of difference between the rules of two reports.
func Sections(d *result.Diff) []Section {
	mild := slices.DeleteFunc(slices.Clone(d.Broken), func(c result.Change) bool { return c.Gates })
	gating := slices.DeleteFunc(slices.Clone(d.Broken), func(c result.Change) bool { return !c.Gates })
	return []Section{
		{"Newly broken", result.Fail, gating},
		{"Newly broken, though only warned about or waived", result.Warn, mild},
		{"No longer judged", result.Blocked, d.Unjudged},
		{"Fixed", result.Pass, d.Mended},
		{"Newly judged", result.Observed, d.Judged},
	}
}

// Unchanged is what is told where there is no difference.
const Unchanged = "Nothing became different: every rule that was judged came out as before, with the same choices."

// Places is where a rule changed: its endpoint, or the numbers of several.
func Places(changes []result.Change) string {
	if len(changes) == 1 {
		return changes[0].Endpoint
	}
	var numbers []int
	for _, c := range changes {
		if at, err := result.EndpointNamed(c.Endpoint); err == nil && at != rules.NoEndpoint {
			numbers = append(numbers, int(at))
		}
	}
	return fmt.Sprintf("%s: %s", result.Plural(len(changes), "check"), view.Numbered(numbers))
}

// StartOf is when the run of a side began.
func StartOf(s result.Side) string { return s.StartedAt.UTC().Format("2006-01-02 15:04 UTC") }

// Apart says in sentences what else differs between the reports, "" for nothing.
func Apart(d *result.Diff) string {
	var said []string
	if !view.SameTarget(d.Old.BaseURL, d.New.BaseURL) {
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

// Turn is a rule's status before and now, followed by its message, if any.
func Turn(c result.Change) []string {
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

// DriftSaid is what is told besides the differences.
func DriftSaid(d *result.FakeDrift) (said []string) {
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

// About names what a difference is about.
func About(one result.Difference) string {
	return strings.Join(strings.Fields(one.Rule+" "+one.Endpoint+" "+one.What), " ")
}
