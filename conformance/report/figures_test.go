package report

import (
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/screen"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// mixed is a report in which one rule has checks of every outcome, another one of
// the outcomes that do not end a run, and others one outcome each.
func mixed() *result.Report {
	var all, mild []result.Check
	var rs []result.Rule
	for i, s := range result.Statuses() {
		e := rules.Endpoints()[i]
		c := broken(e, s, "200 OK", 500, "{}")
		all = append(all, c, broken(rules.Feed, s, "200 OK", 500, "{}"))
		if s != result.Fail && s != result.Error {
			mild = append(mild, c)
		}
		rs = append(rs, newRule("users.only-"+string(s), rules.Must, c))
	}
	rs = append(rs, newRule("feed.of-every-kind", rules.Must, all...), newRule("feed.mild", rules.Should, mild...))
	return newReport(result.NonConformant, rs)
}

// figured are the reports whose figures are added up.
func figured() map[string]*result.Report {
	all := fixtures()
	all["mixed"] = mixed()
	return all
}

// checksIn adds up the numbers that stand before the names of outcomes, and those
// of a column of their own.
func checksIn(t *testing.T, passed, others string) int {
	t.Helper()
	n, _ := strconv.Atoi(strings.TrimSpace(passed)) // a dot is none
	for _, found := range regexp.MustCompile(`(\d+) [a-z]+`).FindAllStringSubmatch(others, -1) {
		more, err := strconv.Atoi(found[1])
		if err != nil {
			t.Fatal(err)
		}
		n += more
	}
	return n
}

// What the tables by endpoint show adds up to all the checks that there are.
func TestEndpointFiguresAddUp(t *testing.T) {
	row := map[string]*regexp.Regexp{
		"markdown": regexp.MustCompile("(?m)^\\| (\\d+) \\| `[A-Z]+ /\\S+` \\| [^|]+ \\| (\\d+) \\| ([^|]*) \\|$"),
		"html":     regexp.MustCompile(`(?s)<span class="n" data-filter="endpoint=(\d+)">.*?<td role="cell" class="sum">.*?<span class="counts">()(.*?)</span></td></tr>`),
	}
	for name, r := range figured() {
		want := map[string]int{}
		for _, e := range r.Endpoints {
			for _, n := range e.Checks {
				want[fmt.Sprint(e.Number)] += n
			}
		}
		for format, pattern := range row {
			seen := 0
			for _, found := range pattern.FindAllStringSubmatch(writtenAs(t, format, r), -1) {
				seen++
				if got := checksIn(t, found[2], found[3]); got != want[found[1]] {
					t.Errorf("%s as %s: of endpoint %s %d checks are shown, and there are %d: %q", name, format, found[1], got, want[found[1]], found[0])
				}
			}
			judged := 0
			for _, e := range r.Endpoints {
				if e.Status != result.Skipped || format == "html" {
					judged++
				}
			}
			if seen != judged {
				t.Errorf("%s as %s: %d endpoints are shown of %d", name, format, seen, judged)
			}
		}
	}
}

// The text counts the endpoints by their outcome.
func TestEndpointsAreCountedByOutcome(t *testing.T) {
	for name, r := range figured() {
		want := map[string]int{}
		for _, e := range r.Endpoints {
			want[string(e.Status)]++
		}
		_, list, _ := strings.Cut(writtenAs(t, "text", r), "\nEndpoints\n")
		list, _, _ = strings.Cut(list, "\n\n")
		got := map[string]int{}
		for _, found := range regexp.MustCompile(`(?m)^  \S ([a-z]+) +(\d+)  #`).FindAllStringSubmatch(list, -1) {
			got[found[1]], _ = strconv.Atoi(found[2])
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: the text counts %v, and there are %v", name, got, want)
		}
	}
}

// A table whose lines are too long for a screen would be no table there.
func TestTablesAndHeadingsFitAScreen(t *testing.T) {
	for name, r := range figured() {
		for _, width := range []int{80, 100} {
			for line := range strings.SplitSeq(written(t, r, view.Options{}, screen.Layout{Width: width}), "\n") {
				if field := strings.HasPrefix(line, "  "+strings.Repeat(" ", screen.LabelWidth)); plain.Columns(line) > width && !field {
					t.Errorf("%s: %d columns instead of %d: %s", name, plain.Columns(line), width, line)
				}
			}
		}
	}
}

// A label that is too long would push its value out of the column of the others.
func TestFactsStandInOneColumn(t *testing.T) {
	v := view.New(complete(), view.Options{})
	shown := written(t, complete(), view.Options{})
	for _, name := range []string{"server", "claims", "played", "part", "missing", "retries", "deletions", "jobs", "drawn", "corpus"} {
		if v.Fact(name) == "" {
			t.Errorf("no run has the fact %q", name)
		}
		if field := fmt.Sprintf("\n  %-*s  ", screen.LabelWidth, name); len(name) > screen.LabelWidth || !strings.Contains(shown, field) {
			t.Errorf("the fact %q does not stand in the column of the others:\n%s", name, shown)
		}
	}
}

// The heading of a section tells of how many rules it is, and how many of them the
// table of the levels counts there.
func TestSectionFiguresAddUp(t *testing.T) {
	for name, r := range figured() {
		n := map[string]int{}
		for _, rule := range r.Rules {
			n[string(rule.Status)]++
		}
		for _, format := range []string{"text", "markdown"} {
			text := writtenAs(t, format, r)
			for section, status := range map[string]string{"Failures": "fail", "Unstable": "unstable", "Warnings": "warn", "Blocked": "blocked", "Errors": "error"} {
				pattern := regexp.MustCompile(`(?m)^(?:### )?` + section + `: (\d+) rules?(?: \((\d+) of them counted elsewhere)?`)
				found := pattern.FindStringSubmatch(text)
				told := 0
				if found != nil {
					all, _ := strconv.Atoi(found[1])
					elsewhere, _ := strconv.Atoi(found[2])
					told = all - elsewhere
				}
				if told != n[status] {
					t.Errorf("%s as %s: %s tells of %d rules, %d came out so: %q", name, format, section, told, n[status], found)
				}
			}
			text = strings.Join(strings.Fields(text), " ") // a sentence may be wrapped
			if said := number(text, `deviations from (\d+) rules? are waived`); said != n["waived"] {
				t.Errorf("%s as %s: deviations from %d rules are waived, %d came out so", name, format, said, n["waived"])
			}
			if said := number(text, `(\d+) rules? came out differently when repeated[;.]`); said != n["unstable"] {
				t.Errorf("%s as %s: %d rules came out differently, %d are unstable", name, format, said, n["unstable"])
			}
		}
	}
}
