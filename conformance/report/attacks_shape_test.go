package report

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/report/script"
	"mvdan.cc/sh/v3/syntax"
)

// stringLiteral matches a quoted string of JavaScript.
var stringLiteral = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// ofStory matches the variables that requests take.
var ofStory = regexp.MustCompile(`^(APP_TOKEN|(ID|TOKEN|WORD|PASSWORD)_\d+.*)$`)

// shapeOf is what a program does, without its texts.
func shapeOf(t *testing.T, form script.Form, text string) string {
	t.Helper()
	var shape strings.Builder
	switch form {
	case script.Shell:
		file, err := syntax.NewParser(syntax.Variant(syntax.LangPOSIX)).Parse(strings.NewReader(text), "script")
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		syntax.Walk(file, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.CallExpr:
				for _, a := range n.Assigns {
					shape.WriteString(a.Name.Value + "= ")
				}
				if len(n.Args) > 0 && n.Args[0].Lit() != "printf" && n.Args[0].Lit() != "" {
					shape.WriteString(n.Args[0].Lit() + "\n")
				}
			case *syntax.Redirect:
				shape.WriteString(n.Op.String())
			case *syntax.ParamExp:
				if !ofStory.MatchString(n.Param.Value) { // which stand before a pipeline or in it
					shape.WriteString("$" + n.Param.Value)
				}
			}
			return true
		})
		shape := regexp.MustCompile(`(?m)^send\n(send\n)*`).ReplaceAllString(shape.String(), "send\n")
		return shape
	case script.GoTest:
		file, err := parser.ParseFile(token.NewFileSet(), "test.go", text, 0)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				shape.WriteString(fmt.Sprintf("%v\n", nameOf(n.Fun)))
			case *ast.FuncDecl:
				if !strings.HasPrefix(n.Name.Name, "Test") {
					shape.WriteString("func " + n.Name.Name + "\n")
				}
			case *ast.Comment:
				shape.WriteString("comment\n")
			}
			return true
		})
	default:
		for line := range strings.Lines(text) {
			first, _, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
			switch {
			case strings.HasPrefix(line, "#"):
				if strings.HasPrefix(strings.TrimLeft(line, "# "), "@") {
					shape.WriteString("a command ")
				}
				first = strings.Repeat("#", len(first)-len(strings.TrimLeft(first, "#")))
			case regexp.MustCompile(`^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE)$`).MatchString(first):
				if !strings.HasPrefix(line, first+" {{base_url}}/") {
					shape.WriteString("another host ")
				}
				first = "request"
			case strings.HasPrefix(line, "client."):
				first, _, _ = strings.Cut(stringLiteral.ReplaceAllString(line, `""`), " ")
			case strings.HasPrefix(line, "{{"):
				first = "credentials"
			case strings.HasPrefix(line, "{") || strings.HasPrefix(line, "`") || strings.HasPrefix(line, "\"") || regexp.MustCompile(`^[0-9a-z$]`).MatchString(line) && form == script.HTTPFile && !strings.HasPrefix(line, "c"):
				first = "body"
			case regexp.MustCompile(`^[A-Za-z0-9-]+:$`).MatchString(first):
				first = "field"
			}
			shape.WriteString(first + "\n")
		}
	}
	return shape.String()
}

func nameOf(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return nameOf(x.X) + "." + x.Sel.Name
	}
	return "an expression"
}
