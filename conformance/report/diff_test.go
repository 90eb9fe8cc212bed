package report

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/report/screen"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// turned is what became different between two reports: one of each kind.
func turned() *result.Diff {
	old := newReport(result.Conformant, []result.Rule{
		newRule("users.me.get", rules.Must, newCheck(rules.GetMe, result.Pass)),
		newRule("feed.status", rules.Must, newCheck(rules.Feed, result.Pass)),
		newRule("feed.order", rules.Should, broken(rules.Feed, result.Warn, "newest first", 200, "[]")),
		newRule("search.exact", rules.Must, newCheck(rules.SearchUsers, result.Skipped)),
		newRule("search.self", rules.Choice, newCheck(rules.SearchUsers, result.Observed)),
	})
	old.Rules[4].Checks[0].Message = "included"
	blocked := newCheck(rules.Feed, result.Blocked)
	blocked.Message = "logging in did not work"
	now := newReport(result.NonConformant, []result.Rule{
		newRule("users.me.get", rules.Must, broken(rules.GetMe, result.Fail, "200 OK", 404, "gone \x1b[2J`@all`")),
		newRule("feed.status", rules.Must, blocked),
		newRule("feed.order", rules.Should, newCheck(rules.Feed, result.Pass)),
		newRule("search.exact", rules.Must, newCheck(rules.SearchUsers, result.Pass)),
		newRule("search.self", rules.Choice, newCheck(rules.SearchUsers, result.Observed)),
	})
	now.Rules[4].Checks[0].Message = "left out"
	now.Tool.Version, now.Target.BaseURL = "1.3.0", "https://other.example"
	d := result.Compare(old, now)
	at := rules.CreateUser.String()
	d.Traffic = &result.Traffic{
		Outcomes: []result.OutcomeChange{{Endpoint: at, Request: "Accept: application/json; body {user_name:text}", Old: "201", New: "422"}},
		Fields:   []result.FieldChange{{Endpoint: at, Field: "$.nick\x1b[2J`@all`", Added: true}, {Endpoint: at, Field: "$.image"}},
		Slower:   []result.Slowdown{{Endpoint: at, OldMS: 12.4, NewMS: 310}},
	}
	d.Upgrade = &result.Upgrade{Answers: 116, Notes: []string{"the new version refuses \x1b[2J`@all`"}, Changes: []result.UpgradeChange{
		{Rule: "restarts.order", Endpoint: rules.Feed.String(), What: "$[]", Old: `{"id":7}`, New: "nothing", Times: 3},
		{Rule: "restarts.ids", What: "with what was there", Old: "a new id", New: "user 9 gets the id of user 8 \x1b[2J`@all`", Times: 1},
		{Endpoint: at, What: "$.nick", Old: "nothing", New: `"a"`, Times: 1, Allowed: true},
	}}
	return d
}

func compared(t *testing.T, format string, d *result.Diff) string {
	t.Helper()
	var b bytes.Buffer
	if err := Diff(&b, format, d, screen.Layout{}); err != nil {
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

// A rule that changed at several endpoints is told once, with the endpoints of each different change.
func TestMarkdownDiffGroupsByRule(t *testing.T) {
	report := func(v result.Verdict, status result.Status, messages ...string) *result.Report {
		rule := newRule("connections.lists.of-user", rules.Must)
		for i, at := range []rules.Endpoint{rules.FollowsOf, rules.FollowersOf, rules.FriendsOf} {
			c := newCheck(at, status)
			if len(messages) > 0 {
				c.Message = messages[i]
			}
			rule.Checks = append(rule.Checks, c)
		}
		return newReport(v, []result.Rule{rule})
	}
	pass := report(result.Conformant, result.Pass)
	for name, tc := range map[string]struct {
		messages []string
		want     string
	}{
		"one change": {[]string{"got 500", "got 500", "got 500"},
			"- `connections.lists.of-user` at `GET /0.2/users/{UserID}/follows`, `GET /0.2/users/{UserID}/followers`, `GET /0.2/users/{UserID}/friends`: pass → fail: `got 500`\n"},
		"two changes": {[]string{"got 500", "got 404", "got 500"},
			"- `connections.lists.of-user`, 3 checks\n  - at `GET /0.2/users/{UserID}/follows`, `GET /0.2/users/{UserID}/friends`: pass → fail: `got 500`\n" +
				"  - at `GET /0.2/users/{UserID}/followers`: pass → fail: `got 404`\n"},
	} {
		d := result.Compare(pass, report(result.NonConformant, result.Fail, tc.messages...))
		if got := compared(t, "markdown", d); !strings.Contains(got, tc.want) || strings.Count(got, "connections.lists.of-user") != 1 {
			t.Errorf("%s: %s\nwant %s", name, got, tc.want)
		}
	}
}

// Where nothing but a waiver came, the verdicts differ all the same.
func TestDiffOfVerdictsAlone(t *testing.T) {
	waived := failing()
	waived.Verdict = result.Conformant
	for _, format := range []string{"text", "markdown"} {
		got := strings.Join(strings.Fields(compared(t, format, result.Compare(failing(), waived))), " ")
		if !strings.Contains(got, "The verdicts differ only by what is waived") {
			t.Errorf("%s: %s", format, got)
		}
	}
}

// A server that a run starts is at another port each time, and the same all the same.
func TestChoicesThatChangedOnThisMachine(t *testing.T) {
	of := func(address, message string) *result.Report {
		check := newCheck(rules.SearchUsers, result.Observed)
		check.Message = message
		r := newReport(result.Conformant, []result.Rule{newRule("search.self", rules.Choice, check)})
		r.Target.BaseURL = address
		return r
	}
	for address, told := range map[string]bool{"http://127.0.0.1:4711": true, "https://[::1]:4711": true, "https://localhost": true, "https://other.example": false, "http://127.0.0.1.example:80": false} {
		v := view.New(of("http://127.0.0.1:4712", "left out"), view.Options{Last: of(address, "included")})
		if len(v.Drift) > 0 != told {
			t.Errorf("after %s: %v", address, v.Drift)
		}
	}
}

// What gates is told apart from what does not.
func TestDiffTellsWhatGates(t *testing.T) {
	d := result.Compare(passing(), passing())
	change := func(rule string, s result.Status) result.Change {
		return result.Change{Rule: rule, Level: rules.Must, Old: result.Pass, New: s}
	}
	d.Broken = []result.Change{change("users.warned", result.Warn), change("users.failed", result.Fail), change("users.waived", result.Fail)}
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
	same := result.Compare(failing(), failing())
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
	if err := Diff(&b, "svg", turned(), screen.Layout{}); err == nil || b.Len() > 0 {
		t.Errorf("%v, and %q is written", err, b.String())
	}
	for _, format := range DiffFormats() {
		if err := Diff(&full{10}, format, turned(), screen.Layout{}); err == nil || !strings.Contains(err.Error(), "no space left") {
			t.Errorf("%s on a full disk: %v", format, err)
		}
	}
}

func TestTextTellsWaiversAndWhatIsUnstable(t *testing.T) {
	waived := broken(rules.GetMe, result.Waived, "200 OK", 404, "{}")
	waived.Waived = &result.Accepted{Status: result.Fail, Reason: "known", Expires: "2026-12-31"}
	shaky := newCheck(rules.Feed, result.Unstable)
	shaky.Message = "pass in 1 of 2 repeats; fail in 1 of 2 repeats"
	shaky.Exchanges = []result.Exchange{newExchange(rules.Feed, 200, "[]"), newExchange(rules.Feed, 503, "{}")}
	r := newReport(result.NonConformant, []result.Rule{
		newRule("users.me.get", rules.Must, waived), newRule("feed.status", rules.Must, shaky)})
	of := func(rule string, state result.WaiverState) result.AppliedWaiver {
		return result.AppliedWaiver{Waiver: result.Waiver{Rule: rule, Reason: "because of " + rule}, State: state, Message: "it is " + string(state)}
	}
	r.Waivers = []result.AppliedWaiver{of("users.me.get", result.WaiverUsed), of("search.exact", result.WaiverStale), of("search.email", result.WaiverUnjudged)}
	r.Repeats, r.Shard = 2, &result.Shard{Index: 2, Of: 8}
	got := strings.Join(strings.Fields(written(t, r, view.Options{Report: "my reports/a.json"})), " ")
	var at []int
	for _, want := range []string{"1 rule came out differently when repeated; deviations from 1 rule are waived; 1 waiver does not hold.",
		"feed.status #21 pass in 1 of 2 repeats", "Unstable: 1 rule", "200 OK []", "503 Service Unavailable {}",
		"conform replay 'my reports/a.json' --rule feed.status", "Waivers: 1 stale, 1 used, 1 unjudged", "✗ STALE search.exact",
		"because of search.exact", "– USED users.me.get", "– UNJUDGED search.email",
		"1 unstable, 1 waived", "in 2 repeats", "shard 2/8 of the scenarios", "NOT CONFORMANT: Nothing failed each time"} {
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

// TestDiffGroupsByRule has one item for a rule that changed in one way at several endpoints.
func TestDiffGroupsByRule(t *testing.T) {
	d := &result.Diff{}
	for _, at := range []string{"GET /0.2/user", "GET /0.2/user/feed", "GET /versions"} {
		d.Mended = append(d.Mended, result.Change{Rule: "errors.no-5xx", Level: "must", Endpoint: at, Old: result.Fail, New: result.Pass, Message: "before: 500"})
	}
	var b strings.Builder
	if err := Diff(&b, "text", d, screen.Layout{}); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); strings.Count(got, "errors.no-5xx") != 1 || !strings.Contains(got, "3 checks: #4 #21 #22") {
		t.Error(got)
	}
}
