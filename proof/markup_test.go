package proof_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// sinks match what makes markup or a program of a text, by the ending of the files that may not have it.
func sinks() map[string]*regexp.Regexp {
	script := regexp.MustCompile(`\.(?:inner|outer)HTML\s*\+?=|insertAdjacentHTML|document\.write|\beval\(|new Function\(|srcdoc|execSync|child_process`)
	all := map[string]*regexp.Regexp{
		".go": regexp.MustCompile(`template\.(?:HTML|JS|CSS|URL|HTMLAttr|JSStr|Srcset)\(|"text/template"`),
		".py": regexp.MustCompile(`\beval\(|\bexec\(|os\.system|shell\s*=\s*True`),
	}
	for _, ending := range []string{".js", ".mjs", ".ts", ".html", ".tmpl"} {
		all[ending] = script
	}
	return all
}

// provenSinks are the places that have one, each with texts of our own or escaped ones: their tests hold that. Those of
// the npm package start the program that it holds, without a shell.
func provenSinks() []string {
	return []string{"conformance/report/html/write.go", "conformance/report/html/grid.go", "cmd/conform/keep.go", "packages/npm/process.js", "packages/npm/bin/refserver.js"}
}

// TestNoTextBecomesMarkup reads our own sources, the console's scripts, the examples and the templates: none has
// what makes markup or a program of a text.
func TestNoTextBecomesMarkup(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	err := fs.WalkDir(os.DirFS(".."), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git", "node_modules", "testdata"}, d.Name()):
			return fs.SkipDir
		case d.IsDir() || strings.HasSuffix(path, "_test.go") || slices.Contains(provenSinks(), path):
			return nil
		}
		sink, looked := sinks()[filepath.Ext(path)]
		if !looked {
			return nil
		}
		seen[filepath.Ext(path)]++
		text, err := os.ReadFile(filepath.Join("..", path))
		if err != nil {
			return err
		}
		if found := sink.Find(text); found != nil {
			t.Errorf("%s has %s: set texts as texts", path, found)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for ending := range sinks() {
		if seen[ending] == 0 {
			t.Errorf("no file ends with %s", ending)
		}
	}
}
