//go:build unix

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/faults"
)

// faultyTarget serves the reference server with a fault, and without rate limits, since several runs share it.
func faultyTarget(t *testing.T, fault string) []string {
	t.Helper()
	target := serve(t, reference(t, func(o *refserver.Options) {
		o.RateLimit = -1
		if fault != "" {
			found, err := faults.Find(fault)
			if err != nil {
				t.Fatal(err)
			}
			found.Apply(o)
		}
	}))
	return append(target, "--rate", "30000", "--corpus", "")
}

// TestOneFailureComesOutAlikeByEveryWay judges servers with a fault by each of the commands that show
// a failure again: exit code, rule, endpoint and message are those of the whole run, apart from
// numbers. Some faults show by themselves, some on responses, some only among other scenarios or in
// drawn stories.
func TestOneFailureComesOutAlikeByEveryWay(t *testing.T) {
	t.Parallel()
	for fault, alone := range map[string]bool{ // whether the rule's own scenarios show it
		"users-get-answers-prefixed-id":                  true,
		"feed-purge-takes-new-events":                    true,
		"sequence-search-adds-the-latest":                false,
		"sequence-event-of-ended-session-not-changeable": false,
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			target := append(faultyTarget(t, fault), "--seed", "5")
			whole := judged(t, target...)
			whole.wants(t, exitNonConformant)
			want := whole.failures()
			if len(want) == 0 {
				t.Fatal("nothing is broken")
			}
			rule := strings.Fields(want[0])[0]
			path := file(t, []byte(whole.written))
			again := filepath.Join(t.TempDir(), "again.json")
			ways := map[string][]string{
				"last failed, into another file": {"--last-failed=" + path, "--report", "json=" + again},
				"last failed, into its own file": {"--last-failed", "--report", "json=" + path},
				"replay":                         {"replay", file(t, []byte(whole.written)), "--rule", rule, "--report", "json=" + again},
				"next":                           {"next", "--report", "json=" + again},
				"watch":                          {"--watch", file(t, nil), "--report", "json=" + again},
			}
			if alone {
				ways["rule"] = []string{"--rule", rule, "--report", "json=" + again}
			}
			for name, args := range ways {
				o := ended(t, name == "watch", append(args, target...))
				o.read(t, args[len(args)-1][len("json="):max(len("json="), len(args[len(args)-1]))])
				o.wants(t, exitNonConformant)
				got := o.failures()
				if name == "replay" || name == "rule" {
					got = slices.DeleteFunc(got, func(f string) bool { return strings.Fields(f)[0] != rule })
				}
				if !slices.Contains(got, want[0]) || name != "replay" && name != "rule" && !slices.Equal(got, want) {
					t.Errorf("%s: %q, want %q", name, got, want)
				}
			}
		})
	}
}

// ended runs conform to its end, which a person brings about where it watches files.
func ended(t *testing.T, watches bool, args []string) outcome {
	t.Helper()
	if !watches {
		return conform(t, args...)
	}
	cmd, out, diagnostics := begun(t, args...)
	diagnostics.until(t, 0, "watching for changes")
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	return outcome{code: cmd.ProcessState.ExitCode(), stdout: out.text.String(), stderr: diagnostics.text.String()}
}

var anyNumber = regexp.MustCompile(`[0-9]+`)

// failures are the failed checks in words without numbers.
func (o outcome) failures() []string {
	var all []string
	for rule, c := range o.report.EachCheck() {
		if c.Status == result.Fail {
			all = append(all, anyNumber.ReplaceAllString(rule.ID+" at "+c.Endpoint+": "+c.Message, "N"))
		}
	}
	return all
}
