package screen

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/internal/testkit"
)

// TestGlossaryHasEveryLine holds that the glossary explains each line that the text report has, and no other.
func TestGlossaryHasEveryLine(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?:Field\(|Lines\(|labelled\{|\{\{)"([a-z][a-z ]*)"`)
	written := asides()
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || file == "diff.go" { // whose lines are headings
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range line.FindAllStringSubmatch(string(source), -1) {
			written = append(written, match[1])
		}
	}
	explained := testkit.Glossary(t, filepath.Join("..", "..", ".."))["Lines of the text report"]
	for _, label := range written {
		if !slices.Contains(explained, label) {
			t.Errorf("the glossary lacks the line %q", label)
		}
	}
	for _, term := range explained {
		if !slices.Contains(written, term) {
			t.Errorf("no text report has the line %q", term)
		}
	}
}
