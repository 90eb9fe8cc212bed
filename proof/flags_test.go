package proof_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestLibrariesNameNoFlag keeps the flags of the commands out of what the packages below them say:
// who calls the judge from Go has none. Its messages name settings, which a command calls by its flags.
func TestLibrariesNameNoFlag(t *testing.T) {
	commands := []string{
		"../cmd",                                                        // their own flags
		"../conformance/report",                                         // the pages that conform prints, with commands to paste
		"../conformance/internal/wire/curl.go",                          // curl's
		"../conformance/restarts/script.go",                             // jq's
		"../refserver/control/openapi/collection.go",                    // httpYac's
		"../internal/testkit",                                           // of tests alone
		"../deploy", "../packages", "../proof", "../scenarios/testdata", // no package that a library uses
	}
	flag := regexp.MustCompile(`(^|[^\w-])--[a-z][a-z-]+`)
	seen := 0
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case slices.Contains(commands, path) && entry.IsDir():
			return filepath.SkipDir
		case slices.Contains(commands, path) || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		seen++
		literals(t, path, func(at token.Position, text string) {
			if named := flag.FindString(text); named != "" {
				t.Errorf("%s names the flag %s: %.80q", at, strings.TrimSpace(named), text)
			}
		})
		return nil
	})
	if err != nil || seen < 100 {
		t.Errorf("%d files were seen: %v", seen, err)
	}
}

// literals calls a function with each text that a Go file writes out.
func literals(t *testing.T, path string, each func(at token.Position, text string)) {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			text, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			each(files.Position(literal.Pos()), text)
		}
		return true
	})
}
