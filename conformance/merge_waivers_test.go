package conformance_test

import (
	"slices"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// A shard is held against its own part of the waivers, the merged report against all.
func TestWaiversOfShards(t *testing.T) {
	_, parts := partsOf(t, 3)
	const file = "- {rule: feed.status, reason: known, expires: 2036-01-01}\n- {rule: users.me.get, reason: known, expires: 2036-01-01}\n" +
		"- {rule: feed.empty, status: blocked, reason: known, expires: 2036-01-01}\n- {rule: transport.no-null, reason: known, expires: 2036-01-01}\n"
	unjudged := 0
	for _, r := range parts {
		held(t, r, file, r.StartedAt)
		for _, w := range r.Waivers {
			if w.Rule == "feed.status" && w.State == result.WaiverUnjudged {
				unjudged++
			}
		}
	}
	if unjudged != 2 {
		t.Errorf("%d shards say that they do not judge feed.status", unjudged)
	}
	merged, err := result.Merge(throughJSON(t, parts))
	if err != nil {
		t.Fatal(err)
	}
	states := map[string]result.WaiverState{}
	for _, w := range merged.Waivers {
		states[w.Rule] = w.State
	}
	if states["feed.status"] != result.WaiverUsed || states["users.me.get"] != result.WaiverStale || states["feed.empty"] != result.WaiverUsed || states["transport.no-null"] != result.WaiverUsed {
		t.Errorf("%+v", merged.Waivers)
	}
	if merged.Verdict != result.NonConformant { // for the waiver of what passes
		t.Errorf("the verdict is %s", merged.Verdict)
	}
}

// What one shard waives is still the worst that happened.
func TestWaivedInOneShardAndWarnedInAnother(t *testing.T) {
	_, parts := partsOf(t, 2)
	mild := result.Check{Endpoint: rules.Feed.String(), Status: result.Warn, Message: "mild", Seen: 1, Broken: 1}
	for _, r := range parts {
		for i := range r.Rules {
			if rule := &r.Rules[i]; rule.ID == "transport.no-null" && !slices.ContainsFunc(rule.Checks, func(c result.Check) bool { return c.Broken > 0 }) {
				rule.Checks = append(rule.Checks, mild)
			}
		}
		held(t, r, "- {rule: transport.no-null, status: fail, reason: known, expires: 2036-01-01}\n", r.StartedAt)
	}
	merged, err := result.Merge(throughJSON(t, parts))
	if err != nil {
		t.Fatal(err)
	}
	if rule := ruleOf(t, merged, "transport.no-null"); rule.Status != result.Waived {
		t.Errorf("it is %s: %+v", rule.Status, merged.Waivers)
	}
}
