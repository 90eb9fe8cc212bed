//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/internal/testkit"
)

// TestRestartsNeedsAServerOfItsOwn kills nothing that conform has not started.
func TestRestartsNeedsAServerOfItsOwn(t *testing.T) {
	t.Parallel()
	conform(t, "--restarts", "--self").says(t, exitUsage, "--restarts needs --exec")
	conform(t, "--restarts", "--shard", "1/2", "--exec", "false").says(t, exitUsage, "--restarts")
	conform(t, "--rule", "restarts.order", "--exec", refserverByExec("")).says(t, exitUsage, "needs --restarts")
}

// TestRestartsAreToldAndReproduced judges a server that loses logouts: the report tells the story, and the
// script of it shows the failure there and none on the sound server.
func TestRestartsAreToldAndReproduced(t *testing.T) {
	t.Parallel()
	testkit.Needs(t, "curl", "jq")
	dir := t.TempDir()
	report := filepath.Join(dir, "report.json")
	sound := refserverByExec("--rate-limit 0 --data " + filepath.Join(dir, "sound") + " --data-sync")
	faulty := refserverByExec("--rate-limit 0 --data " + filepath.Join(dir, "faulty") + " --data-sync --data-fault logouts-not-stored")
	o := judged(t, "--restarts=1s", "--rule", "restarts.*", "--seed", "1", "--settle", "500ms", "--fail-on", "should", "--report", "json="+report, "--exec", faulty)
	o.wants(t, exitNonConformant)
	for rule, c := range o.report.EachCheck() {
		switch {
		case rule.ID == "restarts.ended-sessions":
			if c.Status != result.Warn || len(c.Timeline) < 4 || !strings.Contains(strings.Join(c.Timeline, "\n"), "start it again: lawful is") {
				t.Errorf("%s: %+v", rule.ID, c)
			}
		case c.Status == result.Warn:
			t.Errorf("%s is blamed: %s", rule.ID, c.Message)
		}
	}
	script := filepath.Join(dir, "logout.sh")
	conform(t, "reproduce", report, "--rule", "restarts.ended-sessions", "-o", script).wants(t, 0)
	for server, want := range map[string]int{faulty: 1, sound: 0} {
		port, err := freePort()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("sh", script)
		cmd.Env = append(os.Environ(), "SERVER="+server, "PORT="+port)
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != want {
			t.Errorf("the script ends with %d, wanted is %d:\n%s", code, want, out)
		}
	}
}
