package main

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/internal/testkit"
)

// TestGlossaryHasTermsThatAreUsed holds that each term of the glossary is a word of the help or of the reports.
func TestGlossaryHasTermsThatAreUsed(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	var used strings.Builder
	for _, line := range [][]string{
		{"conform", "--help"}, {"conform", "next", "--help"}, {"conform", "watch", "--help"}, {"conform", "client", "--help"}, {"conform", "merge", "--help"},
		{"refserver", "--help"}, {"refserver", "--list-dialects"}, {"conform", "--self", "--part", "versions"},
	} {
		output, err := exec.CommandContext(t.Context(), program(line[0]), line[1:]...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", line, err, output)
		}
		used.Write(output)
	}
	for _, page := range []string{"docs/sample-reports.md", "testdata/messages.md", "refserver/control/console/world.html"} {
		used.WriteString(read(t, filepath.Join(root, page)))
	}
	text := strings.ToLower(strings.Join(strings.Fields(strings.ReplaceAll(used.String(), "-", " ")), " "))
	seen := 0
	for section, terms := range testkit.Glossary(t, root) {
		for _, term := range terms {
			if seen++; section != "Lines of the text report" && !strings.Contains(text, strings.ToLower(term)) {
				t.Errorf("%s: neither the help nor a report says %q", section, term)
			}
		}
	}
	if seen < 50 {
		t.Errorf("the glossary has %d terms", seen)
	}
}

// TestTablesOfThePagesAreWhole holds the pages' tables of outcomes, states and reasons to the code's lists.
func TestTablesOfThePagesAreWhole(t *testing.T) {
	t.Parallel()
	var reasons []string
	source := read(t, filepath.Join("..", "..", "conformance", "result", "noverdict.go"))
	for _, match := range regexp.MustCompile(`Reason = "([a-z0-9-]+)"`).FindAllStringSubmatch(source, -1) {
		reasons = append(reasons, match[1])
	}
	for _, table := range []struct {
		page, from string
		listed     []string
	}{
		{"judge-a-server.md", "| outcome of a check |", texts(result.Statuses())},
		{"pipelines.md", "| a waiver is |", texts(view.WaiverStates())},
		{"pipelines.md", "| `reason` |", reasons},
	} {
		_, after, found := strings.Cut(read(t, filepath.Join("..", "..", "docs", table.page)), table.from)
		text, _, _ := strings.Cut(after, "\n\n")
		got := testkit.FirstColumn(text)
		slices.Sort(got)
		slices.Sort(table.listed)
		if !found || !slices.Equal(got, table.listed) {
			t.Errorf("%s, table %s\nhas  %q\nwant %q", table.page, table.from, got, table.listed)
		}
	}
}

func texts[T ~string](list []T) []string {
	var names []string
	for _, one := range list {
		names = append(names, string(one))
	}
	return names
}
