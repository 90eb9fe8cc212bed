package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/internal/testkit"
)

func TestOtherLanguagesTrustTheServer(t *testing.T) {
	for tool, command := range map[string][]string{
		"python3": {"python3", "-c", `import os,urllib.request
r=urllib.request.Request(os.environ["REFSERVER_URL"]+"/versions",headers={"User-Agent":"py/1"})
print(urllib.request.urlopen(r).read().decode())`},
		"node": {"node", "-e", `fetch(process.env.REFSERVER_URL+"/versions").then(r=>r.text()).then(t=>console.log(t),e=>{console.error(e);process.exit(1)})`},
	} {
		t.Run(tool, func(t *testing.T) {
			testkit.Needs(t, tool)
			var stdout, stderr bytes.Buffer
			if code := run(t.Context(), append([]string{"exec", "--"}, command...), &stdout, &stderr); code != 0 || !strings.Contains(stdout.String(), "current") {
				t.Errorf("exit %d: %s %s", code, stdout.String(), stderr.String())
			}
		})
	}
}

// TestExamplesInOtherLanguages runs what the documentation says to run.
func TestExamplesInOtherLanguages(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	for _, example := range []struct {
		args  []string
		count string // of tests in what it says, so that none that is skipped passes
	}{
		{[]string{"python3", "-m", "unittest", "discover", "examples/python"}, "Ran 3 tests"},
		{[]string{"node", "--test", "examples/node/"}, "pass 3"},
		{[]string{"java", "examples/java/Feed.java"}, "ada sees what grace did"},
	} {
		t.Run(example.args[0], func(t *testing.T) {
			testkit.Needs(t, example.args[0])
			var output bytes.Buffer
			code := run(t.Context(), append([]string{"exec", "--worlds", "test-", "--"}, example.args...), &output, &output)
			if code != exitOK || !strings.Contains(output.String(), example.count) || strings.Contains(output.String(), "skipped=") {
				t.Errorf("exit %d:\n%s", code, output.String())
			}
		})
	}
}

// TestTypeScriptExample installs what the example needs in a copy of it, and runs it.
func TestTypeScriptExample(t *testing.T) {
	testkit.Needs(t, "npm")
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "..", "examples", "typescript"))); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	install := exec.CommandContext(ctx, "npm", "install", "--no-audit", "--no-fund", "--loglevel=error")
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		t.Skipf("vitest could not be installed: %v: %.300s", err, out)
	}
	t.Chdir(dir)
	t.Setenv("NO_COLOR", "1")
	for _, script := range []struct{ name, says string }{{"check", ""}, {"test", "3 passed"}} {
		var output bytes.Buffer
		code := run(t.Context(), []string{"exec", "--worlds", "test-", "--", "npm", "run", script.name}, &output, &output)
		if code != exitOK || !strings.Contains(output.String(), script.says) {
			t.Errorf("npm run %s: exit %d:\n%s", script.name, code, output.String())
		}
	}
}

// TestKotlinExample compiles the example and runs it.
func TestKotlinExample(t *testing.T) {
	testkit.Needs(t, "kotlinc")
	testkit.Needs(t, "java")
	program := filepath.Join(t.TempDir(), "feed.jar")
	compile := exec.CommandContext(t.Context(), "kotlinc", filepath.Join("..", "..", "examples", "kotlin", "Feed.kt"), "-include-runtime", "-d", program)
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var output bytes.Buffer
	code := run(t.Context(), []string{"exec", "--worlds", "test-", "--", "java", "-jar", program}, &output, &output)
	if code != exitOK || !strings.Contains(output.String(), "ada sees what grace did") {
		t.Errorf("exit %d:\n%s", code, output.String())
	}
}
