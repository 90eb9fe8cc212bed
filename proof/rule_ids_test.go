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

	"github.com/socialfeed/conform/conformance/rules"
)

// TestRuleIDsAreThoseOfTheCatalogue finds every text in the code of judge,
// scenarios and faults that looks like a rule's id, also where only a failure leads.
func TestRuleIDsAreThoseOfTheCatalogue(t *testing.T) {
	catalogue := rules.Load()
	parts := map[string]bool{}
	for _, rule := range catalogue.Rules() {
		parts[rule.Part()] = true
	}
	like := regexp.MustCompile(`^([a-z]+)(\.[a-z0-9-]+)+$`)
	seen := 0
	for _, folder := range []string{"conformance", "scenarios", "refserver/faults"} {
		err := filepath.WalkDir(filepath.Join("..", folder), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				literal, ok := n.(*ast.BasicLit)
				if !ok || literal.Kind != token.STRING {
					return true
				}
				text, err := strconv.Unquote(literal.Value)
				if match := like.FindStringSubmatch(text); err != nil || match == nil || !parts[match[1]] {
					return true
				}
				seen++
				if !slices.ContainsFunc(catalogue.Rules(), func(r rules.Rule) bool { return strings.HasPrefix(r.ID, text) }) {
					t.Errorf("%s: there is no rule %s, nor any that begins so", fset.Position(literal.Pos()), text)
				}
				return true
			})
			return nil
		})
		must(t, err)
	}
	if seen < len(catalogue.Rules()) {
		t.Errorf("only %d ids were seen", seen)
	}
}
