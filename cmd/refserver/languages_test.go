package main

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

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
