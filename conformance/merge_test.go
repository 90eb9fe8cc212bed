package conformance_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	. "github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// severalStories are scenarios that judge, break, block and choose.
func severalStories(s *Suite) {
	s.Scenario("a user reads itself", Covers("users.me.get"), readsItself)
	s.Scenario("a user reads itself twice", Covers("users.me.get"), readsItself)
	s.Scenario("the feed works", Covers("feed.status", "feed.empty"), func(t *T) {
		a := t.Actor()
		t.Judge("feed.status", func(c *Check) { c.Status(t.Send(a, rules.Feed), OneOf(200)) })
		t.Judge("feed.empty", func(*Check) { t.Blocked("feed.status", "the feed does not work") })
	})
	s.Scenario("an event is created", Covers("events.create.status"), func(t *T) {
		a := t.Actor()
		t.Judge("events.create.status", func(c *Check) { c.Status(t.Send(a, rules.CreateEvent, JSON(Fields{"verb": "like"})), OneOf(201)) })
	})
	s.Scenario("a search for nobody", Covers("search.no-match-empty", "search.self"), func(t *T) {
		t.Judge("search.no-match-empty", func(c *Check) { c.Warn("this", "that") })
		t.Judge("search.self", func(c *Check) { c.Observe("left out") })
	})
}

// partsOf judges the same target as a whole and in shards.
func partsOf(t *testing.T, of int) (whole *result.Report, parts []*result.Report) {
	t.Helper()
	f := newFake(t)
	f.instead = func(w http.ResponseWriter, r *http.Request) bool {
		broken := r.URL.Path == "/0.2/user/feed"
		if broken {
			answer(w, 400, map[string]any{"nothing": nil}) // which no passive rule may miss
		}
		return broken
	}
	config := f.config("users.me.get", "feed.status", "feed.empty", "events.create.status", "search.no-match-empty", "search.self",
		"transport.no-null", "transport.utf8", "*.id-type", "limits.rate.get")
	whole = judged(t, config, severalStories)
	for i := range of {
		config.Shard = Shard{Index: i + 1, Of: of}
		parts = append(parts, judged(t, config, severalStories))
	}
	return whole, parts
}

// told are a report's checks, a line each.
func told(r *result.Report) []string {
	var lines []string
	for _, rule := range r.Rules {
		lines = append(lines, fmt.Sprintf("%s: %s %s", rule.ID, rule.Status, rule.Message))
		for _, c := range rule.Checks {
			message, _, _ := strings.Cut(c.Message, " (") // how often a passive rule is broken
			lines = append(lines, fmt.Sprintf("%s at %q: %s %q %q %q, %d exchanges", rule.ID, c.Endpoint, c.Status, c.Scenario, message, c.BlockedBy, len(c.Exchanges)))
		}
	}
	return lines
}

func TestMergedShardsEqualTheWhole(t *testing.T) {
	for _, of := range []int{1, 2, 3, 8} {
		t.Run(fmt.Sprint(of), func(t *testing.T) {
			whole, parts := partsOf(t, of)
			slices.Reverse(parts)
			merged, err := result.Merge(throughJSON(t, parts))
			if err != nil {
				t.Fatal(err)
			}
			if got, want := told(merged), told(whole); !slices.Equal(got, want) {
				for i := range max(len(got), len(want)) {
					if i >= len(got) || i >= len(want) || got[i] != want[i] {
						t.Fatalf("merged and whole part at\n%q\n%q", got[i:min(i+2, len(got))], want[i:min(i+2, len(want))])
					}
				}
			}
			for name, both := range map[string][2]any{
				"verdict": {merged.Verdict, whole.Verdict}, "endpoints": {merged.Endpoints, whole.Endpoints},
				"choices": {merged.Choices, whole.Choices}, "rules": {merged.Summary.Rules, whole.Summary.Rules},
				"checks": {merged.Summary.Checks, whole.Summary.Checks}, "target": {merged.Target, whole.Target}, "seed": {merged.Seed, whole.Seed},
			} {
				if !reflect.DeepEqual(both[0], both[1]) {
					t.Errorf("%s: %v and %v", name, both[0], both[1])
				}
			}
			for _, c := range ruleOf(t, merged, "transport.no-null").Checks {
				if strings.Count(c.Message, " responses)") > 1 || c.Broken > 0 && strings.Count(c.Actual, " responses)") != 1 {
					t.Errorf("how often it is broken is not told once: %s", c.Message)
				}
			}
			if merged.Shard != nil || merged.Missing != "" || len(merged.Notes) > 0 || merged.StartedAt.IsZero() {
				t.Errorf("shard %v, missing %q, notes %q, started %s", merged.Shard, merged.Missing, merged.Notes, merged.StartedAt)
			}
		})
	}
}

// throughJSON is what is left of reports that were written and read again.
func throughJSON(t *testing.T, reports []*result.Report) []*result.Report {
	t.Helper()
	var read []*result.Report
	for _, r := range reports {
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		back := new(result.Report)
		if err := json.Unmarshal(data, back); err != nil {
			t.Fatal(err)
		}
		read = append(read, back)
	}
	return read
}

func TestMissingShardIsNoticed(t *testing.T) {
	_, parts := partsOf(t, 3)
	for missing := range parts {
		merged, err := result.Merge(slices.Delete(slices.Clone(parts), missing, missing+1))
		if err != nil {
			t.Fatal(err)
		}
		if merged.Verdict == result.Conformant || merged.Summary.Rules[result.Error] == 0 {
			t.Errorf("without shard %d the verdict is %s, with %d errors", missing+1, merged.Verdict, merged.Summary.Rules[result.Error])
		}
		want := fmt.Sprintf("not judged: shard %d/3 is missing", missing+1)
		rule := ruleOf(t, merged, "transport.utf8")
		if rule.Status != result.Error || rule.Checks[0].Message != want {
			t.Errorf("a passive rule is %s: %s", rule.Status, rule.Checks[0].Message)
		}
	}
	only, err := result.Merge(parts[:1])
	if err != nil || only.Missing != "shards 2/3, 3/3 are missing" {
		t.Errorf("%q, %v", only.Missing, err)
	}
}

// Nothing that a missing shard alone judged: the verdict must not be green.
func TestMissingShardIsNeverGreen(t *testing.T) {
	f := newFake(t)
	config := f.config("users.me.get")
	config.Shard = Shard{Index: 1, Of: 2}
	part := judged(t, config, severalStories)
	if part.Verdict != result.Conformant {
		t.Fatalf("the shard by itself is %s", part.Verdict)
	}
	if merged, err := result.Merge([]*result.Report{part}); err != nil || merged.Verdict != result.Incomplete {
		t.Errorf("%s, %v", merged.Verdict, err)
	}
}

func TestReportsThatAreNoPartsOfARun(t *testing.T) {
	whole, parts := partsOf(t, 2)
	for name, wrong := range map[string]struct {
		change func(*result.Report)
		says   string
	}{
		"target":    {func(r *result.Report) { r.Target.BaseURL = "https://elsewhere" }, "differ in the target"},
		"version":   {func(r *result.Report) { r.Tool.Version = "9.9" }, "differ in the version of the judge: dev and 9.9"},
		"seed":      {func(r *result.Report) { r.Seed = 77 }, "differ in the seed"},
		"selection": {func(r *result.Report) { r.Shard.Selection.Rules = nil }, "differ in the selection"},
		"needs":     {func(r *result.Report) { r.Rules[0].Message = "needs --second-app-token" }, "differ in the selection"},
		"gate":      {func(r *result.Report) { r.FailOn = rules.Should }, "differ in the gate: must and should"},
		"repeats":   {func(r *result.Report) { r.Repeats = 3 }, "differ in the number of repeats"},
		"waivers": {func(r *result.Report) {
			r.Waivers = []result.AppliedWaiver{{Waiver: result.Waiver{Rule: "feed.order"}}}
		}, "differ in the file of waivers"},
		"of":       {func(r *result.Report) { r.Shard.Of = 3 }, "differ in the number of shards"},
		"the same": {func(r *result.Report) { r.Shard.Index = 1 }, "two reports are of shard 1/2"},
		"beyond":   {func(r *result.Report) { r.Shard.Index = 3 }, "is of no shard"},
		"no shard": {func(r *result.Report) { r.Shard = nil }, "report 2 is of no shard"},
	} {
		both := throughJSON(t, parts)
		wrong.change(both[1])
		if _, err := result.Merge(both); err == nil || !strings.Contains(err.Error(), wrong.says) {
			t.Errorf("another %s: %v", name, err)
		}
	}
	if _, err := result.Merge([]*result.Report{whole}); err == nil {
		t.Error("a whole run is merged")
	}
	if _, err := result.Merge(nil); err == nil {
		t.Error("nothing is merged")
	}
	foreign := throughJSON(t, parts)
	foreign[0].Rules[0].ID = "transport.of-tomorrow"
	if _, err := result.Merge(foreign); err == nil || !strings.Contains(err.Error(), "there is no rule") {
		t.Errorf("a rule of another catalogue: %v", err)
	}
}

func TestShardsAgreeOnASeed(t *testing.T) {
	f := newFake(t)
	config := f.config("users.me.get")
	config.Seed = 0
	config.Shard = Shard{Index: 2, Of: 5}
	if a, b := judged(t, config, severalStories).Seed, judged(t, config, severalStories).Seed; a != b || a == 0 {
		t.Errorf("two shards pick the seeds %d and %d", a, b)
	}
}

func TestMergedTimeSpansAllShards(t *testing.T) {
	_, parts := partsOf(t, 2)
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	parts[0].StartedAt, parts[0].DurationMS = start.Add(time.Second), 4000
	parts[1].StartedAt, parts[1].DurationMS = start, 2000
	if merged, err := result.Merge(parts); err != nil || !merged.StartedAt.Equal(start) || merged.DurationMS != 5000 {
		t.Errorf("%s for %d ms, %v", merged.StartedAt, merged.DurationMS, err)
	}
}
