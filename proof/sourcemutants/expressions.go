package sourcemutants

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// proposal takes up replacements of an expression.
type proposal func(kind Kind, codes ...string)

// binary changes an operator, or leaves out an operand.
func (at place) binary(e *ast.BinaryExpr, propose proposal) {
	x, y := at.source(e.X), at.source(e.Y)
	with := func(op string) string { return x + " " + op + " " + y }
	if others, ok := relations()[e.Op]; ok {
		for _, op := range others {
			if !at.comparesError(e) {
				propose(Relational, with(op.String()))
			}
		}
		return
	}
	switch e.Op {
	case token.LAND:
		propose(Boolean, x+" || "+y, x, y)
	case token.LOR:
		propose(Boolean, x+" && "+y, x, y)
	case token.ADD:
		if basic, ok := at.pkg.TypesInfo.TypeOf(e).Underlying().(*types.Basic); ok && basic.Info()&types.IsString != 0 {
			propose(Arithmetic, x, y)
			return
		}
		propose(Arithmetic, with("-"))
	default:
		if other, ok := operations()[e.Op]; ok {
			propose(Arithmetic, with(other.String()))
		}
	}
}

// relations has for each comparison its neighbour and its opposite.
func relations() map[token.Token][]token.Token {
	return map[token.Token][]token.Token{
		token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR},
		token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
		token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
	}
}

func operations() map[token.Token]token.Token {
	return map[token.Token]token.Token{
		token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.MUL,
		token.SHL: token.SHR, token.SHR: token.SHL, token.AND: token.OR, token.OR: token.AND,
	}
}

// constants changes a constant expression.
func (at place) constants(e ast.Expr, value types.TypeAndValue, propose proposal) {
	text := at.source(e)
	if at.isStatus(e) {
		number, _ := constant.Int64Val(value.Value)
		for _, other := range otherStatuses(int(number)) {
			propose(Status, strconv.Itoa(other))
		}
		return
	}
	if other := at.otherConstant(e, value); other != "" {
		propose(Constant, other)
		return
	}
	switch value.Value.Kind() {
	case constant.Bool:
		propose(Boolean, strconv.FormatBool(!constant.BoolVal(value.Value)))
	case constant.String:
		s := constant.StringVal(value.Value)
		if message := strings.Contains(s, " ") && !strings.Contains(s, "/"); s != "" && !message {
			propose(String, `""`, strconv.Quote(altered(s)))
		}
	case constant.Int, constant.Float:
		switch {
		case typeName(value.Type) == "Duration" && constant.Sign(value.Value) != 0:
			propose(Constant, "("+text+") * 2", "("+text+") / 2")
		case strings.HasPrefix(text, "code"): // of an error, which the contract leaves open
		default:
			propose(Constant, text+" + 1", text+" - 1")
		}
	}
}

// altered is a text with its last letter changed, in the case that it had.
func altered(text string) string {
	runes := []rune(text)
	last := len(runes) - 1
	if runes[last] = 'x'; text == string(runes) {
		runes[last] = 'y'
	}
	return string(runes)
}

// isStatus reports whether a constant is an HTTP status.
func (at place) isStatus(e ast.Expr) bool {
	selector, ok := e.(*ast.SelectorExpr)
	if ok && strings.HasPrefix(selector.Sel.Name, "Status") {
		object := at.pkg.TypesInfo.Uses[selector.Sel]
		return object != nil && object.Pkg() != nil && object.Pkg().Path() == "net/http"
	}
	call, ok := at.Parent().Node().(*ast.CallExpr)
	if !ok {
		return false
	}
	signature, ok := at.pkg.TypesInfo.TypeOf(call.Fun).(*types.Signature)
	i := slices.Index(call.Args, e)
	return ok && i >= 0 && i < signature.Params().Len() && signature.Params().At(i).Name() == "status"
}

// otherStatuses are a status of the same class and one of another class.
func otherStatuses(status int) []int {
	near := map[int]int{
		http.StatusOK: http.StatusCreated, http.StatusCreated: http.StatusOK, http.StatusNoContent: http.StatusOK,
		http.StatusBadRequest: http.StatusUnprocessableEntity, http.StatusUnauthorized: http.StatusForbidden,
		http.StatusForbidden: http.StatusUnauthorized, http.StatusNotFound: http.StatusForbidden,
		http.StatusMethodNotAllowed: http.StatusNotFound, http.StatusNotAcceptable: http.StatusUnsupportedMediaType,
		http.StatusConflict: http.StatusUnprocessableEntity, http.StatusUnsupportedMediaType: http.StatusNotAcceptable,
		http.StatusUnprocessableEntity: http.StatusConflict, http.StatusTooManyRequests: http.StatusServiceUnavailable,
	}
	far := http.StatusOK
	if status < http.StatusBadRequest {
		far = http.StatusInternalServerError
	}
	if other, ok := near[status]; ok {
		return []int{other, far}
	}
	return []int{far}
}

// otherConstant names the next constant of the same enumeration, blank where there is none.
func (at place) otherConstant(e ast.Expr, value types.TypeAndValue) string {
	named, ok := types.Unalias(value.Type).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || !strings.HasPrefix(named.Obj().Pkg().Path(), "github.com/socialfeed/") {
		return ""
	}
	scope, prefix := named.Obj().Pkg().Scope(), ""
	if named.Obj().Pkg() != at.pkg.Types {
		prefix = named.Obj().Pkg().Name() + "."
	}
	var names []string
	here := -1
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if !ok || !types.Identical(c.Type(), named) || prefix != "" && !c.Exported() {
			continue
		}
		if constant.Compare(c.Val(), token.EQL, value.Value) {
			here = len(names)
		}
		names = append(names, prefix+name)
	}
	if here < 0 || len(names) < 2 {
		return ""
	}
	return names[(here+1)%len(names)]
}
