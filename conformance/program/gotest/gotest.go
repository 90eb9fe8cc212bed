// Package gotest writes Go tests that use the typed client. What differs from test to test is a syntax tree,
// whose texts are quoted; the rest is constant.
package gotest

import (
	"bytes"
	_ "embed"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/socialfeed/conform/conformance/program"
)

// The parts that are the same in each test.
var (
	//go:embed imports.go.txt
	imports string
	//go:embed helpers.go.txt
	helpers string
)

// Test is a test: what it makes up, the requests, and how the last one decides.
type Test struct {
	Rule               string
	Title, Statement   string // in the comment
	BaseURL, Authority string // Authority is a file, "" for none
	Insecure           bool
	Words              []Word
	Derived            []Derived
	Since              string // a time that later ones are compared with, "" for none
	Requests           []Request
	Expected           string
	Tries, Repeats     int
	PauseSeconds       int64
	Undecided          []int
	Passing            []string // statuses that are right; 4xx is any refusal
	Recorded           *Recorded
}

// Word is a text that is made up.
type Word struct {
	Variable, Letters string
	Length            int
}

// Derived is a variable made of another one: its first characters, or, for 0, all in upper case.
type Derived struct {
	Variable, From string
	First          int
}

// Request is a request with the variable of its app token.
type Request struct {
	program.Request
	App string
}

// Recorded is the answer that shows the failure, where more than the status does.
type Recorded struct {
	Status         int
	Body           program.Value
	Header         []program.Header
	Field          string   // the header field that alone shows the failure, "" for all of the answer
	Known          []string // ids that answers may hold in any run
	KnownVariables []string
}

// variableName is the alphabet of variables, which are keys of a map.
var variableName = regexp.MustCompile(`^[A-Z][A-Z0-9_]{0,60}$`)

// Text returns the test's source.
func (t *Test) Text() (string, error) {
	name := testName(t.Rule)
	var out bytes.Buffer
	for _, line := range []string{t.Title, t.Statement, "", "It fails where the failure is there. Run it in a module that has", "github.com/socialfeed/conform:", "",
		"\tAPP_TOKEN=… go test -run " + name, "", "SECOND_APP_TOKEN is a second application's token, where it is used; BASE_URL may name",
		"another target, and CA_CERT a file with the authority to trust."} {
		out.WriteString(strings.TrimRight("// "+printable(line), " ") + "\n")
	}
	out.WriteString(imports + "\n")
	body, err := t.body()
	if err != nil {
		return "", fmt.Errorf("writing a Go test: %w", err)
	}
	for _, d := range []ast.Decl{t.constants(), function(name, body)} {
		if err := format.Node(&out, token.NewFileSet(), d); err != nil {
			return "", fmt.Errorf("writing a Go test: %w", err)
		}
		out.WriteString("\n\n")
	}
	out.WriteString(helpers)
	text, err := format.Source(out.Bytes())
	if err != nil {
		return "", fmt.Errorf("writing a Go test: %w", err)
	}
	return string(text), nil
}

// printable is a text in a comment of one line.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\t' && !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
}

// testName is the name of a rule's test.
func testName(rule string) string {
	var b strings.Builder
	for _, part := range strings.FieldsFunc(rule, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return "Test" + b.String()
}

// constants declares what the helpers need of the run.
func (t *Test) constants() ast.Decl {
	d := &ast.GenDecl{Tok: token.CONST, Lparen: 1, Rparen: 1}
	add := func(name string, value ast.Expr) {
		d.Specs = append(d.Specs, &ast.ValueSpec{Names: []*ast.Ident{ast.NewIdent(name)}, Values: []ast.Expr{value}})
	}
	add("baseURL", text(t.BaseURL))
	add("authority", text(t.Authority))
	add("insecure", ast.NewIdent(fmt.Sprint(t.Insecure)))
	return d
}

// body is the statements of the test.
func (t *Test) body() ([]ast.Stmt, error) {
	out := []ast.Stmt{define("s", call(ident("begin"), ident("t")))}
	set := func(name string, value ast.Expr) { out = append(out, assign(variable(name), value)) }
	for _, w := range t.Words {
		set(w.Variable, call(ident("word"), text(w.Letters), integer(w.Length)))
	}
	for _, d := range t.Derived {
		if d.First == 0 {
			set(d.Variable, call(of("strings", "ToUpper"), variable(d.From)))
			continue
		}
		most := call(ident("min"), integer(d.First), call(ident("len"), variable(d.From)))
		set(d.Variable, &ast.SliceExpr{X: variable(d.From), High: most})
	}
	if t.Since != "" {
		set("SINCE", text(t.Since))
	}
	for i, r := range t.Requests {
		if why := r.Misfit(); why != "" || !variableName.MatchString(r.App) {
			return nil, fmt.Errorf("request %d %s", i+1, why)
		}
		if r.WaitMS > 0 {
			out = append(out, do(call(of("time", "Sleep"), product(integer(int(r.WaitMS)), of("time", "Millisecond")))))
		}
		switch {
		case i == len(t.Requests)-1:
		case len(r.Captures) == 0:
			out = append(out, do(t.call(r)))
		default:
			name := fmt.Sprintf("answer%d", i+1)
			out = append(out, define(name, t.call(r)))
			for _, c := range r.Captures {
				set(c.Variable, call(of(name, "take"), text(c.Field)))
			}
		}
	}
	last := t.Requests[len(t.Requests)-1]
	send := closure(nil, ident("answer"), t.call(last))
	there := closure(field("decided", ident("answer")), ident("bool"), t.shows())
	return append(out, do(call(of("s", "decide"), t.rounds(), send, there))), nil
}

// call sends the request.
func (t *Test) call(r Request) ast.Expr {
	return call(of("s", "do"), text(r.App), value(r.Password, variable), text(r.Method), value(r.Path, t.given(inPath)), value(r.Body, t.given(inJSON)))
}

// The helpers that spell what an answer gave where it stands in a request.
const (
	inPath = "inPath" // as a segment, with percent signs
	inJSON = "inJSON" // in a string
)

// given is a variable as a helper spells it where it holds what an answer gave. Others hold letters and digits.
func (t *Test) given(spell string) func(name string) ast.Expr {
	return func(name string) ast.Expr {
		captures := func(r Request) bool {
			return slices.ContainsFunc(r.Captures, func(c program.Capture) bool { return c.Variable == name })
		}
		if slices.ContainsFunc(t.Requests, captures) {
			return call(ident(spell), variable(name))
		}
		return variable(name)
	}
}

func (t *Test) rounds() ast.Expr {
	var statuses []ast.Expr
	for _, status := range t.Undecided {
		statuses = append(statuses, integer(status))
	}
	return literal(ident("rounds"), pair("tries", integer(t.Tries)), pair("repeats", integer(t.Repeats)),
		pair("pause", product(integer(int(t.PauseSeconds)), of("time", "Second"))),
		pair("undecided", literal(&ast.ArrayType{Elt: ident("int")}, statuses...)), pair("expected", text(t.Expected)))
}

// shows is the condition that the answer decided shows the failure.
func (t *Test) shows() ast.Expr {
	if t.Recorded != nil {
		return call(of("s", "again"), t.Recorded.literal(value(t.Recorded.Body, t.given(inJSON))), ident("decided"))
	}
	var all ast.Expr
	for _, status := range t.Passing {
		other := compare(of("decided", "status"), status)
		if all == nil {
			all = other
		} else {
			all = &ast.BinaryExpr{X: all, Op: token.LAND, Y: other}
		}
	}
	return all
}

// compare is the condition that a status is not the given one, or for 4xx no refusal.
func compare(got ast.Expr, status string) ast.Expr {
	if status == "4xx" {
		return &ast.BinaryExpr{X: &ast.BinaryExpr{X: got, Op: token.QUO, Y: integer(100)}, Op: token.NEQ, Y: integer(4)}
	}
	var n int
	_, _ = fmt.Sscanf(status, "%3d", &n) // 0 is no status
	return &ast.BinaryExpr{X: got, Op: token.NEQ, Y: integer(n)}
}

func (r *Recorded) literal(body ast.Expr) ast.Expr {
	var header, known []ast.Expr
	for _, h := range r.Header {
		header = append(header, &ast.CompositeLit{Elts: []ast.Expr{text(h.Name), value(h.Value, variable)}})
	}
	for _, id := range r.Known {
		known = append(known, text(id))
	}
	for _, name := range r.KnownVariables {
		known = append(known, variable(name))
	}
	strings := &ast.ArrayType{Elt: ident("string")}
	pairs := &ast.ArrayType{Elt: &ast.ArrayType{Len: integer(2), Elt: ident("string")}}
	return literal(ident("recorded"), pair("status", integer(r.Status)), pair("body", body),
		pair("header", literal(pairs, header...)), pair("field", text(r.Field)), pair("known", literal(strings, known...)))
}
