package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
)

// recorded judges a good server through a recorder.
func recorded(t *testing.T, args ...string) (*recorder, outcome) {
	t.Helper()
	good := reference(t, nil)
	between := record(good)
	o := judged(t, append(append(serve(t, between), "--second-app-token", secondAppToken), args...)...)
	empty(t, good)
	return between, o
}

// outcomes are the judgements of a report that say something, as "rule at endpoint: status".
func outcomes(report *result.Report) []string {
	all := map[string]struct{}{}
	for _, rule := range report.Rules {
		for _, check := range rule.Checks {
			if check.Status != result.Skipped {
				all[fmt.Sprintf("%s at %s: %s", rule.ID, check.Endpoint, check.Status)] = struct{}{}
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// TestSeedDecidesTheOrder plays the same seed twice, and another one.
func TestSeedDecidesTheOrder(t *testing.T) {
	t.Parallel()
	order := func(seed string) string {
		between, o := recorded(t, "--jobs", "1", "--seed", seed, "--part", "users", "--part", "feed")
		o.wants(t, exitConformant)
		return strings.Join(between.lines, "\n")
	}
	first := order("42")
	if again := order("42"); again != first {
		t.Errorf("the same seed asks in another order: the two part at\n%s", parting(first, again))
	}
	if other := order("43"); other == first {
		t.Error("another seed asks in the same order")
	}
}

// parting is where two texts stop being the same.
func parting(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return fmt.Sprintf("request %d: %s, and %s", i+1, as[i], bs[i])
		}
	}
	return fmt.Sprintf("the end: %d and %d requests", len(as), len(bs))
}

// TestReportedSeedRepeatsARun takes the seed that a run picked by itself.
func TestReportedSeedRepeatsARun(t *testing.T) {
	t.Parallel()
	picked, o := recorded(t, "--jobs", "1", "--part", "users")
	again, _ := recorded(t, "--jobs", "1", "--part", "users", "--seed", fmt.Sprint(o.report.Seed))
	if !slices.Equal(picked.lines, again.lines) {
		t.Errorf("one job under the reported seed %d asks otherwise than in the run that reported it: the two part at\n%s", o.report.Seed,
			parting(strings.Join(picked.lines, "\n"), strings.Join(again.lines, "\n")))
	}
}

// TestSameVerdictHoweverPlayed spreads the scenarios in different ways.
func TestSameVerdictHoweverPlayed(t *testing.T) {
	t.Parallel()
	_, whole := recorded(t, "--jobs", "1", "--seed", "1")
	whole.wants(t, exitConformant)
	want := outcomes(whole.report)
	compare := func(t *testing.T, got []string) {
		t.Helper()
		for _, line := range want {
			if !slices.Contains(got, line) {
				t.Errorf("missing: %s", line)
			}
		}
		for _, line := range got {
			if !slices.Contains(want, line) {
				t.Errorf("only here: %s", line)
			}
		}
	}
	for _, jobs := range []string{"3", "8"} {
		t.Run(jobs+" jobs", func(t *testing.T) {
			t.Parallel()
			_, o := recorded(t, "--jobs", jobs, "--seed", "1"+jobs)
			o.wants(t, exitConformant)
			compare(t, outcomes(o.report))
		})
	}
	t.Run("3 machines", func(t *testing.T) {
		t.Parallel()
		var all []string
		for _, shard := range []string{"1/3", "2/3", "3/3"} {
			_, o := recorded(t, "--shard", shard, "--rate", "3000") // each has a third of the rate
			o.wants(t, exitConformant)
			all = append(all, outcomes(o.report)...)
		}
		compare(t, all)
	})
	t.Run("more machines than scenarios", func(t *testing.T) {
		t.Parallel()
		_, o := recorded(t, "--shard", "999/1000", "--rule", "feed.purge.*", "--rate", "900000") // each has a thousandth of the rate
		o.wants(t, exitConformant)
	})
}
