package scenarios_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/rules"
)

// TestTheRuleOfThePageIsJudged adds the rule that CONTRIBUTING.md takes for an example, with
// its scenario and its fault, to the places that the page names, in an overlay of the
// repository: a server with the fault is blamed by the rule and no other of its part, one
// without by none.
func TestTheRuleOfThePageIsJudged(t *testing.T) {
	page := read(t, "../CONTRIBUTING.md")
	blocks := regexp.MustCompile("(?s)```(?:yaml|go)\n(.*?)```").FindAllStringSubmatch(page, -1)
	if len(blocks) != 3 {
		t.Fatalf("the page has %d blocks of YAML and Go, want a rule, a scenario and a fault", len(blocks))
	}
	rule, fault := named(t, `- id: (\S+)`, blocks[0][1]), named(t, `fault\("(\S+?)"`, blocks[2][1])
	if _, there := rules.Load().Rule(rule); there {
		t.Skipf("%s is in the catalogue: somebody tries the page by hand", rule)
	}
	part, _, _ := strings.Cut(rule, ".")
	overlay := overlayOf(t, []insertion{
		{"../conformance/rules/rules.yaml", "  # ---- " + part + " ----\n", blocks[0][1]},
		{part + ".go", "func versionList(s *Suite) {\n", blocks[1][1]},
		{"../refserver/faults/" + part + ".go", "func versionLists() []Fault {\n\treturn slices.Concat(\n", blocks[2][1]},
	})
	judge := filepath.Join(t.TempDir(), "judge")
	build := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-s -w", "-overlay", overlay, "-o", judge, "./testdata/judgefault")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("the page's example does not compile: %v\n%s", err, out)
	}
	if got := notPassed(t, judge, part+".*"); got != "" {
		t.Errorf("a server without the fault is blamed by %q", got)
	}
	if got := notPassed(t, judge, part+".*", fault); got != rule {
		t.Errorf("a server with the fault %s is blamed by %q, want %q", fault, got, rule)
	}
	for _, name := range []string{"PROOF_FAULT='" + fault + "'", "PROOF_RULE='" + part + ".*'"} {
		if !strings.Contains(page, name) {
			t.Errorf("the page's commands do not try %s", name)
		}
	}
}

// insertion is text to put into a file behind other text.
type insertion struct{ path, behind, text string }

// overlayOf writes files with insertions, and the overlay that has the go command read them
// in place of the repository's; it returns the path of the overlay.
func overlayOf(t *testing.T, all []insertion) string {
	t.Helper()
	dir := t.TempDir()
	replaced := map[string]string{}
	for _, in := range all {
		before, after, found := strings.Cut(read(t, in.path), in.behind)
		if !found {
			t.Fatalf("%s has no %q", in.path, in.behind)
		}
		path, err := filepath.Abs(in.path)
		if err != nil {
			t.Fatal(err)
		}
		replaced[path] = filepath.Join(dir, strings.ReplaceAll(in.path, "/", "-"))
		if err := os.WriteFile(replaced[path], []byte(before+in.behind+in.text+after), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return overlay
}

// notPassed returns the rules that do not pass when judgefault runs with the arguments.
func notPassed(t *testing.T, judge string, args ...string) string {
	t.Helper()
	var complaint bytes.Buffer
	cmd := exec.CommandContext(t.Context(), judge, args...)
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("judging: %v\n%s", err, &complaint)
	}
	return strings.TrimSpace(string(out))
}

func named(t *testing.T, pattern, text string) string {
	t.Helper()
	found := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("nothing like %s in\n%s", pattern, text)
	}
	return found[1]
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
