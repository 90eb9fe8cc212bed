//go:build unix

package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// shells are sh, and another shell by turns.
func (h *hostility) shells() [][]string {
	all := [][]string{{"bash"}, {"dash"}, {"zsh", "--emulate", "sh"}}
	standard, _ := exec.LookPath("sh") // which is needed
	same, _ := filepath.EvalSymlinks(standard)
	all = slices.DeleteFunc(all, func(shell []string) bool {
		path, err := exec.LookPath(shell[0])
		resolved, _ := filepath.EvalSymlinks(path)
		return err != nil || resolved == same
	})
	if len(all) == 0 {
		return [][]string{{"sh"}}
	}
	return [][]string{{"sh"}, all[h.turn%len(all)]}
}

// tried runs what was written, by each program that runs the form.
func (h *hostility) tried(t *testing.T, form, text string) map[string]string {
	t.Helper()
	switch form {
	case "sh":
		came := map[string]string{}
		for _, shell := range h.shells() {
			came[shell[0]] = h.tellsApart(t, shell[0], text, func(_ string, code int) bool { return code == exitNonConformant }, append(slices.Clone(shell), file(t, []byte(text)))...)
		}
		return came
	case "go":
		return map[string]string{form: h.tellsApart(t, form, text, func(said string, _ int) bool { return strings.Contains(said, "expected ") }, compiled(t, text))}
	case "http":
		readHTTPFile(t, text)
		return map[string]string{form: h.edited(t, text)}
	default:
		readHurl(t, text)
		return map[string]string{form: written}
	}
}

// tellsApart runs a program at the target with the fault and at the one without.
func (h *hostility) tellsApart(t *testing.T, form, text string, shows func(said string, code int) bool, program ...string) string {
	t.Helper()
	came := tells
	for target, fails := range map[*[]string]bool{&h.bad: true, &h.good: false} {
		code, said := h.run(t, *target, program...)
		if shows(said, code) != fails || !fails && code != 0 {
			t.Errorf("%s ends with %d, where the fault is: %t: %s\n%s", form, code, fails, said, h.kept(t, form, text))
			came = wrong
		}
		h.watched(t, form, said)
	}
	return came
}

// kept says where a program was kept that did something wrong: HOSTILE_KEEP names the folder.
func (h *hostility) kept(t *testing.T, form, text string) string {
	t.Helper()
	folder := os.Getenv("HOSTILE_KEEP")
	if folder == "" {
		return "HOSTILE_KEEP=FOLDER keeps the program"
	}
	path := filepath.Join(folder, h.rule+"."+form)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// run runs a program at a target, in the canary's folder, with the secret.
func (h *hostility) run(t *testing.T, target []string, program ...string) (code int, said string) {
	t.Helper()
	temporary := t.TempDir()
	cmd := exec.CommandContext(t.Context(), program[0], program[1:]...)
	cmd.Dir = h.Folder
	cmd.Env = append(os.Environ(), "HOME="+h.home, "TMPDIR="+temporary, "DATABASE_PASSWORD="+h.secret, "BASE_URL="+target[1], "APP_TOKEN="+target[3],
		"SECOND_APP_TOKEN="+secondAppToken, "CA_CERT="+target[5], "NODE_EXTRA_CA_CERTS="+target[5], "CURL_CA_BUNDLE="+os.DevNull)
	out, err := cmd.CombinedOutput()
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("%s leaves %v in the temporary folder: %v", program[0], left, err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// edited sends a .http file by httpYac. From hostile answers it takes nothing that may be syntax: it sends none of the
// requests that would need it.
func (h *hostility) edited(t *testing.T, text string) string {
	t.Helper()
	program := os.Getenv("HTTPYAC")
	if program == "" {
		return written
	}
	story := filepath.Join(h.Folder, "story.http") // httpYac wants it in the folder that it runs in
	if err := os.WriteFile(story, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	code, said := h.run(t, h.bad, program, "send", story, "--all", "--var", "app_token="+appToken, "second_app_token="+secondAppToken)
	if err := os.Remove(story); err != nil {
		t.Fatal(err)
	}
	h.watched(t, "httpYac", said)
	if strings.Contains(said, "take the script for sh") {
		return sendsNone
	}
	if code != 0 {
		return tells
	}
	return written
}

// compiled is the program of a Go test.
func compiled(t *testing.T, text string) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	module := "module reproduction\n\ngo 1.26\n\nrequire github.com/socialfeed/conform v0.0.0\n\nreplace github.com/socialfeed/conform => " + root + "\n"
	for name, text := range map[string]string{"go.mod": module, "go.sum": read(t, filepath.Join(root, "go.sum")), "failure_test.go": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.CommandContext(t.Context(), "go", "test", "-c", "-mod=mod", "-o", "failure.test", ".")
	build.Dir = dir
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, said, text)
	}
	return filepath.Join(dir, "failure.test")
}

// hostileTable counts what came of each form.
type hostileTable struct {
	mu     sync.Mutex
	counts map[string]map[string]int
}

func (h *hostileTable) add(form, came string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.counts[form] == nil {
		h.counts[form] = map[string]int{}
	}
	h.counts[form][came]++
}

// String is a line for each form.
func (h *hostileTable) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var b strings.Builder
	for _, form := range slices.Sorted(maps.Keys(h.counts)) {
		fmt.Fprintf(&b, "%-6s %v\n", form, h.counts[form])
	}
	return b.String()
}
