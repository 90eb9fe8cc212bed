package shell_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Only constants are syntax: no exported function takes a string but those whose text the writer
// quotes, checks or strips. The type of the others is not exported, and no variable converts to it.
func TestOnlyConstantsAreSyntax(t *testing.T) {
	t.Parallel()
	quoting := []string{"Lit", "Plain", "NameOf", "Comment", "ReadLine"}
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, is := d.(*ast.FuncDecl)
			if !is || !f.Name.IsExported() || slices.Contains(quoting, f.Name.Name) {
				continue
			}
			ast.Inspect(f.Type.Params, func(n ast.Node) bool {
				if id, is := n.(*ast.Ident); is && slices.Contains([]string{"string", "any", "byte", "rune"}, id.Name) {
					t.Errorf("%s takes a %s: it may become syntax", f.Name.Name, id.Name)
				}
				return true
			})
		}
	}
}
