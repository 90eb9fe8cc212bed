package report

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/report/screen"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
)

// recorded is the report of a real run, kept for the goldens and the documentation: conform
// --seed 7 judged the reference server as it is (green); with the faults
// sessions-logout-keeps-session, events-metadata-keys-in-lower-case and
// feed-purge-forgets-followers (three-failures); and behind a proxy that answers 404 with {} to
// all but #1, #2 and #4 (half-built). Then addresses and version were made those of the documentation.
func recorded(t *testing.T, name string) *result.Report {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "..", "testdata", "reports", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := ReadJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// lines is how many lines of so many columns the report takes.
func lines(t *testing.T, r *result.Report, width int) int {
	return strings.Count(written(t, r, view.Options{Report: "conform.json"}, screen.Layout{Width: width}), "\n")
}

// A server of which most is missing is told on two screens, and one that is green
// on less than one.
func TestRecordedReportsFitTheScreen(t *testing.T) {
	for name, most := range map[string]int{"half-built": 2 * 45, "three-failures": 2 * 46, "green": 24} {
		if n := lines(t, recorded(t, name), 100); n > most {
			t.Errorf("%s: %d lines, want at most %d", name, n, most)
		}
	}
}

// The documentation shows what the recorded reports look like now: go test -update
// writes it.
func TestDocumentedReports(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "sample-reports.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?s)<!-- text: ([a-z-]+) -->\n```text\n.*?```\n")
	seen := 0
	now := shown.ReplaceAllStringFunc(string(page), func(block string) string {
		seen++
		name := shown.FindStringSubmatch(block)[1]
		text := written(t, recorded(t, name), view.Options{Report: "conform.json"})
		return "<!-- text: " + name + " -->\n```text\n" + text + "```\n"
	})
	if seen != 3 {
		t.Errorf("%d reports are shown, not 3", seen)
	}
	if now == string(page) {
		return
	}
	if flag.Lookup("update").Value.String() != "true" {
		t.Fatalf("%s shows other reports than are written now (go test -update rewrites it)", path)
	}
	if err := os.WriteFile(path, []byte(now), 0o644); err != nil {
		t.Fatal(err)
	}
}

// What is blocked adds up: by root cause, in the verdict's sentence and in the tables.
func TestRootCausesAddUp(t *testing.T) {
	for _, name := range []string{"half-built", "three-failures", "green"} {
		v := view.New(recorded(t, name), view.Options{})
		s := v.Section("blocked")
		if s == nil {
			continue
		}
		sum := 0
		blocked := map[string]bool{}
		for _, rule := range s.Rules {
			blocked[rule.ID] = true
		}
		for _, g := range s.Groups {
			sum += len(g.Rules)
			if blocked[g.Reason] {
				t.Errorf("%s: %s is a root cause, and blocked itself", name, g.Reason)
			}
		}
		said := number(v.Verdict.Sentence, `(\d+) rules could not be judged`)
		table := v.Tallies[len(v.Tallies)-1].N[result.Blocked]
		if sum != table || sum != said || sum != len(s.Rules) {
			t.Errorf("%s: %d by cause, %d in the table, %d in the sentence", name, sum, table, said)
		}
	}
}

// Each endpoint that is not there is told once, the one for which most wait first.
func TestEndpointsThatAreNotThere(t *testing.T) {
	v := view.New(recorded(t, "half-built"), view.Options{})
	s := v.Section(view.NotImplemented)
	if s == nil || len(s.Groups) != 17 || s.Groups[0].Reason != "#18 POST /0.2/user/events" || s.Groups[0].Frees < s.Groups[1].Frees {
		t.Fatalf("not implemented: %+v", s)
	}
	for _, name := range []string{"three-failures", "green"} {
		if s := view.New(recorded(t, name), view.Options{}).Section(view.NotImplemented); s != nil {
			t.Errorf("%s: %s", name, s.Heading())
		}
	}
}

// A story names who did what, to whom, and which request decided.
func TestStoryOfAPurge(t *testing.T) {
	v, page := view.New(recorded(t, "three-failures"), view.Options{}), writtenAs(t, "html", recorded(t, "three-failures"))
	for _, rule := range v.Section("failures").Rules {
		if rule.ID != "feed.purge.followers" {
			continue
		}
		s := view.StoryOf(rule.Violations[0].Check)
		if s == nil || len(s.Actors) < 3 || !strings.Contains(page, "The story, a line for each user") {
			t.Fatalf("the story is %+v", s)
		}
		told := map[string]bool{}
		for _, step := range s.Steps {
			told[regexp.MustCompile(`\d+`).ReplaceAllString(step.What, "N")] = true
		}
		for _, want := range []string{"signs up", "follows user N", "posts event N", "deletes itself", "reads its feed"} {
			if !told[want] {
				t.Errorf("nobody %s: %v", want, told)
			}
		}
		if last := s.Steps[len(s.Steps)-1]; !last.Decides || last.What != "reads its feed" {
			t.Errorf("the last step is %+v", last)
		}
		return
	}
	t.Error("no purge failed")
}

// What differs is marked, and nothing where all of it does.
func TestDifferences(t *testing.T) {
	show := func(spans []view.Span) string {
		var b strings.Builder
		for _, s := range spans {
			if s.Differs {
				s.Text = "[" + s.Text + "]"
			}
			b.WriteString(s.Text)
		}
		return b.String()
	}
	for _, c := range []struct{ expected, got, left, right string }{
		{`metadata {"Seat":"007","a":"b"}`, `metadata {"a":"b","seat":"007"}`, `metadata {["Seat":"007",]"a":"b"}`, `metadata {"a":"b"[,"seat":"007"]}`},
		{"204 No Content", "404 with {}", "204 No Content", "404 with {}"},
		{"a list of 3, 2, 1", "a list of 3, 1, 2", "a list of 3, [2], [1]", "a list of 3, [1], [2]"},
		{"x\n{\n  \"a\": 1,\n  \"b\": 2\n}", "x\n{\n  \"a\": 1\n}", "x\n{\n  \"a\": 1,\n  [\"b\": 2]\n}", "x\n{\n  \"a\": 1\n}"},
		{"", "", "", ""},
		{strings.Repeat("a ", 5000), "b", strings.Repeat("a ", 5000), "b"},
	} {
		left, right := view.Differences(c.expected, c.got)
		if show(left) != c.left || show(right) != c.right {
			t.Errorf("%.60q and %.60q: %.80q and %.80q", c.expected, c.got, show(left), show(right))
		}
	}
}

// section is the one with the id, nil where no rule is in it.
