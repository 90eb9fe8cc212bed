package main

import (
	"os/exec"
	"testing"

	"github.com/socialfeed/conform/internal/testkit"
)

// TestWheelServesProjects installs the wheel from its file alone, in a fresh folder, and uses it in projects.
func TestWheelServesProjects(t *testing.T) {
	t.Parallel()
	python, hasPytest := python(t)
	root, site := t.TempDir(), t.TempDir()
	install := append([]string{python, "-m", "pip", "install", "-q", "--no-index", "--target", site}, packedFiles(t, "*.whl", 1)...)
	if out, err := say(t, root, nil, install...); err != nil {
		t.Fatalf("%v: %v\n%s", install, err, out)
	}
	env := []string{"PYTHONPATH=" + site}
	t.Run("as a program", func(t *testing.T) {
		passes(t, root, env, "refserver version", python, "-m", "socialfeed_refserver", "--version")
	})
	t.Run("what it promises", func(t *testing.T) {
		dir := copied(t, "testdata/python", root)
		passes(t, dir, env, "Ran 5 tests", python, "-W", "error", "-m", "unittest", "-v", "test_package")
		endsWithItsStarter(t, dir, env, python, "starter.py")
	})
	for name, project := range map[string]struct{ dir, count string }{
		"the example":    {"../examples/python", "3 passed"},
		"other fixtures": {"testdata/pytest", "2 passed"},
	} {
		t.Run(name, func(t *testing.T) {
			if !hasPytest {
				t.Skip("there is no pytest here")
			}

			passes(t, copied(t, project.dir, t.TempDir()), env, project.count, python, "-m", "pytest", "-p", "no:cacheprovider")
		})
	}
	t.Run("types", func(t *testing.T) {
		if !everything() {
			t.Skip("mypy takes long: make test-packages")
		}
		testkit.Needs(t, "mypy")
		passes(t, root, append(env, "MYPYPATH="+site), "Success", "mypy", "--strict", "--cache-dir", t.TempDir(), "-p", "socialfeed_refserver")
	})
}

// python is an interpreter with pip, one with pytest where there is one. Without any the test is skipped.
func python(t *testing.T) (program string, hasPytest bool) {
	t.Helper()
	testkit.Needs(t, "python3")
	for _, modules := range []string{"pip, pytest", "pip"} {
		for _, program := range []string{"python3", "/usr/bin/python3"} {
			if exec.CommandContext(t.Context(), program, "-c", "import "+modules).Run() == nil {
				return program, modules != "pip"
			}
		}
	}
	t.Skip("there is no python3 with pip here")
	return "", false
}
