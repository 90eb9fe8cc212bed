package model

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/rules"
)

// TestRulesListsEachRuleThatThisPackageNames reads the package's source.
func TestRulesListsEachRuleThatThisPackageNames(t *testing.T) {
	catalogue := rules.Load()
	for _, id := range Rules() {
		if rule, known := catalogue.Rule(id); !known || rule.Level == rules.Choice {
			t.Errorf("%s is not a rule that can be broken", id)
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			id, _ := strconv.Unquote(literal.Value)
			if rule, known := catalogue.Rule(id); known && rule.Level != rules.Choice && !slices.Contains(Rules(), id) {
				t.Errorf("%s names %s, which Rules does not list", name, id)
			}
			return true
		})
	}
}
