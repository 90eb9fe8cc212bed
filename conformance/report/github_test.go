package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/report/pipeline"
	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

func TestGitHubGolden(t *testing.T) {
	for name, r := range fixtures() {
		t.Run(name, func(t *testing.T) { golden(t, name+".github.txt", writtenAs(t, "github", r)) })
	}
}

// Every line is one command, whatever the target said, and there are no more of
// a kind than are shown.
func TestGitHubCommands(t *testing.T) {
	all := everyReport()
	all["many"] = many(500)
	form := regexp.MustCompile(`^::(notice|error|warning) title=(?:[^:,%]|%(?:25|0A|0D|3A|2C))+::(?:[^%]|%(?:25|0A|0D))+$`)
	for name, r := range all {
		got := writtenAs(t, "github", r)
		n := map[string]int{}
		for line := range strings.Lines(got) {
			line = strings.TrimSuffix(line, "\n")
			found := form.FindStringSubmatch(line)
			if found == nil || strings.ContainsAny(line, "\r\x1b") {
				t.Errorf("%s: no command: %q", name, plain.Cut(line, 300))
				continue
			}
			n[found[1]]++
			if len(line) > 1<<14 {
				t.Errorf("%s: a command of %d bytes", name, len(line))
			}
		}
		if n["error"] > pipeline.MaxAnnotations || n["warning"] > pipeline.MaxAnnotations || n["notice"] < 1 || n["notice"] > 2 {
			t.Errorf("%s: %v", name, n)
		}
		if !strings.HasPrefix(got, "::notice title=conform%3A "+view.NewVerdict(r.Verdict).Words+"::") {
			t.Errorf("%s: the verdict is not the first notice", name)
		}
		if (n["error"] == 0) != (r.Verdict == result.Conformant) {
			t.Errorf("%s: %s with %d errors", name, r.Verdict, n["error"])
		}
	}
}

func TestGitHubCountsWhatItLeavesOut(t *testing.T) {
	for n, want := range map[int]string{10: "", 11: "1 more error and 0 more warnings", 500: "490 more errors and 0 more warnings"} {
		got := writtenAs(t, "github", many(n))
		if told := strings.Contains(got, "there is more"); told != (want != "") || !strings.Contains(got, want) {
			t.Errorf("%d failures: %s", n, got[strings.LastIndex(strings.TrimSpace(got), "\n"):])
		}
	}
	warned := failing()
	for i := range 15 {
		warned.Rules = append(warned.Rules, newRule(fmt.Sprint("users.w", i), rules.Must,
			broken(rules.GetMe, result.Warn, "200 OK", 201, "{}")))
	}
	if got := writtenAs(t, "github", warned); !strings.Contains(got, "0 more errors and 6 more warnings") || strings.Count(got, "::warning ") != pipeline.MaxAnnotations {
		t.Errorf("16 warnings:\n%s", got)
	}
}

// The first ten are all that is shown: what fails comes before what only could not
// be judged.
func TestGitHubTellsTheWorstFirst(t *testing.T) {
	r := mixed()
	r.Waivers = accepted().Waivers
	var order []string
	for line := range strings.Lines(writtenAs(t, "github", r)) {
		for _, kind := range []string{"users.only-fail", "waiver of", "users.only-unstable", "could not be judged", "blocked", "users.only-warn"} {
			if _, title, _ := strings.Cut(line, " title="); strings.HasPrefix(title, kind) {
				order = append(order, kind)
			}
		}
	}
	want := []string{"users.only-fail", "waiver of", "waiver of", "waiver of", "users.only-unstable", "could not be judged", "blocked", "users.only-warn"}
	if !slices.Equal(order, want) {
		t.Errorf("the order is %q", order)
	}
}
