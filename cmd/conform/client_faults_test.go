package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
)

// assertions are those of the checking client, each with a fault that it alone notices.
func assertions() map[string]string {
	return map[string]string{
		"enabled": "users-create-with-login-not-enabled",
		"order":   "feed-oldest-first",
		"search":  "search-folds-users-alone",
		"purge":   "feed-purge-forgets-followers",
		"logout":  "sessions-logout-keeps-session",
	}
}

// judgedTests sees what the tests with these assertions notice.
func judgedTests(t *testing.T, asserted []string, flags ...string) outcome {
	t.Helper()
	return judgedClient(t, flags, []string{clientVariable + "=" + checkingClient + strings.Join(asserted, ",")}, os.Args[0])
}

// unseen are the faults that the tests did not notice.
func (o outcome) unseen() (faults []string) {
	for _, check := range o.report.EachCheck() {
		if check.FoundBroken() {
			faults = append(faults, check.Scenario)
		}
	}
	slices.Sort(faults)
	return faults
}

// The tests lose one assertion after the other: each time one more breach is unseen, the one that the
// assertion was about.
func TestEachAssertionThatIsRemovedIsMissed(t *testing.T) {
	t.Parallel()
	var kept, all []string
	for name, fault := range assertions() {
		kept, all = append(kept, name), append(all, fault)
	}
	slices.Sort(kept)
	flag := "--faults=" + strings.Join(all, ",")
	var want []string
	for {
		o := judgedTests(t, kept, flag)
		o.wants(t, exitConformant)
		b := o.report.Client.Breaches
		if b == nil || b.Met != len(all) || b.Noticed != len(kept) || !slices.Equal(o.unseen(), want) {
			t.Errorf("asserting %v: %+v, unseen %v, want %v\n%s", kept, b, o.unseen(), want, o.stderr)
		}
		if len(kept) == 0 {
			return
		}
		want = append(want, assertions()[kept[0]])
		slices.Sort(want)
		kept = kept[1:]
	}
}

// What is unseen is shown by the exchange in which it stood before the client's eyes, beside the
// sound one, with what a test would assert.
func TestUnseenBreachesAreShown(t *testing.T) {
	t.Parallel()
	o := judgedTests(t, []string{"feed"}, "--faults=feed-oldest-first")
	for rule, check := range o.report.EachCheck() {
		if rule.ID != "feed.order" {
			t.Errorf("%s is blamed", rule.ID)
		}
		if check.Endpoint != "GET /0.2/user/feed" || check.Expected != "the order of $ is 700000003, 700000002, 700000001" || len(check.Exchanges) != 2 || check.DecisiveIndex() != 1 {
			t.Errorf("%+v", check)
		}
	}
	if !strings.Contains(o.stdout, "NOTICED 0 OF 1") || !strings.Contains(o.stdout, "unseen: feed.order") {
		t.Error(o.stdout)
	}
}

// Where there was no time to try a breach, there is no verdict, whatever the score that is wanted.
func TestNoTimeForABreachIsNoVerdict(t *testing.T) {
	t.Parallel()
	o := judgedTests(t, []string{"feed"}, "--faults=feed-oldest-first", "--min-score", "80", "--budget", "1ns")
	o.wants(t, exitNoVerdict)
	if o.report.EndedBy != "the --budget was over before a breach was tried" {
		t.Errorf("it ended by %q", o.report.EndedBy)
	}
}

// A breach that changes no answer to the tests is none that they could have noticed.
func TestBreachesOutOfReachDoNotCount(t *testing.T) {
	t.Parallel()
	o := judgedTests(t, nil, "--faults=connections-friends-of-user-ids-rounded,search-folds-users-alone,social-answers-200")
	if b := o.report.Client.Breaches; b.Met != 1 || !slices.Equal(o.unseen(), []string{"search-folds-users-alone"}) {
		t.Errorf("%+v, unseen %v", b, o.unseen())
	}
}

func TestTheScoreGates(t *testing.T) {
	t.Parallel()
	flag := "--faults=feed-oldest-first,search-folds-users-alone"
	judgedTests(t, []string{"order"}, flag, "--min-score", "50").wants(t, exitConformant)
	o := judgedTests(t, []string{"order"}, flag, "--min-score", "51")
	o.wants(t, exitNonConformant)
	if !strings.Contains(o.stdout, "51% are wanted") {
		t.Error(o.stdout)
	}
}

// With an earlier report, only what was unseen there is played again.
func TestNoticedBreachesAreNotPlayedAgain(t *testing.T) {
	t.Parallel()
	flag := "--faults=feed-oldest-first,search-folds-users-alone"
	o := judgedTests(t, []string{"order"}, flag)
	earlier := filepath.Join(t.TempDir(), "earlier.json")
	if err := os.WriteFile(earlier, []byte(o.written), 0o600); err != nil {
		t.Fatal(err)
	}
	o = judgedTests(t, []string{"search"}, flag, "--baseline", earlier)
	played := slices.ContainsFunc(o.report.Client.Runs, func(run result.ClientRun) bool { return run.Surrounding == "feed-oldest-first" })
	if b := o.report.Client.Breaches; played || b.Met != 2 || b.Noticed != 2 || b.Earlier != 1 {
		t.Errorf("played %v, %+v", played, b)
	}
}

func TestUsageOfFaults(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"no such fault": {"--faults=feed-oldest"}, "dialects": {"--faults", "--dialects", "none"}, "no faults": {"--min-score", "3"},
		"above": {"--faults", "--min-score", "101"}, "no time": {"--faults", "--budget", "0s"}, "of the connection": {"--faults=transport-plain-http-served"},
	} {
		o := conform(t, append(append([]string{"client"}, args...), "--", "true")...)
		if o.code != exitUsage {
			t.Errorf("%s: exit %d: %s", name, o.code, o.stderr)
		}
		o.fewLines(t, 2)
	}
}
