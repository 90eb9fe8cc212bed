package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/socialfeed/conform/internal/testkit"
)

// TestJUnitExample compiles the extension and its example against the JUnit 5 that the system has, and runs them.
func TestJUnitExample(t *testing.T) {
	t.Parallel()
	testkit.Needs(t, "javac", "java")
	junit := testkit.JUnit(t)
	program, err := filepath.Abs(packedProgram(t))
	if err != nil {
		t.Fatal(err)
	}
	dir, classes := copied(t, "../examples/java", t.TempDir()), t.TempDir()
	path := junit + string(os.PathListSeparator) + classes
	if out, err := say(t, dir, nil, "javac", "-Xlint:all,-path", "-Werror", "-cp", path, "-d", classes, "Refserver.java", "FeedTest.java"); err != nil {
		t.Fatalf("javac: %v\n%s", err, out)
	}
	passes(t, dir, []string{"REFSERVER_BINARY=" + program}, "[         3 tests successful      ]",
		"java", "-cp", path, "org.junit.platform.console.ConsoleLauncher", "--disable-banner", "--disable-ansi-colors", "--scan-classpath", classes)
}
