package sourcemutants

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/packages"
)

// mutatedPackages hold the contract's behaviour. Faults, the control plane and the commands do not.
func mutatedPackages() []string { return []string{"./refserver", "./refserver/store"} }

// source is the reference server's source with the places where it can be changed.
type source struct {
	root     string // of the module
	packages []*packages.Package
	files    []*file
}

// file is one source file with its sites.
type file struct {
	pkg   *packages.Package
	path  string
	name  string // from the root of the module
	text  []byte
	sites []*site
}

// load reads and type-checks the packages of the module at root, and finds the sites.
func load(root string) (*source, error) {
	config := &packages.Config{Mode: packages.LoadSyntax | packages.NeedModule, Dir: root}
	loaded, err := packages.Load(config, mutatedPackages()...)
	if err != nil {
		return nil, fmt.Errorf("loading the reference server's source: %w", err)
	}
	s := &source{root: root, packages: loaded}
	for _, pkg := range loaded {
		if len(pkg.Errors) > 0 {
			return nil, fmt.Errorf("loading the reference server's source: %w", pkg.Errors[0])
		}
		for i, syntax := range pkg.Syntax {
			f := &file{pkg: pkg, path: pkg.CompiledGoFiles[i]}
			if f.text, err = os.ReadFile(f.path); err != nil {
				return nil, fmt.Errorf("reading the source: %w", err)
			}
			if f.name, err = filepath.Rel(root, f.path); err != nil {
				return nil, fmt.Errorf("naming a source file: %w", err)
			}
			f.name = filepath.ToSlash(f.name)
			if !slices.Contains(leftOutFiles(), f.name) {
				f.find(syntax)
			}
			s.files = append(s.files, f)
		}
	}
	return s, nil
}

// mutants lists what the sites offer, in the order of the source.
func (s *source) mutants() []*Mutant {
	var all []*Mutant
	for _, f := range s.files {
		for _, site := range f.sites {
			for _, option := range site.options {
				all = append(all, option.mutant)
			}
		}
	}
	return all
}

// place is a node with what operators ask about it.
type place struct {
	*file
	syntax *ast.File
	inspector.Cursor
	function  string
	signature *types.Signature // of the innermost function; nil outside of one
}

// find collects the sites of a file.
func (f *file) find(syntax *ast.File) {
	root := inspector.New([]*ast.File{syntax}).Root()
	found := map[span]*site{}
	var walk func(at place)
	walk = func(at place) {
		at.enter()
		if at.skipped() {
			return
		}
		for _, change := range at.changes() {
			if found[change.span] == nil {
				found[change.span] = &site{span: change.span, typ: change.typ}
				f.sites = append(f.sites, found[change.span])
			}
			m := &Mutant{Kind: change.kind, File: f.name, Function: at.function, Before: oneLine(change.before), After: oneLine(change.after),
				Line: at.pkg.Fset.Position(at.Node().Pos()).Line}
			found[change.span].options = append(found[change.span].options, option{m, change.code})
		}
		for child := range at.Children() {
			next := at
			next.Cursor = child
			walk(next)
		}
	}
	for child := range root.Children() {
		walk(place{file: f, syntax: syntax, Cursor: child, function: "var"})
	}
	sortSites(f.sites)
}

// enter notes which function the place is in.
func (at *place) enter() {
	switch n := at.Node().(type) {
	case *ast.FuncDecl:
		at.function = n.Name.Name
		if object, ok := at.pkg.TypesInfo.Defs[n.Name].(*types.Func); ok {
			at.signature = object.Signature()
			if receiver := at.signature.Recv(); receiver != nil {
				at.function = typeName(receiver.Type()) + "." + at.function
			}
		}
	case *ast.FuncLit:
		at.signature, _ = at.pkg.TypesInfo.TypeOf(n).(*types.Signature)
	}
}

// typeName is the name of a type, or of what it points to; blank where it has none.
func typeName(t types.Type) string {
	if pointer, ok := types.Unalias(t).(*types.Pointer); ok {
		t = pointer.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Obj().Name()
	}
	return ""
}

// source is the text of a node.
func (at place) source(n ast.Node) string {
	return string(at.text[at.offset(n.Pos()):at.offset(n.End())])
}

func (at place) offset(p token.Pos) int { return at.pkg.Fset.Position(p).Offset }

func (at place) spanOf(n ast.Node) span {
	return span{at.offset(n.Pos()), at.offset(n.End()), replaceNode}
}
