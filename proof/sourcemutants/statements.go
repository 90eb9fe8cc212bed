package sourcemutants

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/edge"
)

// statements are the changes of a statement that stands in a list.
func (at place) statements() []change {
	switch n := at.Node().(type) {
	case *ast.ForStmt:
		if n.Cond == nil {
			return nil // what follows it may be unreachable, and need no return
		}
		return at.firstRound(n.Body)
	case *ast.RangeStmt:
		return at.firstRound(n.Body)
	case *ast.CaseClause:
		return at.idle(n)
	case *ast.ReturnStmt:
		return append(at.returns(n), at.leftOut(n)...)
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); ok && at.speaks(call) {
			return nil
		}
		return at.leftOut(n)
	case *ast.AssignStmt:
		if n.Tok == token.DEFINE {
			return nil
		}
		return at.leftOut(n)
	case *ast.IncDecStmt, *ast.DeferStmt, *ast.GoStmt, *ast.SendStmt, *ast.BranchStmt:
		return at.leftOut(n)
	}
	return nil
}

// leftOut leaves a statement out. A return is left out where more statements follow it.
func (at place) leftOut(n ast.Node) []change {
	kind, _ := at.ParentEdge()
	switch kind {
	case edge.BlockStmt_List, edge.CaseClause_Body, edge.CommClause_Body:
	default:
		return nil
	}
	if _, returns := n.(*ast.ReturnStmt); returns {
		guard, ok := at.Parent().Parent().Node().(*ast.IfStmt)
		if kind != edge.BlockStmt_List || !ok || guard.Else != nil {
			return nil
		}
	}
	before := at.source(n)
	what := Statement
	if strings.HasPrefix(before, "slices.Sort") || strings.HasPrefix(before, "slices.Reverse") || strings.HasPrefix(before, "sort.") {
		what = Sort
	}
	s := at.spanOf(n)
	s.how = replaceStatement
	return []change{{span: s, kind: what, before: before, after: "(left out)"}}
}

// returns gives back a zero value, or the opposite, in the place of each result.
func (at place) returns(n *ast.ReturnStmt) []change {
	if at.signature == nil || len(n.Results) != at.signature.Results().Len() {
		return nil
	}
	var all []change
	for i, result := range n.Results {
		value := at.pkg.TypesInfo.Types[result]
		if value.Value != nil || value.IsNil() || at.chooses(result) {
			continue
		}
		typ := at.signature.Results().At(i).Type()
		replacement, ok := at.zero(typ)
		if basic, isBasic := typ.Underlying().(*types.Basic); isBasic && basic.Info()&types.IsBoolean != 0 {
			replacement = "!(" + at.source(result) + ")"
		}
		if !ok || replacement == "("+at.source(result)+")" {
			continue
		}
		var results []string
		for j, each := range n.Results {
			if j == i {
				results = append(results, replacement)
			} else {
				results = append(results, at.source(each))
			}
		}
		s := at.spanOf(n)
		s.how = replaceStatement
		code := "return " + strings.Join(results, ", ")
		all = append(all, change{span: s, kind: Return, before: at.source(n), after: code, code: code})
	}
	return all
}

// firstRound ends a loop after its first round.
func (at place) firstRound(body *ast.BlockStmt) []change {
	if len(body.List) == 0 {
		return nil
	}
	switch body.List[len(body.List)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return nil
	}
	end := at.offset(body.Rbrace)
	header := string(at.text[at.offset(at.Node().Pos()):at.offset(body.Lbrace)])
	return []change{{span: span{end, end, insertBefore}, kind: Loop, before: header, after: "(first round only)", code: "break"}}
}

// idle lets a case do nothing.
func (at place) idle(n *ast.CaseClause) []change {
	if len(n.Body) == 0 {
		return nil
	}
	if _, returns := n.Body[len(n.Body)-1].(*ast.ReturnStmt); returns && at.signature != nil && at.signature.Results().Len() > 0 {
		return nil // the switch may be all that returns
	}
	start := at.offset(n.Body[0].Pos())
	header := string(at.text[at.offset(n.Pos()):at.offset(n.Colon)])
	return []change{{span: span{start, start, insertBefore}, kind: Case, before: header, after: "(does nothing)", code: "break"}}
}
