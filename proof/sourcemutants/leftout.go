package sourcemutants

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// leftOutFiles serve no request of the contract: settings and their names, traces, saved states, the
// bound on memory, how long a lagging reader stays behind; or how HTTP is spoken below the contract.
// Rate limits are off while mutants are judged, and no run lasts as long as a session.
func leftOutFiles() []string {
	return []string{
		"refserver/choices.go", "refserver/choices_validate.go", "refserver/compose.go", "refserver/dialects.go",
		"refserver/framing.go", "refserver/jsonconn.go", "refserver/listener.go", "refserver/serve.go",
		"refserver/memory.go", "refserver/options.go", "refserver/ratelimit.go", "refserver/state.go", "refserver/trace.go",
		"refserver/store/counts.go", "refserver/store/history.go", "refserver/store/state.go", "refserver/store/stopwatch.go",
	}
}

// leftOutFunctions likewise: they restore states, serve wrappers of the store, or another dialect.
func leftOutFunctions() []string {
	return []string{
		"passwords.learn", "restored", "sessionTable.rows", "sessionTable.adopt", "sessionTable.count", "snapshot.events",
		"Store.ConnectSocial", "Store.Feed",
		"Server.keepPlatformID", "Server.refuseFormer", "Server.connects", "tx.settleKinds", "nonzero", "uuid", "parseUUID",
	}
}

// choiceTypes are the types of choices that have a type of their own.
func choiceTypes() []string {
	return []string{"IDForm", "TimeFormat", "SecondKind", "SessionsEnd", "QueryAnswer", "RateScope", "RateHeaders"}
}

// skipped reports whether nothing below a node is changed: constants, types, and what only
// another dialect runs, whose every choice is lawful.
func (at place) skipped() bool {
	switch n := at.Node().(type) {
	case *ast.FuncDecl:
		return slices.Contains(leftOutFunctions(), at.function)
	case *ast.GenDecl:
		return n.Tok != token.VAR
	case *ast.IfStmt:
		return n.Else == nil && at.chooses(n.Cond)
	case *ast.CaseClause:
		return slices.ContainsFunc(n.List, at.chooses) || at.otherChoice(n)
	case *ast.BinaryExpr, *ast.UnaryExpr:
		return at.chooses(n.(ast.Expr))
	case *ast.CallExpr:
		return at.speaks(n)
	case *ast.KeyValueExpr:
		key, ok := n.Key.(*ast.Ident)
		return ok && (key.Name == "message" || key.Name == "code" || slices.Contains([]string{"Choices", "Policy"}, typeName(at.pkg.TypesInfo.TypeOf(n.Value))))
	case *ast.Field, *ast.ImportSpec, *ast.TypeSpec:
		return true
	}
	return false
}

// chooses reports whether an expression reads a choice that the contract leaves open, or asks whether
// a wrapper stands before the store, which none does.
func (at place) chooses(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		if e, ok := n.(ast.Expr); ok && slices.Contains(choiceTypes(), typeName(at.pkg.TypesInfo.TypeOf(e))) {
			found = true
		}
		selector, ok := n.(*ast.SelectorExpr)
		if !ok || at.pkg.TypesInfo.Selections[selector] == nil {
			return true
		}
		name := typeName(at.pkg.TypesInfo.Selections[selector].Recv())
		found = found || name == "Choices" || name == "Policy" || name == "Server" && selector.Sel.Name == "direct"
		return true
	})
	return found
}

// otherChoice reports whether a clause belongs to a switch over a choice, and not to its default.
func (at place) otherChoice(clause *ast.CaseClause) bool {
	whole, ok := at.Parent().Parent().Node().(*ast.SwitchStmt)
	if !ok || whole.Tag == nil || !at.chooses(whole.Tag) || len(clause.List) == 0 {
		return false
	}
	return !slices.ContainsFunc(clause.List, func(e ast.Expr) bool {
		value := at.pkg.TypesInfo.Types[e].Value
		return value != nil && (value.ExactString() == `""` || value.ExactString() == "0")
	})
}

// speaks reports whether a call makes the text of an error or a log, which the contract leaves open, or
// lists fields for a dialect that refuses others.
func (at place) speaks(call *ast.CallExpr) bool {
	name := at.source(call.Fun)
	name, _, _ = strings.Cut(name, "[") // of type arguments
	return strings.Contains(name, "logger.") || strings.HasPrefix(name, "trace.") ||
		slices.Contains([]string{"fmt.Errorf", "errors.New", "panic", "badCredentials", "notFound", "wrongType", "f.only"}, name)
}
