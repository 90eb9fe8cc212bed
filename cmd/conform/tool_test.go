//go:build unix

package main

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"
)

// A report says with which settings its verdict came about, and no secret.
func TestReportSaysWithWhichSettings(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "report.json")
	o := conform(t, "--part", "versions", "--rate", "3000", "--exec", refserverByExec(""), "--app-token", "a-token-of-the-test", "--skip", "versions.unknown", "--report", "json="+path)
	o.wants(t, exitConformant)
	o.read(t, path)
	got := maps.Clone(o.report.Tool.Settings)
	if exec := got["exec"]; !strings.Contains(exec, "refserver") {
		t.Errorf("--exec is told as %q", exec)
	}
	delete(got, "exec")
	if want := map[string]string{"part": "versions", "rate": "3000", "skip": "versions.unknown"}; !maps.Equal(got, want) {
		t.Errorf("settings %v, want %v", got, want)
	}
	text := conform(t, "report", "markdown", path)
	if text.wants(t, exitConformant); !strings.Contains(text.stdout, "part=versions") || !strings.Contains(text.stdout, "rate=3000") {
		t.Errorf("the report in Markdown says\n%s", text.stdout)
	}
	if strings.Contains(o.written+text.stdout, "a-token-of-the-test") {
		t.Error("the app token is told")
	}
}
