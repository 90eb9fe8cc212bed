package proof_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// hole stands for a text that a program gets at run time.
const hole = "\x00"

// madeOfText matches a command line with a text of run time as a word, or as a part of one: a program's name,
// words, and the hole.
var madeOfText = regexp.MustCompile(`(?:^|[^A-Za-z0-9/._-])(?:conform|refserver|curl|hurl|jq|sh -c|export|openssl|docker|npm|keytool|certutil)(?: [-a-z](?:[-A-Za-z0-9_=/.:]*[-A-Za-z0-9_=/.])?)* ['"]?[-A-Za-z0-9_=/.:$]*` + hole)

// writers are the packages that write programs. Their own tests hold what they write.
func writers() []string {
	return []string{"internal/shell", "conformance/program/gotest", "conformance/program/httpfile", "conformance/program/hurl", "conformance/program/internal/lines"}
}

// TestNoTextBecomesAProgram reads our own sources: no format, no sum and no list of strings makes a command
// line of a text of run time. Such lines are built of the words of internal/shell, which quotes them.
func TestNoTextBecomesAProgram(t *testing.T) {
	t.Parallel()
	seen := 0
	root := os.DirFS("..")
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (slices.Contains(writers(), path) || slices.Contains([]string{".git", "node_modules", "testdata", "deploy"}, d.Name())):
			return fs.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		seen++
		if path == "cmd/conform/exec.go" || path == "internal/testkit/attacks.go" { // --exec runs what its user typed; attacks are to run
			return nil
		}
		for _, found := range programsIn(t, filepath.Join("..", path), nil) {
			t.Errorf("%s: build it of the words of internal/shell", found)
		}
		return nil
	})
	if err != nil || seen < 100 {
		t.Fatalf("%d files: %v", seen, err)
	}
}

// TestProgramsMadeOfTextAreSeen holds what the test above finds, and what it does not.
func TestProgramsMadeOfTextAreSeen(t *testing.T) {
	t.Parallel()
	for source, made := range map[string]bool{
		`fmt.Sprintf("conform replay %s", x)`:               true,
		`fmt.Sprintf("take: conform replay --rule %q.", x)`: true,
		`fmt.Sprintf("conform replay %[2]s", 1, x)`:         true,
		`"curl -X " + x`:                                    true,
		`"curl -X " + x + " 'https://x'"`:                   true,
		`fmt.Errorf("say conform --base-url '%s'", x)`:      true,
		`fmt.Fprintf(w, "export NAME=%s\n", x)`:             true,
		`strings.Join([]string{"curl", "-sS", x}, " ")`:     true,
		`fmt.Sprint("refserver ", "--addr ", x)`:            true,
		`exec.Command("sh", "-c", x)`:                       true,
		`exec.CommandContext(ctx, "sh", "-c", "id "+x)`:     true,
		`exec.Command("sh", "-c", "id")`:                    false,
		`exec.Command("curl", "-sS", x)`:                    false,
		`fmt.Sprintf("conform --seed %d", n)`:               false,
		`fmt.Sprintf("refserver: %s", x)`:                   false,
		`"conform " + help.Version()`:                       false,
		`fmt.Sprintf("conform %s says no", r.Tool.Version)`: false,
		`fmt.Errorf("conform watch: %s", x)`:                false,
		`fmt.Sprintf("conform %s", plain.Line(s.Version))`:  false,
		`fmt.Sprintf("conform %s", oneLine(s.Version))`:     false,
		`fmt.Errorf("--report %s: %w", x, err)`:             false,
		`shell.Line(shell.Call("conform", shell.Plain(x)))`: false,
	} {
		if found := programsIn(t, "source.go", "package p\nvar _ = "+source); (len(found) > 0) != made {
			t.Errorf("%s is seen as %q", source, found)
		}
	}
}

// programsIn are the places of a file that make a command line of a text.
func programsIn(t *testing.T, path string, source any) []string {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, source, 0)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	ast.Inspect(file, func(n ast.Node) bool {
		x, is := n.(ast.Expr)
		if !is {
			return true
		}
		text := templateOf(x)
		if madeOfText.MatchString(text) {
			found = append(found, files.Position(n.Pos()).String()+": "+strconv.Quote(text))
			return false
		}
		return true
	})
	return found
}

// verb matches a verb of a format.
var verb = regexp.MustCompile(`%[-+# 0]*(?:\[\d+\])?\d*(?:\.\d+)?([a-zA-Z%])`)

// templateOf is what an expression makes, as far as it is constant. A text of run time is a hole, a number is
// none.
func templateOf(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(x.Value); err == nil && x.Kind == token.STRING {
			return text
		}
		return "0"
	case *ast.ParenExpr:
		return templateOf(x.X)
	case *ast.BinaryExpr:
		if x.Op == token.ADD {
			return templateOf(x.X) + templateOf(x.Y)
		}
	case *ast.Ident:
		return holeOf(x.Name)
	case *ast.SelectorExpr:
		return holeOf(x.Sel.Name)
	case *ast.CallExpr:
		return templateOfCall(x)
	}
	return hole
}

// holeOf is a hole but for a version, which is our own.
func holeOf(name string) string {
	if strings.HasSuffix(strings.ToLower(name), "version") {
		return "0"
	}
	return hole
}

func templateOfCall(x *ast.CallExpr) string {
	if _, cleans := x.Fun.(*ast.Ident); cleans && len(x.Args) == 1 { // such as oneLine
		return templateOf(x.Args[0])
	}
	f, is := x.Fun.(*ast.SelectorExpr)
	if !is || len(x.Args) == 0 {
		if is {
			return holeOf(f.Sel.Name)
		}
		return hole
	}
	arguments := make([]string, len(x.Args))
	for i, a := range x.Args {
		arguments[i] = templateOf(a)
	}
	of, _ := f.X.(*ast.Ident)
	switch name := f.Sel.Name; {
	case of == nil:
		return hole
	case of.Name == "plain" && len(arguments) == 1: // which cleans a text, too
		return arguments[0]
	case of.Name == "fmt" && slices.Contains([]string{"Sprintf", "Errorf", "Printf"}, name):
		return formatted(arguments[0], arguments[1:])
	case of.Name == "fmt" && name == "Fprintf" && len(arguments) > 1:
		return formatted(arguments[1], arguments[2:])
	case of.Name == "fmt":
		return strings.Join(arguments, "")
	case of.Name == "cmp" && name == "Or":
		return arguments[0]
	case of.Name == "strings" && name == "Join" && len(arguments) == 2:
		if list, is := x.Args[0].(*ast.CompositeLit); is {
			var words []string
			for _, e := range list.Elts {
				words = append(words, templateOf(e))
			}
			return strings.Join(words, arguments[1])
		}
	case of.Name == "exec" && slices.Contains(arguments, "-c"):
		return strings.Join(arguments[slices.Index(arguments, "-c")-1:], " ")
	}
	return hole
}

// formatted is a format with its arguments in the places of its verbs.
func formatted(format string, arguments []string) string {
	n := 0
	return verb.ReplaceAllStringFunc(format, func(text string) string {
		kind := text[len(text)-1]
		if kind == '%' {
			return "%"
		}
		if at := regexp.MustCompile(`\[(\d+)\]`).FindStringSubmatch(text); at != nil {
			n, _ = strconv.Atoi(at[1]) // of digits
			n--
		}
		n++
		if strings.ContainsRune("dtTxXob", rune(kind)) || n > len(arguments) {
			return "0"
		}
		if arguments[n-1] == hole {
			return hole
		}
		return arguments[n-1]
	})
}
