//go:build unix

package proof_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/restarts"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/internal/testkit"
	"github.com/socialfeed/conform/refserver/datafile"
)

// seedsVariable says by how many seeds each sound server is judged, and restartsVariable for how many
// seconds each.
const (
	seedsVariable    = "RESTART_SEEDS"
	restartsVariable = "RESTART_SECONDS"
)

// refserverBinary builds the reference server, once for all tests.
var refserverBinary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "restarts")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "refserver")
	out, err := exec.Command("go", "build", "-o", path, "../cmd/refserver").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("building the reference server: %w: %s", err, out)
	}
	return path, nil
})

// restartable is the reference server as a process that can be started again and again.
func restartable(t *testing.T, flags ...string) *restarts.Command {
	t.Helper()
	binary, err := refserverBinary()
	must(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	address := listener.Addr().String()
	listener.Close()
	c := &restarts.Command{
		New: func() *exec.Cmd {
			return exec.Command(binary, append([]string{"--http", "--control", "off", "--log", "off", "--rate-limit", "0", "--app-token", "given-app", "--addr", address}, flags...)...)
		},
		Target: restarts.Target{
			BaseURL: "http://" + address, AppToken: "given-app", UserAgent: "conform/proof", Client: &http.Client{Transport: &http.Transport{}},
			Settle: 500 * time.Millisecond, Timeout: 10 * time.Second,
		},
		Wait: 20 * time.Second,
	}
	t.Cleanup(func() { must(t, c.End(context.Background(), restarts.Kill)) })
	return c
}

// TestRestartsBlameNoSoundServer judges the reference server with --data, with --data-sync and in memory
// by several seeds: nothing is blamed, and what outlives a kill is told as it is.
func TestRestartsBlameNoSoundServer(t *testing.T) {
	seeds := testkit.Number(t, seedsVariable, 1)
	seconds := testkit.Number(t, restartsVariable, 1)
	for _, way := range []struct {
		name       string
		file, sync bool
		kill, stop []string
		sessions   string
	}{
		{"memory", false, false, []string{"nothing"}, []string{"nothing"}, ""},
		{"file", true, false, []string{"all but the latest writes"}, []string{"everything", "what was acknowledged"}, "all outlive it"},
		{"sync", true, true, []string{"everything", "what was acknowledged"}, []string{"everything", "what was acknowledged"}, "all outlive it"},
	} {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			for seed := range int64(seeds) {
				var flags []string
				if way.file {
					flags = append(flags, "--data", filepath.Join(t.TempDir(), "data"))
				}
				if way.sync {
					flags = append(flags, "--data-sync")
				}
				out, checks := judgedByRestarts(t, restartable(t, flags...), seed+1, time.Duration(seconds)*time.Second, false)
				for _, f := range out.Findings {
					t.Errorf("seed %d: %s: expected %s; got %s\n%s", seed+1, f.Rule, f.Expected, f.Actual, strings.Join(f.Timeline, "\n"))
				}
				if len(out.Notes)+len(out.Ignored) > 0 {
					t.Errorf("seed %d: %q %q", seed+1, out.Notes, out.Ignored)
				}
				for rule, want := range map[string][]string{restarts.AfterKill: way.kill, restarts.AfterStop: way.stop, restarts.Sessions: {way.sessions}} {
					if c := checks[rule]; c.Status == result.Observed && !slices.Contains(want, c.Message) || c.Status != result.Observed && rule == restarts.AfterKill {
						t.Errorf("seed %d: %s is %s %q", seed+1, rule, c.Status, c.Message)
					}
				}
				t.Logf("seed %d: %d stories, %d restarts; a kill leaves %s", seed+1, out.Stories, out.Restarts, checks[restarts.AfterKill].Message)
			}
		})
	}
}

func judgedByRestarts(t *testing.T, c *restarts.Command, seed int64, budget time.Duration, atFirst bool) (restarts.Outcome, map[string]result.Check) {
	t.Helper()
	out, err := restarts.Run(t.Context(), restarts.Config{Target: c.Target, Process: c, Seed: seed, Budget: budget, AtFirst: atFirst})
	must(t, err)
	checks := map[string]result.Check{}
	for _, c := range out.Checks(nil) {
		checks[c.Rule] = c.Check
	}
	return out, checks
}

// TestRestartsFindFaultsOfStores judges the reference server with each mistake in how its file is kept: each
// is found on its rule, and no other rule is blamed.
func TestRestartsFindFaultsOfStores(t *testing.T) {
	whole := os.Getenv(restartsVariable) != ""
	broken := map[string]bool{}
	for _, fault := range datafile.Faults() {
		broken[fault.Rule] = true
	}
	for _, rule := range restarts.Rules() {
		if !broken[rule] {
			t.Errorf("no fault breaks %s", rule)
		}
	}
	for _, fault := range datafile.Faults() {
		t.Run(fault.Name, func(t *testing.T) {
			t.Parallel()
			c := restartable(t, "--data", filepath.Join(t.TempDir(), "data"), "--data-sync", "--data-fault", fault.Name)
			out, checks := judgedByRestarts(t, c, 1, time.Second, !whole)
			if fault.Rule == restarts.Sessions {
				if got := checks[restarts.Sessions].Message; got != "none outlives it" || len(out.Findings) > 0 {
					t.Errorf("of sessions is told %q, found is %+v", got, out.Findings)
				}
				return
			}
			for _, f := range out.Findings {
				told := fmt.Sprintf("%s: expected %s; got %s\n%s", f.Rule, f.Expected, f.Actual, strings.Join(f.Timeline, "\n"))
				if t.Log(told); f.Rule != fault.Rule {
					t.Errorf("%s is blamed", f.Rule)
				}
			}
			if checks[fault.Rule].Status != result.Warn {
				t.Errorf("%s is not found on %s: %q", fault.Name, fault.Rule, out.Notes)
			}
		})
	}
}
