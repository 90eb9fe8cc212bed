package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// runFlags are the flags of a run, as its help lists them.
func runFlags(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, match := range regexp.MustCompile(`(?m)^ {2,6}(?:-\w, )?--([a-z-]+)`).FindAllStringSubmatch(conform(t, "--help").stdout, -1) {
		if match[1] != "help" && match[1] != "version" {
			names = append(names, match[1])
		}
	}
	const fewest = 25
	if len(names) < fewest {
		t.Fatalf("the help lists only %v", names)
	}
	return names
}

// TestTheJudgesMessagesNameFlags holds what the judge's messages call settings against the flags.
func TestTheJudgesMessagesNameFlags(t *testing.T) {
	t.Parallel()
	flags := runFlags(t)
	for name, called := range flagNames() {
		for flag := range strings.SplitSeq(called, " or ") {
			if flag, is := strings.CutPrefix(flag, "--"); is && !slices.Contains(flags, flag) {
				t.Errorf("%s is called --%s, which is no flag", name, flag)
			}
		}
		if !strings.Contains(called, "--") {
			t.Errorf("%s is called %s, without a flag", name, called)
		}
	}
}

// TestSettingsAreDocumented holds the table of settings against the flags: each
// has its row, and there is none without a flag.
func TestSettingsAreDocumented(t *testing.T) {
	t.Parallel()
	page := read(t, filepath.Join("..", "..", "docs", "configuration.md"))
	var rows []string
	for _, match := range regexp.MustCompile("(?m)^\\| `--([a-z-]+)`").FindAllStringSubmatch(page, -1) {
		rows = append(rows, match[1])
	}
	if flags := runFlags(t); !slices.Equal(slices.Sorted(slices.Values(rows)), slices.Sorted(slices.Values(flags))) {
		t.Errorf("the table has\n%v, the flags are\n%v", rows, flags)
	}
}

// TestManualPages are written for every command that the help lists.
func TestManualPages(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	conform(t, "man", folder).wants(t, exitConformant)
	names := []string{"conform"}
	for _, match := range regexp.MustCompile(`(?m)^  ([a-z]+) {2,}[A-Z]`).FindAllStringSubmatch(conform(t, "--help").stdout, -1) {
		if match[1] != "help" && match[1] != "completion" {
			names = append(names, "conform-"+match[1])
		}
	}
	if !slices.Contains(names, "conform-keep") || !slices.Contains(names, "conform-watch") {
		t.Fatalf("the help lists only %v", names)
	}
	for _, name := range names {
		page := read(t, filepath.Join(folder, name+".1"))
		if !strings.Contains(page, ".SH OPTIONS") || !strings.Contains(page, ".SH SYNOPSIS") {
			t.Errorf("%s.1 is no manual page:\n%s", name, page)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(folder, "conform-play*")); len(left) > 0 {
		t.Errorf("a command that is none of the user's has a page: %v", left)
	}
	conform(t, "man").says(t, exitUsage, "man takes the folder")
	conform(t, "man", filepath.Join(folder, "new", "folder")).wants(t, exitConformant)
	conform(t, "man", filepath.Join(folder, "conform.1", "folder")).says(t, exitUsage, "making the folder for the manual pages")
}

// TestCompletion lets the shell complete what flags and commands take.
func TestCompletion(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		typed []string
		says  string
	}{
		{[]string{"--rule", "feed.pu"}, "feed.purge.followers"},
		{[]string{"--part", ""}, "connections"},
		{[]string{"--endpoint", ""}, "22"},
		{[]string{"--level", ""}, "should"},
		{[]string{"--fail-on", ""}, "must"},
		{[]string{"--report", ""}, "junit="},
		{[]string{"explain", "feed.pu"}, "feed.purge.followers"},
		{[]string{"replay", "report.json", "--rule", "feed.pu"}, "feed.purge.followers"},
		{[]string{"in"}, "init"},
	} {
		o := conform(t, append([]string{"__complete"}, c.typed...)...)
		if !strings.Contains(o.stdout, c.says) {
			t.Errorf("%v completes to %q, want %s", c.typed, o.stdout, c.says)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		o := conform(t, "completion", shell)
		if o.code != exitConformant || !strings.Contains(o.stdout, "conform") {
			t.Errorf("%s: exit %d", shell, o.code)
		}
	}
}

// TestVersion names what was built, from what and for what.
func TestVersion(t *testing.T) {
	t.Parallel()
	o := conform(t, "--version")
	if !regexp.MustCompile(`^conform version \S+ \(go1\.\d+\S*, \w+/\w+\)\n$`).MatchString(o.stdout) {
		t.Errorf("the version is %q", o.stdout)
	}
	if _, err := os.Stat("conform.yaml"); err == nil {
		t.Error("a configuration file lies among the sources")
	}
}

// TestWhatIsPastedSendsHashes reads the pages and the examples: a password that stands in
// a request there is a hash, as the contract asks of clients and the judge of clients judges.
func TestWhatIsPastedSendsHashes(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	pages := []string{filepath.Join(root, "README.md"), filepath.Join(root, "refserver", "README.md")}
	for _, folder := range []string{"docs", "examples"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.Type().IsRegular() && slices.Contains([]string{".md", ".go", ".py", ".mjs", ".ts", ".java", ".kt", ".html"}, filepath.Ext(path)) {
				pages = append(pages, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	const fewest = 15
	if len(pages) < fewest {
		t.Fatalf("only %v are read", pages)
	}
	literal := regexp.MustCompile(`(?i)\bpassword\\?"?\s*[:=]\s*\\?["']([^"'\\]+)\\?["']`)
	hash := regexp.MustCompile(`^[0-9a-f]{32,}$|^\$[a-z]+$`)
	for _, path := range pages {
		for _, match := range literal.FindAllStringSubmatch(read(t, path), -1) {
			if !hash.MatchString(match[1]) {
				t.Errorf("%s sends a password that is no hash: %s", path, match[0])
			}
		}
	}
}
