package proof_test

import (
	"cmp"
	"os"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/refserver"
	"golang.org/x/sync/errgroup"
)

// TestNoDialectIsBlamedAtLength draws stories for servers of each dialect and of each two that
// compose. Each commit takes one in DEEP_SHARES of them, those whose turn PROOF_TURN says, for
// DEEP_VALID, a duration, each, DEEP_AT_ONCE at once.
func TestNoDialectIsBlamedAtLength(t *testing.T) {
	t.Parallel()
	deep, err := time.ParseDuration(cmp.Or(os.Getenv("DEEP_VALID"), "10s"))
	must(t, err)
	atOnce := fromEnvironment(t, "DEEP_AT_ONCE", 3)
	shares, turn := fromEnvironment(t, "DEEP_SHARES", 60), fromEnvironment(t, "PROOF_TURN", 0)
	judges := startJudges(t, atOnce)
	var group errgroup.Group
	judged := 0
	for i, dialect := range composed() {
		if i%shares != turn%shares {
			continue
		}
		judged++
		group.Go(func() error {
			report, err := judges.judged(order{Dialect: dialect, Deep: deep, Seed: int64(turn + i + 1)})
			if err != nil {
				return err
			}
			if report.Verdict != result.Conformant {
				t.Errorf("dialect %s: the verdict is %s", dialect, report.Verdict)
			}
			for _, rule := range report.Rules {
				switch rule.Status {
				case result.Fail, result.Warn, result.Blocked, result.Error, result.Unstable:
					t.Errorf("dialect %s: %s is %s: %s", dialect, rule.ID, rule.Status, messages(rule))
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d dialects and pairs of them, %s each: none may be blamed", judged, deep)
}

// composed are the names of the dialects, and of each two that compose to choices that the
// server takes.
func composed() []string {
	var names []string
	all := refserver.Dialects()
	for i, one := range all {
		names = append(names, one.Name)
		for _, other := range all[i+1:] {
			both := one.Name + "+" + other.Name
			choices, err := refserver.Compose(both)
			if err != nil {
				continue
			}
			if _, err := refserver.New(refserver.Options{AppTokens: []string{"token"}, Choices: choices}); err == nil {
				names = append(names, both)
			}
		}
	}
	return names
}
