package play

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/model/story"
)

// TestEachActionIsPerformed checks that the table tells how each operation is performed.
func TestEachActionIsPerformed(t *testing.T) {
	for k := range story.Kinds {
		performed := performances()[k]
		if performed.Perform == nil && performed.Across == nil {
			t.Errorf("%s is never performed", k)
		}
		if performed.Across != nil && !k.Action().OfTwo {
			t.Errorf("%s crosses applications without a second user", k)
		}
	}
}

// TestAnActionIsAddedInItsRows checks that nothing but the tables distinguishes kinds of operations case by case: an
// action is added in the file that numbers the kinds, and in the tables that tell what it is and how it is performed.
// What judges stands apart: it knows the operations that a rule is about.
func TestAnActionIsAddedInItsRows(t *testing.T) {
	set := token.NewFileSet()
	kindNames := constants(t, set, "../story/actions.go")
	for _, room := range []string{"story", "draw", "body", "play"} {
		files, err := filepath.Glob("../" + room + "/*.go")
		if err != nil || len(files) == 0 {
			t.Fatalf("%d files of %s: %v", len(files), room, err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") || filepath.Base(name) == "cost.go" {
				continue
			}
			file, err := parser.ParseFile(set, name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, id := range casesOf(file) {
				if slices.Contains(kindNames, id.Name) {
					t.Errorf("%s: a case for %s: it belongs into its row", set.Position(id.Pos()), id.Name)
				}
			}
		}
	}
}

// casesOf returns the names that the cases of a file's switches are about.
func casesOf(file *ast.File) []*ast.Ident {
	var all []*ast.Ident
	ast.Inspect(file, func(n ast.Node) bool {
		c, ok := n.(*ast.CaseClause)
		if !ok {
			return true
		}
		for _, each := range c.List {
			switch e := each.(type) {
			case *ast.Ident:
				all = append(all, e)
			case *ast.SelectorExpr:
				all = append(all, e.Sel)
			}
		}
		return true
	})
	return all
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
