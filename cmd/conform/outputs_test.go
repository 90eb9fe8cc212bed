package main

import (
	"bufio"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/result"
)

// quickly selects little, where the outcome is not what a test is about.
func quickly(args ...string) []string { return append(args, "--part", "versions") }

// TestChoices lists choices where they are asked for, and where they are others
// than in the report that lay there before.
func TestChoices(t *testing.T) {
	t.Parallel()
	const all, changed = "Choices: what the target does", "Choices that changed since the report before: 1"
	path := filepath.Join(t.TempDir(), "report.json")
	to := quickly("--report", "json="+path)
	wants := func(o outcome, listed, drifted bool) {
		t.Helper()
		o.wants(t, exitConformant)
		if strings.Contains(o.stdout, all) != listed || strings.Contains(o.stdout, changed) != drifted {
			t.Errorf("choices listed: want %v; changed: want %v; got:\n%s", listed, drifted, o.stdout)
		}
	}
	wants(conform(t, to...), false, false)
	wants(conform(t, append(to, "--choices")...), true, false)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	others := strings.ReplaceAll(string(before), `"none"`, `"basic"`)
	if others == string(before) {
		t.Fatalf("the report has no such choice")
	}
	if err := os.WriteFile(path, []byte(others), 0o600); err != nil {
		t.Fatal(err)
	}
	wants(conform(t, to...), false, true)
	wants(conform(t, to...), false, false)
}

// TestWhereReportsGo sends reports to files and to stdout.
func TestWhereReportsGo(t *testing.T) {
	t.Parallel()
	isText := func(s string) bool { return strings.Contains(s, "CONFORMANT") && strings.Contains(s, "Endpoints") }
	isJSON := func(s string) bool {
		var report result.Report
		return json.Unmarshal([]byte(s), &report) == nil && report.Schema == result.Schema
	}
	nothing := func(s string) bool { return s == "" }
	path := filepath.Join(t.TempDir(), "report")
	for name, way := range map[string]struct {
		args   []string
		stdout func(string) bool
		file   func(string) bool
	}{
		"text to stdout by itself":  {nil, isText, nil},
		"nothing when quiet":        {[]string{"--quiet"}, nothing, nil},
		"quiet, but asked for":      {[]string{"--quiet", "--report", "text=-"}, isText, nil},
		"JSON in the place of text": {[]string{"--report", "json=-"}, isJSON, nil},
		"both":                      {[]string{"--report", "json=" + path + "-1"}, isText, isJSON},
		"the other way around":      {[]string{"--report", "text=" + path + "-2", "--report", "json=-"}, isJSON, isText},
		"to a file alone":           {[]string{"-q", "--report", "json=" + path + "-3"}, nothing, isJSON},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := conform(t, quickly(way.args...)...)
			o.wants(t, exitConformant)
			if !way.stdout(o.stdout) {
				t.Errorf("stdout is %.200q", o.stdout)
			}
			if o.stderr != "" {
				t.Errorf("a run that takes no time tells on stderr: %s", o.stderr)
			}
			if way.file == nil {
				return
			}
			_, to, _ := strings.Cut(way.args[1+strings.Count(way.args[0], "-q")], "=")
			written, err := os.ReadFile(to)
			if err != nil || !way.file(string(written)) {
				t.Errorf("the file is %.200q (%v)", written, err)
			}
		})
	}
}

// TestNoColoursWhereNobodyLooks keeps escape sequences out of pipes, whatever the
// environment says of the terminal.
func TestNoColoursWhereNobodyLooks(t *testing.T) {
	t.Parallel()
	for name, variable := range map[string]string{"NO_COLOR": "NO_COLOR=1", "a terminal with colours": "TERM=xterm-256color"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := command(t, quickly()...)
			cmd.Env = append(cmd.Env, variable)
			o := finish(t, cmd)
			o.wants(t, exitConformant)
			if strings.Contains(o.stdout+o.stderr, "\x1b") {
				t.Errorf("escape sequences in a pipe: %.200q", o.stdout)
			}
		})
	}
}

// TestTokensComeFromTheEnvironment is how pipelines give them.
func TestTokensComeFromTheEnvironment(t *testing.T) {
	t.Parallel()
	flags := serve(t, reference(t, nil))
	cmd := command(t, append([]string{"--rule", "auth.app-isolation", "--report", "json=-"}, flags[4:]...)...)
	cmd.Env = append(cmd.Env, "CONFORM_BASE_URL="+flags[1], "CONFORM_APP_TOKEN="+appToken, "CONFORM_SECOND_APP_TOKEN="+secondAppToken)
	o := finish(t, cmd)
	o.wants(t, exitConformant)
	var report result.Report
	if err := json.Unmarshal([]byte(o.stdout), &report); err != nil {
		t.Fatal(err)
	}
	if report.Target.BaseURL != flags[1] || report.Summary.Rules[result.Pass] != 1 {
		t.Errorf("judged %s: %v", report.Target.BaseURL, report.Summary.Rules)
	}
}

// TestGates sets what makes a run fail: a recommendation that is not followed
// gates only where asked for.
func TestGates(t *testing.T) {
	t.Parallel()
	good := reference(t, nil)
	target := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/versions" && r.Method == http.MethodGet {
			w.Header().Set("Content-Type", "application/json")
			w.Write([]byte(`[{"version":"0.2","status":"current"}]`)) // and nothing of 0.1
			return
		}
		good.ServeHTTP(w, r)
	}))
	judged(t, append(quickly(), target...)...).wants(t, exitConformant)
	judged(t, append(quickly("--fail-on", "should"), target...)...).wants(t, exitNonConformant)
}

// TestWaitsForATargetThatComesUpLater starts the target only once conform says
// that it waits.
func TestWaitsForATargetThatComesUpLater(t *testing.T) {
	t.Parallel()
	reserved := listen(t)
	address := reserved.Addr().String()
	reserved.Close()
	cmd := command(t, quickly("--base-url", "http://"+address, "--allow-http", "--app-token", appToken, "--wait", "60s")...)
	told, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	launch(t, cmd)
	lines := bufio.NewScanner(told)
	if !lines.Scan() || !strings.Contains(lines.Text(), "waiting up to") {
		t.Errorf("stderr begins %q", lines.Text())
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: reference(t, nil), ReadHeaderTimeout: time.Minute}
	served := make(chan struct{})
	go func() { defer close(served); server.Serve(listener) }()
	t.Cleanup(func() { server.Close(); <-served })
	if err := cmd.Wait(); err != nil {
		t.Errorf("after the target had come up: %v", err)
	}
}

// TestWaitHasAnEnd waits for nothing.
func TestWaitHasAnEnd(t *testing.T) {
	t.Parallel()
	nobody := listen(t)
	nobody.Close()
	o := conform(t, "--base-url", "https://"+nobody.Addr().String(), "--app-token", appToken, "--wait", "700ms")
	o.wants(t, exitNoVerdict)
	const most = 3
	o.fewLines(t, most)
	if !strings.Contains(o.stderr, "waited 700ms") || !strings.Contains(o.stderr, "refused") {
		t.Errorf("stderr says %q", o.stderr)
	}
}
