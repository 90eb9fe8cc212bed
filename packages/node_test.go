package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/socialfeed/conform/internal/testkit"
)

// TestNodePackageServesProjects installs the package from its files alone, in a fresh folder, and uses it in
// projects inside, which find it there.
func TestNodePackageServesProjects(t *testing.T) {
	t.Parallel()
	testkit.Needs(t, "node", "npm")
	root := t.TempDir()
	install := append([]string{"npm", "install", "--offline", "--no-audit", "--no-fund"}, packedFiles(t, "*.tgz", 2)...)
	if out, err := say(t, root, nil, install...); err != nil {
		t.Fatalf("%v: %v\n%s", install, err, out)
	}
	t.Run("as a program", func(t *testing.T) {
		passes(t, root, nil, "refserver version", filepath.Join("node_modules", ".bin", "refserver"), "--version")
	})
	t.Run("the example", func(t *testing.T) {
		passes(t, copied(t, "../examples/node", root), nil, "pass 4", "node", "--test")
	})
	t.Run("what it promises", func(t *testing.T) {
		dir := copied(t, "testdata/promises", root)
		passes(t, dir, nil, "pass 5", "node", "--test", "package.test.mjs")
		endsWithItsStarter(t, dir, nil, "node", "starter.mjs")
	})
	t.Run("the example in TypeScript", func(t *testing.T) {
		dir := npmProject(t, "../examples/typescript", root)
		if out, err := say(t, dir, nil, "npm", "run", "check"); err != nil {
			t.Errorf("tsc: %v\n%s", err, out)
		}
		passes(t, dir, nil, "3 passed", "npm", "test")
	})
	for runner, run := range map[string]struct {
		says string
		args []string
	}{
		"jest":       {"1 passed, 1 total", []string{"jest"}}, // modules are loaded by require
		"playwright": {"1 passed", []string{"playwright", "test"}},
	} {
		t.Run(runner, func(t *testing.T) {
			if !everything() {
				t.Skip("it takes long to install: make test-packages")
			}
			out, err := say(t, npmProject(t, "testdata/"+runner, root), nil, append([]string{"npx", "--no-install"}, run.args...)...)
			if err != nil || !strings.Contains(out, run.says) || strings.Contains(out, "did not exit") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// npmProject is a copy of a project with what it depends on. The test is skipped where that cannot be had.
func npmProject(t *testing.T, project, into string) string {
	t.Helper()
	dir := copied(t, project, into)
	if out, err := say(t, dir, nil, "npm", "install", "--no-audit", "--no-fund", "--loglevel=error"); err != nil {
		t.Skipf("what the project depends on could not be installed: %v: %.300s", err, out)
	}
	return dir
}
