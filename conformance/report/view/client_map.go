package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// Exercised says which rules a client exercised at which endpoints: a row for each rule
// that was judged, a column for each endpoint that was called.
type Exercised struct {
	Title     string
	Endpoints []result.Endpoint
	Rows      []ExercisedRule
}

// ExercisedRule is a rule with its worst status at each of the endpoints, "" where it was
// not exercised.
type ExercisedRule struct {
	Rule string
	At   []result.Status
}

// exercisedOf is nil for a report that is not on a client, or where nothing was exercised.
func exercisedOf(r *result.Report) *Exercised {
	if r.Client == nil {
		return nil
	}
	x := &Exercised{Title: mapTitle(r)}
	for _, e := range r.Endpoints {
		if e.Status != result.Skipped {
			x.Endpoints = append(x.Endpoints, e)
		}
	}
	for _, rule := range r.Rules {
		at := map[string]result.Status{}
		for _, c := range rule.Checks {
			if c.Endpoint != "" && c.Status != result.Skipped {
				at[c.Endpoint] = result.Worst([]result.Status{c.Status, cmp.Or(at[c.Endpoint], result.Skipped)})
			}
		}
		if len(at) == 0 || rule.Part != rules.ClientPart && r.Client.Breaches == nil {
			continue
		}
		row := ExercisedRule{Rule: plain.Short(rule.ID)}
		for _, e := range x.Endpoints {
			row.At = append(row.At, at[e.Method+" "+e.Path])
		}
		x.Rows = append(x.Rows, row)
	}
	if len(x.Rows) == 0 {
		return nil
	}
	return x
}

// clientMap writes it as text, a line for each rule.
func clientMap(r *result.Report) []string {
	x := exercisedOf(r)
	if x == nil {
		return nil
	}
	longest := 0
	for _, row := range x.Rows {
		longest = max(longest, plain.Columns(row.Rule))
	}
	var head strings.Builder
	fmt.Fprintf(&head, "%-*s", longest, "endpoint")
	for _, e := range x.Endpoints {
		fmt.Fprintf(&head, " %2d", e.Number)
	}
	lines := []string{head.String()}
	for _, row := range x.Rows {
		var line strings.Builder
		fmt.Fprintf(&line, "%-*s", longest, row.Rule)
		for _, status := range row.At {
			symbol := "·"
			if status != "" {
				symbol = Symbol(status)
			}
			fmt.Fprintf(&line, "  %s", symbol)
		}
		lines = append(lines, line.String())
	}
	return lines
}

// clientRuns lists the runs of a client's tests, a line each.
func clientRuns(r *result.Report) []string {
	if r.Client == nil || r.Client.Breaches != nil { // one for each breach
		return nil
	}
	var lines []string
	for _, run := range r.Client.Runs {
		outcome := "green"
		if run.Exit != 0 {
			outcome = fmt.Sprintf("RED, exit %d", run.Exit)
		}
		lines = append(lines, fmt.Sprintf("%-18s %s, %s, %s", plain.Short(run.Surrounding), outcome, result.Plural(run.Requests, "request"), tenths(run.DurationMS)))
	}
	return lines
}

// ClientSection is a section that only reports on clients have.
type ClientSection struct {
	Title string
	Lines []string
}

// ClientSections are those that are not empty.
func ClientSections(r *result.Report) []ClientSection {
	all := []ClientSection{{"Runs of the client's tests", clientRuns(r)}, {mapTitle(r) + ": rules by endpoint", clientMap(r)}}
	return slices.DeleteFunc(all, func(s ClientSection) bool { return len(s.Lines) == 0 })
}
