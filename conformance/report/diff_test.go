package report

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance"
)

// turned is what became different between two reports: one of each kind.
func turned() *conformance.Diff {
	old := newReport(conformance.Conformant, []conformance.RuleReport{
		newRule("users.me.get", conformance.Must, newCheck(conformance.GetMe, conformance.Pass)),
		newRule("feed.status", conformance.Must, newCheck(conformance.Feed, conformance.Pass)),
		newRule("feed.order", conformance.Should, broken(conformance.Feed, conformance.Warn, "newest first", 200, "[]")),
		newRule("search.exact", conformance.Must, newCheck(conformance.SearchUsers, conformance.Skipped)),
		newRule("search.self", conformance.Choice, newCheck(conformance.SearchUsers, conformance.Observed)),
	})
	old.Rules[4].Checks[0].Message = "included"
	blocked := newCheck(conformance.Feed, conformance.Blocked)
	blocked.Message = "logging in did not work"
	now := newReport(conformance.NonConformant, []conformance.RuleReport{
		newRule("users.me.get", conformance.Must, broken(conformance.GetMe, conformance.Fail, "200 OK", 404, "gone \x1b[2J`@all`")),
		newRule("feed.status", conformance.Must, blocked),
		newRule("feed.order", conformance.Should, newCheck(conformance.Feed, conformance.Pass)),
		newRule("search.exact", conformance.Must, newCheck(conformance.SearchUsers, conformance.Pass)),
		newRule("search.self", conformance.Choice, newCheck(conformance.SearchUsers, conformance.Observed)),
	})
	now.Rules[4].Checks[0].Message = "left out"
	now.Tool.Version, now.Target.BaseURL = "1.3.0", "https://other.example"
	return conformance.Compare(old, now)
}

func compared(t *testing.T, format string, d *conformance.Diff) string {
	t.Helper()
	var b bytes.Buffer
	if err := Diff(&b, format, d, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestDiffGolden(t *testing.T) {
	for format, file := range map[string]string{"text": "diff.txt", "markdown": "diff.md", "json": "diff.json"} {
		got := compared(t, format, turned())
		golden(t, file, got)
		if strings.Contains(got, "\x1b") {
			t.Errorf("%s: what the target sent reaches the page", format)
		}
	}
}

// What gates is told apart from what does not.
func TestDiffTellsWhatGates(t *testing.T) {
	d := conformance.Compare(passing(), passing())
	change := func(rule string, s conformance.Status) conformance.Change {
		return conformance.Change{Rule: rule, Level: conformance.Must, Old: conformance.Pass, New: s}
	}
	d.Broken = []conformance.Change{change("users.warned", conformance.Warn), change("users.failed", conformance.Fail), change("users.waived", conformance.Fail)}
	d.Broken[1].Gates, d.Broken[2].Waived = true, true
	for _, format := range []string{"text", "markdown"} {
		got := compared(t, format, d)
		order := []int{strings.Index(got, "Newly broken: 1"), strings.Index(got, "users.failed"),
			strings.Index(got, "Newly broken, though only warned about or waived: 2"), strings.Index(got, "users.warned"), strings.Index(got, "users.waived")}
		if order[0] < 0 || !slices.IsSorted(order) {
			t.Errorf("%s: told in another order: %v\n%s", format, order, got)
		}
	}
}

func TestDiffThatIsEmptySaysSo(t *testing.T) {
	same := conformance.Compare(failing(), failing())
	for _, format := range []string{"text", "markdown"} {
		if got := compared(t, format, same); !strings.Contains(got, "Nothing became different") {
			t.Errorf("%s: %s", format, got)
		}
	}
	var read map[string]any
	if err := json.Unmarshal([]byte(compared(t, "json", same)), &read); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"newly_broken", "mended", "newly_judged", "no_longer_judged", "changed_choices"} {
		if list, ok := read[kind].([]any); !ok || len(list) > 0 {
			t.Errorf("%s is %v", kind, read[kind])
		}
	}
}

func TestDiffOfAnUnknownFormat(t *testing.T) {
	var b bytes.Buffer
	if err := Diff(&b, "svg", turned(), TextOptions{}); err == nil || b.Len() > 0 {
		t.Errorf("%v, and %q is written", err, b.String())
	}
	for _, format := range DiffFormats() {
		if err := Diff(&full{10}, format, turned(), TextOptions{}); err == nil || !strings.Contains(err.Error(), "no space left") {
			t.Errorf("%s on a full disk: %v", format, err)
		}
	}
}

func TestTextTellsWaiversAndWhatIsUnstable(t *testing.T) {
	waived := broken(conformance.GetMe, conformance.Waived, "200 OK", 404, "{}")
	waived.Waived = &conformance.Accepted{Status: conformance.Fail, Reason: "known", Expires: "2026-12-31"}
	shaky := newCheck(conformance.Feed, conformance.Unstable)
	shaky.Message = "pass in 1 of 2 repeats; fail in 1 of 2 repeats"
	shaky.Exchanges = []conformance.Exchange{newExchange(conformance.Feed, 200, "[]"), newExchange(conformance.Feed, 503, "{}")}
	r := newReport(conformance.NonConformant, []conformance.RuleReport{
		newRule("users.me.get", conformance.Must, waived), newRule("feed.status", conformance.Must, shaky)})
	of := func(rule string, state conformance.WaiverState) conformance.WaiverReport {
		return conformance.WaiverReport{Waiver: conformance.Waiver{Rule: rule, Reason: "because of " + rule}, State: state, Message: "it is " + string(state)}
	}
	r.Waivers = []conformance.WaiverReport{of("users.me.get", conformance.WaiverUsed), of("search.exact", conformance.WaiverStale), of("search.email", conformance.WaiverUnjudged)}
	r.Repeats, r.Shard = 2, &conformance.ShardReport{Index: 2, Of: 8}
	got := strings.Join(strings.Fields(written(t, r, TextOptions{Report: "my reports/a.json"})), " ")
	var at []int
	for _, want := range []string{"1 rule came out differently when repeated; deviations from 1 rule are waived; 1 waiver does not hold.",
		"unstable waived", "in 2 repeats", "shard 2/8 of the scenarios", "Unstable: 1 rule", "200 OK []", "503 Service Unavailable {}",
		"conform replay 'my reports/a.json' --rule feed.status", "Waivers: 1 stale, 1 used, 1 unjudged", "✗ STALE search.exact",
		"because of search.exact", "– USED users.me.get", "– UNJUDGED search.email"} {
		i := strings.Index(got, want)
		if i < 0 {
			t.Errorf("%q is not told", want)
		}
		at = append(at, i)
	}
	if !slices.IsSorted(at) {
		t.Errorf("told in another order: %v\n%s", at, got)
	}
}
