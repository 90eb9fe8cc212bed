package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/internal/testkit"
)

// noticedBy are the breaches that each assertion of the suites notices, with the others that notice them too.
func noticedBy() map[string][]string {
	return map[string][]string{
		"users-create-with-login-not-enabled": {"enabled"},
		"feed-oldest-first":                   {"order"},
		"feed-hides-later-events":             {"feed", "order"},
		"search-folds-users-alone":            {"search"},
		"feed-purge-forgets-followers":        {"purge"},
		"sessions-logout-keeps-session":       {"logout"},
	}
}

// TestEachAssertionThatASuiteLosesIsMissed takes the assertions out of test suites in several languages, one by one: what
// only that one notices becomes unseen, and nothing else. CLIENT_SUITES=all takes each out of each suite, without
// it the first suite loses one.
func TestEachAssertionThatASuiteLosesIsMissed(t *testing.T) {
	t.Parallel()
	var faults []string
	for fault := range noticedBy() {
		faults = append(faults, fault)
	}
	slices.Sort(faults)
	assertions := []string{"", "enabled", "feed", "order", "search", "purge", "logout"}
	suites := []struct {
		file, runner string
		command      func(t *testing.T, path string) []string
	}{
		{"checks.sh", "sh", interpreted("sh", "curl", "jq")}, {"checks.mjs", "node", interpreted("node")}, {"checks.py", "python3", interpreted("python3")}, {"ChecksTest.java", "junit", compiledJUnit},
	}
	whole := os.Getenv("CLIENT_SUITES") == "all"
	if !whole {
		suites = suites[:1]
	}
	for _, suite := range suites {
		t.Run(suite.runner, func(t *testing.T) {
			t.Parallel()
			lost := assertions
			if !whole {
				lost = assertions[1:2]
			}
			for _, assertion := range lost {
				command := suite.command(t, suiteWithout(t, suite.file, assertion))
				o := judgedClient(t, []string{"--jobs", "2", "--faults=" + strings.Join(faults, ",")}, nil, command...)
				o.wants(t, exitConformant)
				var want []string
				for _, fault := range faults {
					if slices.Equal(noticedBy()[fault], []string{assertion}) {
						want = append(want, fault)
					}
				}
				if b := o.report.Client.Breaches; b == nil || b.Met != len(faults) || b.Noticed != len(faults)-len(want) || !slices.Equal(o.unseen(), want) {
					t.Errorf("without %q: %+v, unseen %v, want %v\n%s", assertion, b, o.unseen(), want, o.stderr)
				}
			}
		})
	}
}

// interpreted runs a suite by a program that reads it, and that needs others.
func interpreted(program string, others ...string) func(*testing.T, string) []string {
	return func(t *testing.T, path string) []string {
		t.Helper()
		testkit.Needs(t, append(others, program)...)
		return []string{program, path}
	}
}

// compiledJUnit compiles a suite of JUnit, and runs it by JUnit's console in a machine that starts quickly.
func compiledJUnit(t *testing.T, path string) []string {
	t.Helper()
	testkit.Needs(t, "java", "javac")
	libraries, classes := testkit.JUnit(t), t.TempDir()
	if said, err := exec.CommandContext(t.Context(), "javac", "-Xlint:-path", "-cp", libraries, "-d", classes, path).CombinedOutput(); err != nil {
		t.Fatalf("javac: %v\n%s", err, said)
	}
	return []string{"java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", libraries + string(os.PathListSeparator) + classes,
		"org.junit.platform.console.ConsoleLauncher", "--disable-banner", "--details=none", "--select-class=ChecksTest"}
}

// suiteWithout copies a suite without an assertion, "" for none.
func suiteWithout(t *testing.T, suite, assertion string) string {
	t.Helper()
	lines := strings.Split(read(t, filepath.Join("testdata", "suites", suite)), "\n")
	kept := slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
		return assertion != "" && strings.HasSuffix(line, " assert "+assertion)
	})
	if removed := len(lines) - len(kept); assertion != "" && removed != 1 {
		t.Fatalf("%s has %d assertions called %s", suite, removed, assertion)
	}
	path := filepath.Join(t.TempDir(), suite)
	if err := os.WriteFile(path, []byte(strings.Join(kept, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
