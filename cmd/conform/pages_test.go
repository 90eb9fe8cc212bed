package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/socialfeed/conform/internal/testkit"
)

func TestPagesNameCommandsThereAre(t *testing.T) {
	t.Parallel()
	root := rootCommand(streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard})
	testkit.KnowsItsPages(t, root, filepath.Join("..", ".."), 60)
}

// The targets of make that the pages name are in the Makefile.
func TestPagesNameTargetsThereAre(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	makefile, seen := read(t, filepath.Join(root, "Makefile")), 0
	for path, page := range testkit.Pages(t, root) {
		for _, call := range testkit.Commands(page, "make") {
			if len(call) > 0 {
				seen++
				if !strings.Contains(makefile, "\n"+call[0]+":") {
					t.Errorf("%s: there is no target %s", path, call[0])
				}
			}
		}
	}
	if seen == 0 {
		t.Error("no page names a target")
	}
}

// The links of the pages lead to files and headings that exist, and so do the paths in
// their code.
func TestPagesNameFilesThereAre(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	path := regexp.MustCompile("`((?:client|cmd|conformance|deploy|docs|examples|internal|proof|refserver|scenarios|testdata)/[A-Za-z0-9_./-]+)`")
	seen := 0
	for page, text := range testkit.Pages(t, root) {
		for _, match := range link.FindAllStringSubmatch(text, -1) {
			file, anchor, _ := strings.Cut(match[1], "#")
			if strings.Contains(file, "://") {
				continue
			}
			seen++
			target := page
			if file != "" {
				target = filepath.Join(filepath.Dir(page), file)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: a link leads to %s: %v", page, match[1], err)
			} else if anchor != "" && !hasHeading(read(t, target), anchor) {
				t.Errorf("%s: a link leads to %s, which has no such heading", page, match[1])
			}
		}
		for _, match := range path.FindAllStringSubmatch(text, -1) {
			seen++
			if _, err := os.Stat(filepath.Join(root, match[1])); err != nil {
				t.Errorf("%s names %s: %v", page, match[1], err)
			}
		}
	}
	const fewest = 60
	if seen < fewest {
		t.Errorf("only %d links and paths were looked at", seen)
	}
}

// hasHeading reports whether a Markdown page has a heading with an anchor, as GitHub makes it.
func hasHeading(page, anchor string) bool {
	for _, match := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(page, -1) {
		kept := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(match[1]), "")
		if strings.ReplaceAll(kept, " ", "-") == anchor {
			return true
		}
	}
	return false
}

// The ports of the fake are taken where conform watch stands in front of it.
func TestWatchLeavesTheFakeItsPorts(t *testing.T) {
	t.Parallel()
	addresses := []string{rootCommandOf(t, "watch").Flags().Lookup("addr").DefValue}
	for _, page := range testkit.Pages(t, filepath.Join("..", "..")) {
		for _, call := range testkit.Commands(page, "conform") {
			if at := slices.Index(call, "--addr"); len(call) > 0 && call[0] == "watch" && at > 0 {
				addresses = append(addresses, call[at+1])
			}
		}
	}
	for _, address := range addresses {
		if strings.HasSuffix(address, ":8443") || strings.HasSuffix(address, ":8444") {
			t.Errorf("conform watch listens at %s, where refserver does by default", address)
		}
	}
	if len(addresses) < 2 {
		t.Error("no page says where conform watch listens")
	}
}

func rootCommandOf(t *testing.T, name string) *cobra.Command {
	t.Helper()
	root := rootCommand(streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard})
	command, _, err := root.Find([]string{name})
	if err != nil {
		t.Fatal(err)
	}
	return command
}
