//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/faults"
)

// TestTheReportOfARunFitsAScreen has the report of three failures fit fifty lines, and that of a half-built
// target a hundred: of each failure that is shown what was expected, what came, where, and how to see it
// again, and a last line how to see everything.
func TestTheReportOfARunFitsAScreen(t *testing.T) {
	t.Parallel()
	three := reference(t, func(o *refserver.Options) {
		for _, name := range []string{"users-get-answers-prefixed-id", "limits-update-takes-11-keys", "connections-times-as-numbers"} {
			fault, err := faults.Find(name)
			if err != nil {
				t.Fatal(err)
			}
			fault.Apply(o)
		}
	})
	for name, run := range map[string]struct {
		target []string
		most   int
		says   []string
	}{
		"three failures": {servePlain(t, three), 50, []string{"FAIL users.id-stable", "FAIL connections.types", "FAIL limits.metadata.keys"}},
		"half built":     {servePlain(t, halfBuilt(t, rules.Versions, rules.CreateUser, rules.Login, rules.GetMe, rules.DeleteMe)), 100, []string{"Not implemented"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := command(t, append(run.target, "--report", "json=r.json")...) // a path as short as those that people type
			cmd.Dir = t.TempDir()
			o := finish(t, cmd)
			o.wants(t, exitNonConformant)
			if lines := strings.Count(o.stdout, "\n"); lines > run.most {
				t.Errorf("%d lines, want %d at most:\n%s", lines, run.most, o.stdout)
			}
			for _, said := range append(run.says, "NOT CONFORMANT", "all of it") {
				if !contains(o.stdout, said) {
					t.Errorf("it does not say %q:\n%s", said, o.stdout)
				}
			}
			if name == "half built" {
				return
			}
			for _, label := range []string{"  expected  ", "  got  ", "  scenario  ", "  try  ", "  again  "} {
				if n := strings.Count(o.stdout, label); n != len(run.says) {
					t.Errorf("%q stands there %d times, want %d:\n%s", label, n, len(run.says), o.stdout)
				}
			}
		})
	}
}

// TestReportsAreWrittenWhereverTheTargetIs has the folder of a report made, and an old report replaced
// also where the target does not answer.
func TestReportsAreWrittenWhereverTheTargetIs(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new", "next.txt")
	down := []string{"--base-url", "https://127.0.0.1:1", "--app-token", appToken, "--report", "next=" + path}
	conform(t, down...).wants(t, exitNoVerdict)
	if err := os.WriteFile(path, []byte("Implement POST /0.2/users"), 0o600); err != nil {
		t.Fatal(err)
	}
	conform(t, down...).wants(t, exitNoVerdict)
	if text := read(t, path); !strings.Contains(text, "NO VERDICT") || strings.Contains(text, "Implement") {
		t.Errorf("the report says %q", text)
	}
}
