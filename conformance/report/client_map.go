package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// clientMap is which rules a client exercised at which endpoints: a line for each
// rule that requests showed, a column for each endpoint that they went to.
func clientMap(r *result.Report) []string {
	if r.Client == nil {
		return nil
	}
	var asked []result.Endpoint
	for _, e := range r.Endpoints {
		if e.Status != result.Skipped {
			asked = append(asked, e)
		}
	}
	var lines []string
	longest := 0
	for _, rule := range r.Rules {
		longest = max(longest, columns(short(rule.ID)))
	}
	for _, rule := range r.Rules {
		at := map[string]result.Status{}
		for _, c := range rule.Checks {
			if c.Endpoint != "" && c.Status != result.Skipped {
				at[c.Endpoint] = result.Worst([]result.Status{c.Status, cmp.Or(at[c.Endpoint], result.Skipped)})
			}
		}
		if len(at) == 0 || rule.Part != rules.ClientPart {
			continue
		}
		var line strings.Builder
		fmt.Fprintf(&line, "%-*s", longest, short(rule.ID))
		for _, e := range asked {
			symbol := "·"
			if s, there := at[e.Method+" "+e.Path]; there {
				symbol, _ = look(s)
			}
			fmt.Fprintf(&line, "  %s", symbol)
		}
		lines = append(lines, line.String())
	}
	if len(lines) == 0 {
		return nil
	}
	var head strings.Builder
	fmt.Fprintf(&head, "%-*s", longest, "endpoint")
	for _, e := range asked {
		fmt.Fprintf(&head, " %2d", e.Number)
	}
	return append([]string{head.String()}, lines...)
}

// clientRuns are the runs of a client's tests, in a line each.
func clientRuns(r *result.Report) []string {
	if r.Client == nil {
		return nil
	}
	var lines []string
	for _, run := range r.Client.Runs {
		outcome := "green"
		if run.Exit != 0 {
			outcome = fmt.Sprintf("RED, exit %d", run.Exit)
		}
		lines = append(lines, fmt.Sprintf("%-18s %s, %s, %s", short(run.Surrounding), outcome, plural(run.Requests, "request"), tenths(run.DurationMS)))
	}
	return lines
}

// clientSection is what a report says of a client alone, in lines.
type clientSection struct {
	title string
	lines []string
}

// clientSections are those that have something to say.
func clientSections(r *result.Report) []clientSection {
	all := []clientSection{{"Runs of the client's tests", clientRuns(r)}, {"Exercised: rules by endpoint", clientMap(r)}}
	return slices.DeleteFunc(all, func(s clientSection) bool { return len(s.lines) == 0 })
}

func (p *page) client(r *result.Report) {
	for _, s := range clientSections(r) {
		p.heading("%s", s.title)
		for _, line := range s.lines {
			p.line("  " + line)
		}
	}
}

func (d *document) client(r *result.Report) {
	for _, s := range clientSections(r) {
		d.drawer(s.title, []item{{full: "```\n" + strings.ReplaceAll(strings.Join(s.lines, "\n"), "`", "'") + "\n```"}})
	}
}
