package model

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestEachActionIsPerformed checks that the table tells how each operation is performed.
func TestEachActionIsPerformed(t *testing.T) {
	for k := range kinds {
		performed := performances()[k]
		if performed.Perform == nil && performed.Across == nil {
			t.Errorf("%s is never performed", k)
		}
		if performed.Across != nil && !k.action().OfTwo {
			t.Errorf("%s crosses applications without a second user", k)
		}
	}
}

// TestAnActionIsAddedInTwoFiles checks that nothing but the table distinguishes kinds of operations case by case: an
// action is added in actions.go, which numbers the kinds, and in the file that has its row. What judges stands apart:
// it knows the operations that a rule is about.
func TestAnActionIsAddedInTwoFiles(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	kindNames := constants(t, set, "actions.go")
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "judge_") || name == "cost.go" {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if c, ok := n.(*ast.CaseClause); ok {
				for _, each := range c.List {
					if id, ok := each.(*ast.Ident); ok && slices.Contains(kindNames, id.Name) {
						t.Errorf("%s: a case for %s: it belongs into its row", set.Position(id.Pos()), id.Name)
					}
				}
			}
			return true
		})
	}
}

// constants returns the names of the constants in a file.
func constants(t *testing.T, set *token.FileSet, name string) []string {
	t.Helper()
	file, err := parser.ParseFile(set, name, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.CONST {
			for _, spec := range g.Specs {
				for _, id := range spec.(*ast.ValueSpec).Names {
					names = append(names, id.Name)
				}
			}
		}
	}
	return names
}
