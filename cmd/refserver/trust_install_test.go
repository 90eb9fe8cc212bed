package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestTrustIsInstalledByThePrintedCommand has a certutil that writes down what it is
// asked: --install asks of it what the printed step says, and what that step, pasted
// into a shell, asks of it.
func TestTrustIsInstalledByThePrintedCommand(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the trust store is that of Linux here")
	}
	home, tools := t.TempDir(), t.TempDir()
	asked := filepath.Join(home, "asked")
	script := "#!/bin/sh\nfor word; do echo \"$word\"; done >>'" + asked + "'\n"
	if err := os.WriteFile(filepath.Join(tools, "certutil"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	t.Setenv("PATH", tools+string(os.PathListSeparator)+os.Getenv("PATH"))
	dir := filepath.Join(home, "a folder")
	trust := func(more ...string) string {
		t.Helper()
		var stdout, stderr bytes.Buffer
		if code := run(t.Context(), append([]string{"trust", "--ca-dir", dir}, more...), &stdout, &stderr); code != exitOK {
			t.Fatalf("exit %d: %s", code, stderr.String())
		}
		return stdout.String()
	}
	taken := func() string {
		t.Helper()
		words, err := os.ReadFile(asked)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(asked); err != nil {
			t.Fatal(err)
		}
		return string(words)
	}
	trust("--install")
	installed := taken()
	if _, step, found := strings.Cut(trust(), "Chrome, Linux"); !found {
		t.Fatal("no step for Chrome")
	} else {
		line, _, _ := strings.Cut(step, "\n")
		if out, err := exec.Command("sh", "-c", line).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", line, err, out)
		}
	}
	if pasted := taken(); pasted != installed || !strings.Contains(installed, filepath.Join(dir, "refserver-ca.pem")+"\n") {
		t.Errorf("--install asks\n%sand the step\n%s", installed, pasted)
	}
}

func TestTrustThatCannotBeInstalledIsSaid(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), []string{"trust", "--ca-dir", t.TempDir(), "--install"}, &stdout, &stderr)
	if said := stderr.String(); code == exitOK || !strings.Contains(said, "certutil") && !strings.Contains(said, "security") || strings.Count(said, "\n") > 2 {
		t.Errorf("exit %d: %s", code, said)
	}
}
