package sourcemutants

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// bounds leaves out bounds of a slice, or moves them by one.
func (at place) bounds(e *ast.SliceExpr, propose proposal) {
	text := func(e ast.Expr) string {
		if e == nil {
			return ""
		}
		return at.source(e)
	}
	x, low, high := at.source(e.X), text(e.Low), text(e.High)
	if e.Slice3 {
		return // a bound of the capacity, which nothing on the wire depends on
	}
	if low != "" {
		propose(Slice, fmt.Sprintf("%s[:%s]", x, high), fmt.Sprintf("%s[%s+1:%s]", x, low, high))
	}
	if high != "" {
		propose(Slice, fmt.Sprintf("%s[%s:]", x, low), fmt.Sprintf("%s[%s:%s-1]", x, low, high))
	}
}

// call replaces a call by an operand of its type, swaps two arguments, or turns an order around.
func (at place) call(e *ast.CallExpr, result types.Type, propose proposal) {
	if e.Ellipsis.IsValid() {
		return
	}
	if method, ok := e.Fun.(*ast.SelectorExpr); ok && at.pkg.TypesInfo.Selections[method] != nil {
		if types.Identical(at.pkg.TypesInfo.TypeOf(method.X), result) {
			propose(Call, at.source(method.X))
		}
		opposites := map[string]string{"Before": "After", "After": "Before", "GetReverse": "Get", "LowerBound": "ReverseLowerBound"}
		if other, ok := opposites[method.Sel.Name]; ok {
			propose(Sort, at.source(method.X)+"."+other+at.source(e)[at.offset(e.Lparen)-at.offset(e.Pos()):])
		}
	}
	name := at.source(e.Fun)
	for i, argument := range e.Args {
		if types.Identical(at.pkg.TypesInfo.TypeOf(argument), result) && !at.pkg.TypesInfo.Types[e.Fun].IsType() && (len(e.Args) == 1 || i == 0) {
			propose(Call, at.source(argument))
		}
		if i == 0 || slices.Contains(symmetric(), name) || !types.Identical(at.pkg.TypesInfo.TypeOf(argument), at.pkg.TypesInfo.TypeOf(e.Args[i-1])) {
			continue
		}
		kind := Call
		if strings.HasSuffix(name, "Compare") {
			kind = Sort
		}
		propose(kind, at.swapped(e, i))
	}
}

// symmetric names functions that do not care for the order of their arguments.
func symmetric() []string {
	return []string{"bytes.Equal", "max", "min", "strings.EqualFold", "subtle.ConstantTimeCompare", "maps.Equal", "slices.Equal", "errors.Join", "cmp.Or"}
}

// swapped is the call with argument i and the one before it swapped.
func (at place) swapped(e *ast.CallExpr, i int) string {
	var arguments []string
	for _, argument := range e.Args {
		arguments = append(arguments, at.source(argument))
	}
	arguments[i-1], arguments[i] = arguments[i], arguments[i-1]
	return fmt.Sprintf("%s(%s)", at.source(e.Fun), strings.Join(arguments, ", "))
}

// sibling is the read of a field replaced by the next one of the same type; blank where there is none.
func (at place) sibling(e *ast.SelectorExpr, typ types.Type) string {
	selection := at.pkg.TypesInfo.Selections[e]
	if selection == nil || selection.Kind() != types.FieldVal || len(selection.Index()) != 1 || at.chooses(e) {
		return ""
	}
	t := selection.Recv()
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		t = pointer.Elem()
	}
	structure, ok := t.Underlying().(*types.Struct)
	if !ok {
		return ""
	}
	here := selection.Index()[0]
	for i := 1; i < structure.NumFields(); i++ {
		other := structure.Field((here + i) % structure.NumFields())
		if types.Identical(other.Type(), typ) && (other.Exported() || other.Pkg() == at.pkg.Types) {
			return at.source(e.X) + "." + other.Name()
		}
	}
	return ""
}
