package gotest

import (
	"go/ast"
	"go/token"
	"strconv"

	"github.com/socialfeed/conform/conformance/program"
)

// ident is a name in the source. All of them are constants or made here: texts of requests are in text,
// and no other function makes source of a string.
func ident(name string) *ast.Ident { return ast.NewIdent(name) }

func of(x, name string) ast.Expr { return &ast.SelectorExpr{X: ident(x), Sel: ident(name)} }

// text is a text as a quoted string.
func text(s string) ast.Expr {
	quoted := strconv.QuoteToASCII(s)
	if strconv.CanBackquote(s) && quoted != `"`+s+`"` {
		quoted = "`" + s + "`"
	}
	return &ast.BasicLit{Kind: token.STRING, Value: quoted}
}

func integer(n int) ast.Expr { return &ast.BasicLit{Kind: token.INT, Value: strconv.Itoa(n)} }

// variable is an entry of the story's map, whatever its name is made of.
func variable(name string) ast.Expr {
	return &ast.IndexExpr{X: of("s", "v"), Index: text(name)}
}

// value is a text with variables, each spelled as given, as a sum of strings.
func value(v program.Value, spelled func(name string) ast.Expr) ast.Expr {
	var sum ast.Expr
	for _, p := range v {
		part := text(p.Text)
		if p.Variable != "" {
			part = spelled(p.Variable)
		}
		if sum == nil {
			sum = part
		} else {
			sum = &ast.BinaryExpr{X: sum, Op: token.ADD, Y: part}
		}
	}
	if sum == nil {
		return text("")
	}
	return sum
}

func call(f ast.Expr, arguments ...ast.Expr) ast.Expr { return &ast.CallExpr{Fun: f, Args: arguments} }

func product(x, y ast.Expr) ast.Expr { return &ast.BinaryExpr{X: x, Op: token.MUL, Y: y} }

func pair(name string, value ast.Expr) ast.Expr {
	return &ast.KeyValueExpr{Key: ident(name), Value: value}
}

func literal(of ast.Expr, elements ...ast.Expr) ast.Expr {
	return &ast.CompositeLit{Type: of, Elts: elements}
}

func do(x ast.Expr) ast.Stmt { return &ast.ExprStmt{X: x} }

func define(name string, value ast.Expr) ast.Stmt {
	return &ast.AssignStmt{Lhs: []ast.Expr{ident(name)}, Tok: token.DEFINE, Rhs: []ast.Expr{value}}
}

func assign(to, value ast.Expr) ast.Stmt {
	return &ast.AssignStmt{Lhs: []ast.Expr{to}, Tok: token.ASSIGN, Rhs: []ast.Expr{value}}
}

func field(name string, of ast.Expr) *ast.Field {
	return &ast.Field{Names: []*ast.Ident{ident(name)}, Type: of}
}

// closure is a function that returns an expression.
func closure(parameter *ast.Field, returns, x ast.Expr) ast.Expr {
	parameters := &ast.FieldList{}
	if parameter != nil {
		parameters.List = []*ast.Field{parameter}
	}
	return &ast.FuncLit{Type: &ast.FuncType{Params: parameters, Results: &ast.FieldList{List: []*ast.Field{{Type: returns}}}},
		Body: &ast.BlockStmt{List: []ast.Stmt{&ast.ReturnStmt{Results: []ast.Expr{x}}}}}
}

// function declares a test.
func function(name string, body []ast.Stmt) ast.Decl {
	t := field("t", &ast.StarExpr{X: of("testing", "T")})
	return &ast.FuncDecl{Name: ident(name), Type: &ast.FuncType{Params: &ast.FieldList{List: []*ast.Field{t}}}, Body: &ast.BlockStmt{List: body}}
}
