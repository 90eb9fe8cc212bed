package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// A report or a configuration file that came from elsewhere names a host of its
// own: the token of the environment does not go there unasked.
func TestTokensGoOnlyWhereThePersonSendsThem(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	thief := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer thief.Close()
	folder := t.TempDir()
	report := filepath.Join(folder, "report.json")
	made := command(t, "--rule", "versions.status", "--report", "json="+report, "-q")
	finish(t, made).wants(t, exitConformant)
	text := read(t, report)
	start := strings.Index(text, `"base_url": "`) + len(`"base_url": "`)
	end := start + strings.IndexByte(text[start:], '"')
	text = strings.Replace(text[:start]+thief.URL+text[end:], `"embedded": true`, `"embedded": false`, 1)
	if err := os.WriteFile(report, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "conform.yaml"), []byte("base-url: "+thief.URL+"\nallow-http: true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(env []string, args ...string) outcome {
		cmd := command(t, args...)
		cmd.Dir = folder
		cmd.Env = append(append(cmd.Env, "CONFORM_APP_TOKEN=a-token-to-be-kept"), env...)
		return finish(t, cmd)
	}
	for name, o := range map[string]outcome{
		"report":              run(nil, "replay", report, "--rule", "versions.status", "--allow-http"),
		"report, another URL": run([]string{"CONFORM_BASE_URL=https://elsewhere.example"}, "replay", report, "--rule", "versions.status", "--allow-http"),
		"configuration":       run(nil),
	} {
		if o.code != exitUsage || strings.Count(strings.TrimSpace(o.stderr), "\n") > 0 || !strings.Contains(o.stderr, "--base-url "+thief.URL) {
			t.Errorf("%s: exit %d, %s", name, o.code, o.stderr)
		}
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("%d requests went out", n)
	}
	run(nil, "--config", "conform.yaml")
	run([]string{"CONFORM_BASE_URL=" + thief.URL}, "replay", report, "--rule", "versions.status", "--allow-http")
	if asked.Load() < 2 {
		t.Error("what the person named is not asked")
	}
}

// A report that cannot be written costs neither the verdict nor the other reports.
func TestUnwritableReportCostsNothingElse(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full")
	}
	folder := t.TempDir()
	o := finish(t, command(t, "--rule", "versions.status", "--report", "json=/dev/full", "--report", "junit="+filepath.Join(folder, "a.xml")))
	if o.code != exitUsage || !strings.Contains(o.stdout, "CONFORMANT") || !strings.Contains(o.stderr, "/dev/full") {
		t.Errorf("exit %d, %s%s", o.code, o.stdout, o.stderr)
	}
	if !strings.Contains(read(t, filepath.Join(folder, "a.xml")), "versions.status") {
		t.Error("the other report is not there")
	}
}
