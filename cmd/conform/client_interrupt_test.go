//go:build unix

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/internal/testkit"
)

// TestInterruptedClientRunsReport interrupts the second run of a client's tests: what the first
// one showed is told, and that the others are missing.
func TestInterruptedClientRunsReport(t *testing.T) {
	t.Parallel()
	for name, sig := range map[string]os.Signal{"SIGINT": os.Interrupt, "SIGTERM": syscall.SIGTERM} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			reached, path := filepath.Join(dir, "reached"), filepath.Join(dir, "report.json")
			cmd := command(t, "client", "--jobs", "1", "--dialects", "uuid-ids,lagging", "--weather", "none", "--report", "json="+path, "--", os.Args[0])
			cmd.Env = append(cmd.Env, clientVariable+"="+endlessClient, reachedVariable+"="+reached)
			o := finishWhile(t, cmd, func() {
				for t.Context().Err() == nil {
					if _, err := os.Stat(reached); err == nil {
						break
					}
					time.Sleep(10 * time.Millisecond)
				}
				cmd.Process.Signal(sig)
			})
			o.read(t, path)
			o.wants(t, exitNoVerdict)
			if o.report.Verdict != result.Incomplete || o.report.EndedBy != "interrupted after 1 of 3 surroundings" {
				t.Errorf("verdict %s, ended by %q", o.report.Verdict, o.report.EndedBy)
			}
			if runs := o.report.Client.Runs; len(runs) != 1 || runs[0].Surrounding != plainSurrounding {
				t.Errorf("the runs told are %+v", runs)
			}
			if got := o.status("client.user-agent"); got != result.Pass {
				t.Errorf("what the first run showed is %s", got)
			}
			if !slices.ContainsFunc(strings.Split(o.stderr, "\n"), func(line string) bool { return strings.Contains(line, "interrupted") }) {
				t.Errorf("stderr does not say so:\n%s", o.stderr)
			}
		})
	}
}

// TestInterruptedFaultsReport interrupts the run of tests with the second of three breaches: what was noticed of the first
// one is told, and that the others are missing.
func TestInterruptedFaultsReport(t *testing.T) {
	t.Parallel()
	testkit.Needs(t, "sh", "curl", "jq")
	dir := t.TempDir()
	runs, reached, path := filepath.Join(dir, "runs"), filepath.Join(dir, "reached"), filepath.Join(dir, "report.json")
	script := filepath.Join(dir, "tests.sh")
	if err := os.WriteFile(script, []byte(`echo run >>"$RUNS"
if [ "$(grep -c run "$RUNS")" -gt 2 ]; then
	touch "$REACHED"
	exec sleep 600
fi
exec sh "$SUITE"
`), 0o600); err != nil {
		t.Fatal(err)
	}
	suite, err := filepath.Abs(filepath.Join("testdata", "suites", "checks.sh"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := command(t, "client", "--jobs", "1", "--faults=feed-oldest-first,search-folds-users-alone,sessions-logout-keeps-session", "--report", "json="+path, "--report", "text=-", "--", "sh", script)
	cmd.Env = append(cmd.Env, "RUNS="+runs, "REACHED="+reached, "SUITE="+suite)
	o := finishWhile(t, cmd, func() {
		for t.Context().Err() == nil {
			if _, err := os.Stat(reached); err == nil {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		cmd.Process.Signal(os.Interrupt)
	})
	o.read(t, path)
	o.wants(t, exitNoVerdict)
	if o.report.Verdict != result.Incomplete || o.report.EndedBy != "interrupted after 1 of 3 breaches" {
		t.Errorf("verdict %s, ended by %q", o.report.Verdict, o.report.EndedBy)
	}
	if b := o.report.Client.Breaches; b == nil || b.Met != 1 || b.Noticed != 1 || len(b.Untried) != 2 {
		t.Errorf("told is %+v", b)
	}
	if !strings.Contains(o.stdout, "NOTICED 1 OF 1") {
		t.Errorf("on the screen:\n%s", o.stdout)
	}
}
