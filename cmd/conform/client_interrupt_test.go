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
