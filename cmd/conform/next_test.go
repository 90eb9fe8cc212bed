//go:build unix

package main

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestNext tells of a run, and of its report, what to do next.
func TestNext(t *testing.T) {
	t.Parallel()
	target := servePlain(t, halfBuilt(t, rules.Versions, rules.CreateUser, rules.GetMe, rules.DeleteMe))
	path := filepath.Join(t.TempDir(), "report.json")
	o := conform(t, append([]string{"next", "--report", "json=" + path}, target...)...)
	o.wants(t, exitNonConformant)
	read := conform(t, "next", path)
	read.wants(t, exitConformant)
	for name, said := range map[string]string{"of the run": o.stdout, "of the report": read.stdout} {
		if !strings.Contains(said, "\n  implemented 4 of 22\n\nImplement POST /0.2/user/events") || !strings.Contains(said, "\nThen\n") {
			t.Errorf("%s: %s", name, said)
		}
	}
}

// TestNextFromNothing is the first minute of an implementer: a server that has no
// route yet is no service, but what to begin with is known.
func TestNextFromNothing(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented} {
		target := servePlain(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "<html>", status) }))
		o := conform(t, append([]string{"next"}, target...)...)
		o.wants(t, exitNoVerdict)
		if !strings.Contains(o.stdout, "Implement POST /0.2/users") || !strings.Contains(o.stdout, "does not look like the service") || strings.Contains(o.stderr, "conform:") {
			t.Errorf("with %d: stdout %s\nstderr %s", status, o.stdout, o.stderr)
		}
	}
}

// TestNextFromNothingWhileWatching is the first command of the page that begins with nothing: what
// to begin with is told, and told again when the file has changed.
func TestNextFromNothingWhileWatching(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "server")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("")
	target := servePlain(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "<html>", http.StatusNotFound) }))
	cmd, out, diagnostics := begun(t, append([]string{"next", "--wait", "0s", "--watch", file}, target...)...)
	at := diagnostics.until(t, 0, "watching for changes")
	shown := out.until(t, 0, "Implement POST /0.2/users")
	write("changed")
	diagnostics.until(t, at, "watching for changes")
	out.until(t, shown, "Implement POST /0.2/users")
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != exitNoVerdict {
		t.Errorf("ended with %v: %s", err, diagnostics.text.String())
	}
}

// TestLastFailed plays what did not pass, and everything once that passes or where there is nothing to
// go by.
func TestLastFailed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "report.json")
	var broken atomic.Bool
	broken.Store(true)
	whole := reference(t, nil)
	target := append(servePlain(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if broken.Load() && rules.EndpointOf(r.Method, r.URL.Path) == rules.SearchUsers {
			http.Error(w, "{}", http.StatusInternalServerError)
			return
		}
		whole.ServeHTTP(w, r)
	})), "--part", "search", "--part", "versions", "--report", "json="+path, "--last-failed")
	first := conform(t, target...)
	first.read(t, path)
	if first.code != exitNonConformant || !strings.Contains(first.stderr, "judging everything") || first.report.Summary.Rules[result.Pass] == 0 {
		t.Errorf("exit %d, %v: %s", first.code, first.report.Summary.Rules, first.stderr)
	}
	versionsJudged := func(o outcome) bool {
		return slices.ContainsFunc(o.report.Rules, func(rule result.Rule) bool { return rule.Part == "versions" && rule.Status != result.Skipped })
	}
	second := conform(t, target...)
	second.wants(t, exitNonConformant)
	if second.read(t, path); versionsJudged(second) {
		t.Error("the rules of versions are judged, which had passed, while others still fail")
	}
	broken.Store(false)
	mended := conform(t, target...)
	mended.wants(t, exitConformant)
	if mended.read(t, path); !versionsJudged(mended) {
		t.Error("what passes by itself counts as passed before the rest was played")
	}
	if third := conform(t, target...); third.code != exitConformant || !strings.Contains(third.stderr, "nothing failed") {
		t.Errorf("exit %d: %s", third.code, third.stderr)
	}
	if data, err := os.ReadFile(path); err != nil || len(data) == 0 {
		t.Error("no report is left", err)
	}
}

func TestFailFast(t *testing.T) {
	t.Parallel()
	target := servePlain(t, halfBuilt(t, rules.Versions, rules.CreateUser))
	o := judged(t, append(target, "--fail-fast", "--jobs", "1")...)
	o.wants(t, exitNonConformant)
	if o.report.EndedBy == "" || !strings.Contains(o.stderr, "stopped after 1 failure") {
		t.Errorf("ended by %q, stderr %s", o.report.EndedBy, o.stderr)
	}
	// This failure comes while deletions are to be watched: a run that has ended does not wait for them.
	o = judged(t, append(faultyTarget(t, "users-create-answer-lacks-updated-at"), "--fail-fast", "--hold", "10s", "--settle", "20s")...)
	o.wants(t, exitNonConformant)
	if o.report.EndedBy == "" || o.report.WatchedMS != 0 {
		t.Errorf("ended by %q, after deletions were watched for %d ms", o.report.EndedBy, o.report.WatchedMS)
	}
}
