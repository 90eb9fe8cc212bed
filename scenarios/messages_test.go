package scenarios_test

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// messageSources are the packages whose texts a failure can show.
var messageSources = []string{"scenarios", "conformance", "conformance/explore", "conformance/observed", "conformance/model/*", "conformance/grid", "conformance/internal/passive"}

const messageList = "../testdata/messages.md"

// TestMessageListIsCurrent compares the list of messages with the source; with -update it writes the list.
func TestMessageListIsCurrent(t *testing.T) {
	var list strings.Builder
	list.WriteString("# Messages\n\nThe texts that a failed, blocked, skipped or observed check can show, gathered from the source by " +
		"`go test ./scenarios -run MessageList -update`. What the source fills in stands between ‹ and ›.\n")
	for _, dir := range messageSources {
		for _, file := range parsed(t, dir) {
			messages := messagesOf(file.syntax)
			if len(messages) > 0 {
				fmt.Fprintf(&list, "\n## %s\n\n%s\n", file.path, strings.Join(messages, "\n"))
			}
		}
	}
	if *update {
		if err := os.WriteFile(messageList, []byte(list.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	kept, err := os.ReadFile(messageList)
	if err != nil {
		t.Fatal(err)
	}
	if string(kept) != list.String() {
		t.Errorf("%s is out of date: read what changed, and write it with go test ./scenarios -run MessageList -update", messageList)
	}
}

type sourceFile struct {
	path   string // in the repository
	syntax *ast.File
}

func parsed(t *testing.T, dir string) []sourceFile {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("..", dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var files []sourceFile
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		syntax, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, sourceFile{strings.TrimPrefix(filepath.ToSlash(name), "../"), syntax})
	}
	return files
}

// messageArguments are the functions that take a text of a message: what each of their arguments is, "" for no text.
var messageArguments = map[string][]string{
	"Fail": {"expected", "actual"}, "Warn": {"expected", "actual"}, "True": {"", "expected", "actual"}, "Same": {"expected"},
	"Skip": {"skipped"}, "Observe": {"observed"}, "about": {"actual"},
	"Blocked": {"", "blocked"}, "BlockedAt": {"", "", "blocked"}, "block": {"", "blocked"},
}

// messageFields are the fields that hold such a text, by their names.
var messageFields = map[string]string{
	"Expected": "expected", "expected": "expected", "Actual": "actual", "actual": "actual", "problem": "actual", "message": "message",
}

// messagesOf lists the messages of a file, each once in a function, in the order of the source.
func messagesOf(file *ast.File) []string {
	var all []string
	add := func(function, kind string, e ast.Expr) {
		text, fixed := templateOf(e)
		line := fmt.Sprintf("- %s, %s: %s", function, kind, text)
		if fixed && !slices.Contains(all, line) {
			all = append(all, line)
		}
	}
	for _, declaration := range file.Decls {
		function := "variables"
		if f, ok := declaration.(*ast.FuncDecl); ok {
			function = f.Name.Name
		}
		ast.Inspect(declaration, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				for at, kind := range messageArguments[nameOf(n.Fun)] {
					if kind != "" && at < len(n.Args) {
						add(function, kind, template(n, at))
					}
				}
			case *ast.KeyValueExpr:
				if kind := messageFields[nameOf(n.Key)]; kind != "" {
					add(function, kind, n.Value)
				}
			case *ast.AssignStmt:
				for i, to := range n.Lhs {
					if kind := messageFields[nameOf(to)]; kind != "" && i < len(n.Rhs) {
						add(function, kind, n.Rhs[i])
					}
				}
			case *ast.ReturnStmt:
				for _, e := range n.Results {
					if text, _ := templateOf(e); strings.Contains(text, " ") {
						add(function, "text", e)
					}
				}
			}
			return true
		})
	}
	return all
}

// template is an argument of a call; that of a function that formats is made a call of Sprintf.
func template(call *ast.CallExpr, at int) ast.Expr {
	if name := nameOf(call.Fun); at == len(call.Args)-1 || name != "Skip" && name != "Observe" && name != "Blocked" && name != "BlockedAt" {
		return call.Args[at]
	}
	return &ast.CallExpr{Fun: ast.NewIdent("Sprintf"), Args: call.Args[at:]}
}

var verb = regexp.MustCompile(`%[-+# 0]*[0-9]*(\.[0-9]+)?[a-zA-Z]`)

// templateOf is an expression as a text with what is filled in, and whether any of it is fixed in the source.
func templateOf(e ast.Expr) (text string, fixed bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, _ := strconv.Unquote(e.Value)
			return text, text != ""
		}
	case *ast.ParenExpr:
		return templateOf(e.X)
	case *ast.BinaryExpr:
		one, fixedOne := templateOf(e.X)
		other, fixedOther := templateOf(e.Y)
		if e.Op == token.ADD && (fixedOne || fixedOther) {
			return one + other, true
		}
	case *ast.CallExpr:
		if name := nameOf(e.Fun); name != "Sprintf" && name != "Errorf" || len(e.Args) == 0 {
			break
		}
		layout, fixed := templateOf(e.Args[0])
		if !fixed {
			break
		}
		arguments := e.Args[1:]
		return verb.ReplaceAllStringFunc(layout, func(string) string {
			if len(arguments) == 0 {
				return "‹›"
			}
			filled, _ := templateOf(arguments[0])
			arguments = arguments[1:]
			return filled
		}), true
	}
	var source strings.Builder
	if err := format.Node(&source, token.NewFileSet(), e); err != nil {
		return "‹›", false
	}
	return "‹" + strings.Join(strings.Fields(source.String()), " ") + "›", false
}

// nameOf is the last name of an expression, "" for none.
func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}
