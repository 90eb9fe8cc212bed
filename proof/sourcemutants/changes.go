package sourcemutants

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/edge"
)

// change is what one operator makes of a node.
type change struct {
	span
	kind          Kind
	typ           string // of an expression
	before, after string // as keys show them
	code          string
}

// changes are what all operators make of the node at a place.
func (at place) changes() []change {
	if e, ok := at.Node().(ast.Expr); ok {
		return at.expressions(e)
	}
	return at.statements()
}

// expressions are the changes of an expression whose value is used, and can be replaced by a call.
func (at place) expressions(e ast.Expr) []change {
	value, known := at.pkg.TypesInfo.Types[e]
	if !known || !value.IsValue() || at.isTarget() {
		return nil
	}
	if value.Value != nil && at.parentIsConstant() {
		return nil
	}
	typ, ok := at.typeText(value.Type)
	if !ok {
		return nil
	}
	var all []change
	propose := func(kind Kind, codes ...string) {
		before := at.source(e)
		for _, code := range codes {
			if code != "" && code != before {
				all = append(all, change{at.spanOf(e), kind, typ, before, code, code})
			}
		}
	}
	if value.Value != nil {
		at.constants(e, value, propose)
		return all
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		at.binary(e, propose)
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			propose(Boolean, at.source(e.X))
		}
	case *ast.SliceExpr:
		at.bounds(e, propose)
	case *ast.CallExpr:
		at.call(e, value.Type, propose)
	case *ast.SelectorExpr:
		propose(Field, at.sibling(e, value.Type))
	}
	if at.isCondition() {
		if at.comparesError(e) {
			propose(Boolean, "false")
		} else {
			propose(Boolean, "true", "false")
		}
	}
	if at.isFieldValue() {
		if zero, ok := at.zero(value.Type); ok {
			propose(Field, zero)
		}
	}
	return all
}

// isTarget reports whether the expression is written to, called, or has its address taken.
func (at place) isTarget() bool {
	switch kind, _ := at.ParentEdge(); kind {
	case edge.AssignStmt_Lhs, edge.IncDecStmt_X, edge.RangeStmt_Key, edge.RangeStmt_Value, edge.CallExpr_Fun,
		edge.CompositeLit_Type, edge.SelectorExpr_Sel, edge.ValueSpec_Names, edge.LabeledStmt_Label, edge.BranchStmt_Label,
		edge.ArrayType_Len, edge.ExprStmt_X, edge.DeferStmt_Call, edge.GoStmt_Call:
		return true
	case edge.UnaryExpr_X:
		return at.Parent().Node().(*ast.UnaryExpr).Op == token.AND
	case edge.SelectorExpr_X:
		return at.isAddressed()
	case edge.KeyValueExpr_Key:
		literal, ok := at.Parent().Parent().Node().(*ast.CompositeLit)
		if !ok {
			return true
		}
		_, isStruct := at.pkg.TypesInfo.TypeOf(literal).Underlying().(*types.Struct)
		return isStruct
	}
	return false
}

// isAddressed reports whether a method is called on the expression that takes its address.
func (at place) isAddressed() bool {
	selection := at.pkg.TypesInfo.Selections[at.Parent().Node().(*ast.SelectorExpr)]
	if selection == nil || selection.Kind() != types.MethodVal {
		return false
	}
	_, byPointer := selection.Obj().Type().(*types.Signature).Recv().Type().(*types.Pointer)
	_, isPointer := selection.Recv().Underlying().(*types.Pointer)
	return byPointer && !isPointer
}

// parentIsConstant reports whether the expression is a part of a larger constant.
func (at place) parentIsConstant() bool {
	parent, ok := at.Parent().Node().(ast.Expr)
	return ok && at.pkg.TypesInfo.Types[parent].Value != nil
}

// isCondition reports whether the expression decides what is executed.
func (at place) isCondition() bool {
	switch kind, _ := at.ParentEdge(); kind {
	case edge.IfStmt_Cond, edge.ForStmt_Cond:
		return true
	case edge.CaseClause_List:
		whole, ok := at.Parent().Parent().Parent().Node().(*ast.SwitchStmt)
		return ok && whole.Tag == nil
	}
	return false
}

// comparesError reports whether the expression asks if there is an error.
func (at place) comparesError(e ast.Expr) bool {
	b, ok := e.(*ast.BinaryExpr)
	return ok && at.source(b.Y) == "nil" && types.Identical(at.pkg.TypesInfo.TypeOf(b.X), types.Universe.Lookup("error").Type())
}

// isFieldValue reports whether the expression sets a field of a literal.
func (at place) isFieldValue() bool {
	if kind, _ := at.ParentEdge(); kind != edge.KeyValueExpr_Value {
		return false
	}
	literal, ok := at.Parent().Parent().Node().(*ast.CompositeLit)
	if !ok {
		return false
	}
	_, isStruct := at.pkg.TypesInfo.TypeOf(literal).Underlying().(*types.Struct)
	return isStruct
}

// typeText writes a type as the file can; false where it lacks the import.
func (at place) typeText(t types.Type) (string, bool) {
	t = types.Default(t)
	if _, isTuple := t.(*types.Tuple); isTuple {
		return "", false
	}
	known := true
	text := types.TypeString(t, func(p *types.Package) string {
		if p == at.pkg.Types {
			return ""
		}
		for _, spec := range at.syntax.Imports {
			if strings.Trim(spec.Path.Value, `"`) == p.Path() {
				if spec.Name != nil {
					return spec.Name.Name
				}
				return p.Name()
			}
		}
		known = false
		return ""
	})
	return text, known
}

// zero writes the zero value of a type.
func (at place) zero(t types.Type) (string, bool) {
	text, ok := at.typeText(t)
	if !ok {
		return "", false
	}
	switch under := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case under.Info()&types.IsBoolean != 0:
			return "false", true
		case under.Info()&types.IsNumeric != 0:
			return "0", true
		case under.Info()&types.IsString != 0:
			return `""`, true
		}
	case *types.Struct, *types.Array:
		return "(" + text + "{})", true
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature, *types.Interface:
		if _, isParameter := types.Unalias(t).(*types.TypeParam); !isParameter {
			return "nil", true
		}
	}
	return "", false
}
