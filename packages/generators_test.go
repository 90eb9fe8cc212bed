package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/socialfeed/conform/internal/testkit"
)

// TestGeneratedClientsPlayAStory has generators make clients of the contract, compiles them, and plays a story with each
// beside the fake, all by the commands that a user would type. The versions are in each project's package.json or doc.go.
func TestGeneratedClientsPlayAStory(t *testing.T) {
	t.Parallel()
	if !everything() {
		t.Skip("generators take long to install: make test-packages has one of them, make test-generators all")
	}
	for _, generator := range []struct{ name, says string }{
		{"openapi-typescript", "pass 1"}, {"hey-api", "pass 1"}, {"orval", "pass 1"}, {"oapi-codegen", "ok "},
	} {
		t.Run(generator.name, func(t *testing.T) {
			if generator.name != "openapi-typescript" && os.Getenv("GENERATORS") != "all" {
				t.Skip("make test-generators has it")
			}
			generate, test := []string{"npm", "run", "generate"}, []string{"npm", "test"}
			if generator.name == "oapi-codegen" {
				generate, test = []string{"go", "generate"}, []string{"sh", "-c", "refserver exec -- go test ."}
			} else {
				testkit.Needs(t, "node", "npm")
			}
			dir := generatorProject(t, generator.name)
			env := []string{"PATH=" + programPath(t) + string(os.PathListSeparator) + os.Getenv("PATH")}
			if slices.Contains(generate, "npm") {
				if out, err := say(t, dir, env, "npm", "install", "--no-audit", "--no-fund", "--loglevel=error"); err != nil {
					t.Skipf("the generator could not be installed: %v: %.300s", err, out)
				}
			}
			if out, err := say(t, dir, env, generate...); err != nil {
				t.Fatalf("%v: %v\n%s", generate, err, out)
			}
			passes(t, dir, env, generator.says, test...)
		})
	}
}

// generatorProject is a copy of a generator's project with the story that all of them play.
func generatorProject(t *testing.T, name string) string {
	t.Helper()
	const projects = "testdata/generators"
	dir := copied(t, filepath.Join(projects, name), t.TempDir())
	for _, shared := range []string{"story.ts", "tsconfig.json"} {
		text, err := os.ReadFile(filepath.Join(projects, shared))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, shared), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// programPath is a folder with the program of this machine under its own name.
func programPath(t *testing.T) string {
	t.Helper()
	program, err := filepath.Abs(packedProgram(t))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(program, filepath.Join(dir, "refserver"+filepath.Ext(program))); err != nil {
		t.Fatal(err)
	}
	return dir
}
