package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"golang.org/x/sync/errgroup"
)

const shards = 8

// TestEightShardsAreTheWholeRun plays a run as a whole, and as eight runs whose
// reports are merged, against servers that are good and broken, and sees that
// both come to the same.
func TestEightShardsAreTheWholeRun(t *testing.T) {
	t.Parallel()
	for name, target := range map[string]struct {
		flags  []string
		code   int
		blamed []string
	}{
		"good":             {nil, exitConformant, nil},
		"broken":           {[]string{"--fault", "feed-in-an-object"}, exitNonConformant, []string{"feed.status"}},
		"broken passively": {[]string{"--fault", "users-create-answers-masked-password"}, exitNonConformant, []string{"users.password-hidden"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			baseURL, caFile := startReference(t, target.flags...)
			args := []string{"--base-url", baseURL, "--ca-cert", caFile, "--app-token", appToken, "--second-app-token", secondAppToken,
				"--rate", "30000", "--jobs", "1", "--quiet"}
			whole := judged(t, append(args, "--seed", "1")...)
			whole.wants(t, target.code)
			if got := whole.blamed(); !slices.Equal(got, target.blamed) {
				t.Errorf("blamed: %v, want %v", got, target.blamed)
			}
			parts := playShards(t, args)
			merged := mergedOf(t, parts, target.code)
			alike(t, merged.report, whole.report)
			for i := range parts {
				withoutOne(t, parts, i, whole.report)
			}
		})
	}
}

// playShards plays the shards of a run, two at a time, and returns where their reports are.
func playShards(t *testing.T, args []string) []string {
	t.Helper()
	dir := t.TempDir()
	var paths []string
	var two errgroup.Group
	two.SetLimit(2)
	for i := range shards {
		path := filepath.Join(dir, fmt.Sprintf("shard-%d.json", i+1))
		paths = append(paths, path)
		shard := command(t, append(slices.Clone(args), "--shard", fmt.Sprintf("%d/%d", i+1, shards), "--report", "json="+path)...)
		two.Go(func() error {
			said, err := shard.CombinedOutput()
			if code := shard.ProcessState.ExitCode(); len(said) > 0 || code == exitUsage || code < 0 { // any verdict is fine: a shard has not seen the others
				return fmt.Errorf("shard %d: exit %d: %v: %s", i+1, code, err, said)
			}
			return nil
		})
	}
	if err := two.Wait(); err != nil {
		t.Fatal(err)
	}
	return paths
}

// mergedOf merges reports, sees how that ends, and reads what it wrote.
func mergedOf(t *testing.T, parts []string, code int) outcome {
	t.Helper()
	path := filepath.Join(t.TempDir(), "merged.json")
	o := conform(t, append([]string{"merge", "--quiet", "-o", path}, parts...)...)
	o.read(t, path)
	o.wants(t, code)
	follows(t, reportSchema, o.written)
	return o
}

// alike sees that two reports tell the same, but for what no two runs have in
// common: ids, names, times, and in which scenario a passive rule was broken.
func alike(t *testing.T, merged, whole *result.Report) {
	t.Helper()
	for what, both := range map[string][2]any{
		"verdict": {merged.Verdict, whole.Verdict}, "rules": {merged.Summary.Rules, whole.Summary.Rules},
		"checks": {merged.Summary.Checks, whole.Summary.Checks}, "choices": {merged.Choices, whole.Choices},
		"endpoints": {merged.Endpoints, whole.Endpoints}, "notes": {merged.Notes, whole.Notes}, "seed": {merged.Seed, whole.Seed},
		"target": {merged.Target, whole.Target}, "gate": {merged.FailOn, whole.FailOn}, "missing": {merged.Missing, ""},
		"shard": {merged.Shard == nil, true},
	} {
		got, gotErr := json.Marshal(both[0])
		want, wantErr := json.Marshal(both[1])
		if gotErr != nil || wantErr != nil || string(got) != string(want) {
			t.Errorf("%s: merged %s, whole %s", what, got, want)
		}
	}
	got, want := checksOf(merged), checksOf(whole)
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i].line != want[i].line {
			t.Fatalf("merged and whole part at check %d:\n%s\n%s", i, got[min(i, len(got)-1)].line, want[min(i, len(want)-1)].line)
		}
		if (got[i].Broken > 0) != (want[i].Broken > 0) { // how many responses depends on which users scenarios can share
			t.Errorf("%s: merged it is broken by %d responses, and by %d in the whole", want[i].line, got[i].Broken, want[i].Broken)
		}
	}
}

// told is a check with what can be compared of it in a line.
type told struct {
	line string
	result.Check
}

func checksOf(r *result.Report) []told {
	ofRuns := regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:.]+Z?|\bcf[a-z0-9]{3,}|\d{5,}`)
	counts := regexp.MustCompile(` \(\d+ of \d+ responses\)$`)
	var all []told
	for _, rule := range r.Rules {
		for _, c := range rule.Checks {
			scenario := c.Scenario
			if c.Seen > 0 {
				scenario = ""
			}
			if c.Status == result.Blocked { // whose message quotes what users had in their fields
				c.Message = ""
			}
			message := ofRuns.ReplaceAllString(counts.ReplaceAllString(c.Message, ""), "~")
			all = append(all, told{fmt.Sprintf("%s %s %s at %q: %s in %q: %s (%s)",
				rule.ID, rule.Level, rule.Status, c.Endpoint, c.Status, scenario, message, c.BlockedBy), c})
		}
	}
	return all
}

// withoutOne merges without one shard: whatever the others say, the verdict is
// never good, and what is missing is named.
func withoutOne(t *testing.T, parts []string, missing int, whole *result.Report) {
	t.Helper()
	rest := slices.Delete(slices.Clone(parts), missing, missing+1)
	left := false // whether a failure is left in the other shards
	for _, path := range rest {
		var o outcome
		o.read(t, path)
		left = left || o.report.Verdict == result.NonConformant
	}
	code, verdict := exitNoVerdict, result.Incomplete
	if left {
		code, verdict = exitNonConformant, result.NonConformant
	}
	o := mergedOf(t, rest, code)
	name := fmt.Sprintf("shard %d/%d is missing", missing+1, shards)
	if o.report.Verdict != verdict || o.report.Missing != name || o.report.Summary.Rules[result.Error] == 0 {
		t.Errorf("%s: %s, missing %q, %d rules in error", name, o.report.Verdict, o.report.Missing, o.report.Summary.Rules[result.Error])
	}
	were := checksOf(whole)
	for _, c := range checksOf(o.report) {
		unjudged := c.Status == result.Error && strings.Contains(c.Message, name)
		known := slices.ContainsFunc(were, func(w told) bool {
			return w.Endpoint == c.Endpoint && w.Status == c.Status && (w.Scenario == c.Scenario || c.Seen > 0)
		})
		if !unjudged && !known {
			t.Errorf("%s, and the others tell what the whole does not: %s", name, c.line)
		}
	}
}

// TestShardsDoNotWaitForTheRate plays the shards of a plain run, of which some send more than others: at the
// default rate none waits for a minute to pass.
func TestShardsDoNotWaitForTheRate(t *testing.T) {
	t.Parallel()
	baseURL, caFile := startReference(t)
	for i := range 3 {
		o := judged(t, "--base-url", baseURL, "--ca-cert", caFile, "--app-token", appToken, "--seed", "7", "--shard", fmt.Sprintf("%d/3", i+1))
		o.wants(t, exitConformant)
		if w := o.report.Weather; w != nil && w.WaitedMS > 5_000 {
			t.Errorf("shard %d waited: %+v\n%s", i+1, w, o.stderr)
		}
	}
}
