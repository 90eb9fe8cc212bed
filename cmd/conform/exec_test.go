//go:build unix

package main

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/result"
)

// refserverByExec is a shell command that serves the reference server where it is told.
func refserverByExec(flags string) string {
	return "exec " + program("refserver") + ` --http --control off --log off --addr 127.0.0.1:$PORT --app-token "$APP_TOKEN" ` + flags
}

// TestExec starts the target, judges it and stops it with its children.
func TestExec(t *testing.T) {
	t.Parallel()
	pids := filepath.Join(t.TempDir(), "pids")
	o := judged(t, "--part", "versions", "--exec", "sleep 600 & echo $! >"+pids+"; "+refserverByExec(""))
	o.wants(t, exitConformant)
	if !strings.HasPrefix(o.report.Target.BaseURL, "http://127.0.0.1:") || o.report.Target.Embedded {
		t.Errorf("judged was %+v", o.report.Target)
	}
	if trust := o.report.Target.Trust; len(trust) != 2 || trust[0] != "--exec" {
		t.Errorf("to be judged again it takes %q", trust)
	}
	if conn, err := net.Dial("tcp", strings.TrimPrefix(o.report.Target.BaseURL, "http://")); err == nil {
		conn.Close()
		t.Error("the server still runs")
	}
	pid, err := os.ReadFile(pids)
	if err != nil {
		t.Fatal(err)
	}
	if state, err := exec.Command("ps", "-o", "stat=", "-p", strings.TrimSpace(string(pid))).Output(); err == nil && !strings.HasPrefix(string(state), "Z") {
		t.Errorf("its child still runs: %s", state)
	}
}

// That a server takes a moment to start is nothing to be alarmed by.
func TestExecThatTakesAMoment(t *testing.T) {
	t.Parallel()
	o := conform(t, "--part", "versions", "--exec", "sleep 3; "+refserverByExec(""))
	o.says(t, exitConformant, "waiting up to 30s for the server of --exec to answer")
	if strings.Contains(o.stderr, "refused") {
		t.Error(o.stderr)
	}
}

// A command that the shell cannot start is a mistake in the set-up, a server that ends is none.
func TestExecThatCannotBeStarted(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]struct {
		code int
		why  result.NoVerdict
	}{
		"exec no-such-server": {exitUsage, result.NoVerdict{Reason: result.NotStarted}},
		"exec /":              {exitUsage, result.NoVerdict{Reason: result.NotStarted}},
		"exit 7":              {exitNoVerdict, result.NoVerdict{Reason: result.ServerEnded, Retry: true}},
	} {
		o := judged(t, "--exec", command)
		o.wants(t, want.code)
		if n := o.report.NoVerdict; n == nil || *n != want.why {
			t.Errorf("%s: the JSON report gives as reason %+v", command, n)
		}
	}
}

// A server that listens elsewhere than where it was told to, or says nothing before it ends.
func TestExecThatCannotBeReached(t *testing.T) {
	t.Parallel()
	for command, says := range map[string]string{"exec sleep 600": "does the server of --exec listen at 127.0.0.1 and the PORT", "exit 3": "the server said nothing"} {
		o := conform(t, "--exec", command, "--wait", "1s")
		o.says(t, exitNoVerdict, says)
		o.fewLines(t, 3)
		if strings.Contains(o.stderr, "is the port right?") || command == "exit 3" && strings.Contains(o.stderr, "waiting up to") {
			t.Error(o.stderr)
		}
	}
}

// TestExecThatEnds tells how a server ended that did so by itself, and what it said,
// without its secrets.
func TestExecThatEnds(t *testing.T) {
	t.Parallel()
	says := `echo "the app token is $APP_TOKEN"; echo session 0f3c9a7715d2e4b8aa01 opened; echo "panic: no database" >&2; exit 7`
	for name, command := range map[string]string{"at once": says, "midway": "(" + refserverByExec("") + ") & sleep 2; kill $!; " + says} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := conform(t, "--app-token", appToken, "--exec", command)
			if name == "at once" || o.code != exitNonConformant { // the requests in flight may have failed
				o.wants(t, exitNoVerdict)
			}
			for _, said := range []string{"the server of --exec ended: exit code 7", "| panic: no database", "| the app token is $APP_TOKEN", "| session … opened"} {
				if !strings.Contains(o.stderr, said) {
					t.Errorf("stderr does not say %q:\n%s", said, o.stderr)
				}
			}
			if strings.Contains(o.stderr+o.stdout, appToken) || strings.Contains(o.stderr, "0f3c9a77") {
				t.Error("a secret is told")
			}
		})
	}
}

// TestExecWhereSomethingAnswers judges no server that was there before.
func TestExecWhereSomethingAnswers(t *testing.T) {
	t.Parallel()
	target := servePlain(t, reference(t, nil))
	o := conform(t, append(target, "--exec", "sleep 60")...)
	o.wants(t, exitUsage)
	if !strings.Contains(o.stderr, "something answers at 127.0.0.1:") {
		t.Error(o.stderr)
	}
}

// TestExecOfAFoundFile runs no command that a file names which merely lies in the folder.
func TestExecOfAFoundFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ran := filepath.Join(dir, "ran")
	if err := os.WriteFile(filepath.Join(dir, defaultConfigFile), []byte("exec: touch "+ran+"; sleep 60\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := command(t)
	cmd.Dir = dir
	o := finish(t, cmd)
	o.wants(t, exitUsage)
	if _, err := os.Stat(ran); err == nil || !strings.Contains(o.stderr, "say --exec, or --config conform.yaml") {
		t.Errorf("it ran, or stderr does not say why not: %s", o.stderr)
	}
}

// growing is output that is looked at while it is written.
type growing struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (g *growing) Write(data []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.text.Write(data)
}

// until waits for words behind those that were waited for before.
func (g *growing) until(t *testing.T, from int, words string) int {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		g.mu.Lock()
		text := g.text.String()
		g.mu.Unlock()
		if i := strings.Index(text[from:], words); i >= 0 {
			return from + i + len(words)
		}
		if time.Now().After(end) {
			t.Fatalf("%q is not said:\n%s", words, text[from:])
		}
	}
}

// begun starts conform, and returns what it writes while it runs.
func begun(t *testing.T, args ...string) (cmd *exec.Cmd, out, diagnostics *growing) {
	t.Helper()
	cmd, out, diagnostics = command(t, args...), &growing{}, &growing{}
	cmd.Stdout, cmd.Stderr = out, diagnostics
	launch(t, cmd)
	return cmd, out, diagnostics
}

// TestWatch judges again what changed, and says what turned.
func TestWatch(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	flags := filepath.Join(dir, "flags")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(flags, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("")
	cmd, out, diagnostics := begun(t, "--part", "versions", "--part", "search", "--watch", dir, "--report", "json="+filepath.Join(dir, "report.json"),
		"--exec", refserverByExec("$(cat "+flags+")"))
	at := diagnostics.until(t, 0, "watching for changes")
	shown := out.until(t, 0, "✓ CONFORMANT")

	write("--fault search-wraps-results")
	at = diagnostics.until(t, at, "watching for changes")
	shown = out.until(t, shown, "✗ red search.status at GET /0.2/users/search")
	shown = out.until(t, shown, "✗ NOT CONFORMANT")

	write("")
	diagnostics.until(t, at, "watching for changes")
	shown = out.until(t, shown, "✓ green search.status")
	shown = out.until(t, shown, "the rest came out as before")
	out.until(t, shown, "✓ CONFORMANT")

	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the last run was conformant, and it ended with %v: %s", err, diagnostics.text.String())
	}
	if n := strings.Count(diagnostics.text.String(), "flags changed"); n != 2 || strings.Contains(diagnostics.text.String(), "report.json changed") {
		t.Errorf("judged again %d times:\n%s", n, diagnostics.text.String())
	}
}
