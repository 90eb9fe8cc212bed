package sourcemutants

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// mutantVariable is the environment variable that tells the program which mutant it is; none is
// chosen where it is blank.
const mutantVariable = "SOURCE_MUTANT"

// reachedLine is what the program says on its standard error when it first comes to its mutant.
const reachedLine = "mutant reached"

// support is the file that each package gets besides. The number is read once, at the start.
const support = `package %s

import (
	"os"
	"strconv"
	"sync"
)

var chosenMutant, _ = strconv.Atoi(os.Getenv("` + mutantVariable + `"))

var reachMutant = sync.OnceFunc(func() { os.Stderr.WriteString("` + reachedLine + `\n") })

func mutated(number int) bool {
	if number != chosenMutant {
		return false
	}
	reachMutant()
	return true
}
`

// Program is the reference server with all of its mutants.
type Program struct {
	Path    string
	Mutants []Mutant
}

// Build makes the program, and what it is made of, in a folder outside of the module at root.
func Build(ctx context.Context, root, folder string) (*Program, error) {
	s, err := load(root)
	if err != nil {
		return nil, err
	}
	rendered, err := s.rendered()
	if err != nil {
		return nil, err
	}
	overlay := map[string]string{}
	for path, text := range rendered {
		file := filepath.Join(folder, strings.ReplaceAll(strings.TrimPrefix(path, root+string(filepath.Separator)), string(filepath.Separator), "_"))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return nil, fmt.Errorf("writing the mutated source: %w", err)
		}
		overlay[path] = file
	}
	list, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		return nil, fmt.Errorf("listing the mutated source: %w", err)
	}
	overlayFile := filepath.Join(folder, "overlay.json")
	if err := os.WriteFile(overlayFile, list, 0o600); err != nil {
		return nil, fmt.Errorf("listing the mutated source: %w", err)
	}
	program := &Program{Path: filepath.Join(folder, "host")}
	if err := goBuild(ctx, root, program.Path, "./proof/sourcemutants/host", "-overlay", overlayFile); err != nil {
		return nil, err
	}
	for _, m := range s.mutants() {
		program.Mutants = append(program.Mutants, *m)
	}
	return program, nil
}

// goBuild builds a command of the module.
func goBuild(ctx context.Context, root, binary, command string, flags ...string) error {
	arguments := append([]string{"build", "-o", binary}, flags...)
	build := exec.CommandContext(ctx, "go", append(arguments, command)...)
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", command, err, out)
	}
	return nil
}

// rendered is the mutated source by path: without the mutants that do not type-check.
func (s *source) rendered() (map[string]string, error) {
	const enough = 20 // rounds; each drops all mutants that the type checker complains of
	for range enough {
		numbered(s.mutants())
		texts := map[string]string{}
		for _, f := range s.files {
			texts[f.path] = f.render()
		}
		wrong, err := s.check(texts)
		if err != nil {
			return nil, err
		}
		if len(wrong) > 0 {
			s.drop(wrong)
			continue
		}
		for _, pkg := range s.packages {
			texts[filepath.Join(filepath.Dir(pkg.CompiledGoFiles[0]), "mutants_generated.go")] = fmt.Sprintf(support, pkg.Name)
		}
		return texts, nil
	}
	return nil, errors.New("the type checker still complains of the mutated source")
}

// drop forgets mutants.
func (s *source) drop(wrong map[int]bool) {
	for _, f := range s.files {
		for _, site := range f.sites {
			kept := site.options[:0]
			for _, o := range site.options {
				if !wrong[o.mutant.Number] {
					kept = append(kept, o)
				}
			}
			site.options = kept
		}
	}
}

// check type-checks the rendered files, and returns the mutants that cannot be compiled.
func (s *source) check(texts map[string]string) (map[int]bool, error) {
	wrong := map[int]bool{}
	for _, pkg := range s.packages {
		var files []*ast.File
		for _, f := range s.files {
			if f.pkg != pkg {
				continue
			}
			syntax, err := parser.ParseFile(pkg.Fset, f.path, texts[f.path], parser.SkipObjectResolution)
			if err != nil {
				return nil, fmt.Errorf("reading the mutated source: %w", err)
			}
			files = append(files, syntax)
		}
		extra, err := parser.ParseFile(pkg.Fset, "", "package "+pkg.Name+"; func mutated(int) bool { return false }", parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("reading the generated source: %w", err)
		}
		var first error
		config := types.Config{Importer: importer{pkg.Imports}, Sizes: pkg.TypesSizes, GoVersion: "go" + pkg.Module.GoVersion, Error: func(err error) {
			if !s.blame(err, texts, wrong) && first == nil {
				first = err
			}
		}}
		config.Check(pkg.PkgPath, pkg.Fset, append(files, extra), nil) // its error is the first that Error gets
		if first != nil && len(wrong) == 0 {
			return nil, fmt.Errorf("type-checking the mutated source: %w", first)
		}
	}
	return wrong, nil
}

// blame finds the mutants that a complaint is about, and reports whether there are any.
func (s *source) blame(err error, texts map[string]string, wrong map[int]bool) bool {
	var complaint types.Error
	if !errors.As(err, &complaint) {
		return false
	}
	at := complaint.Fset.Position(complaint.Pos)
	for _, f := range s.files {
		if f.path != at.Filename {
			continue
		}
		for _, number := range f.offenders(texts[f.path], at.Offset) {
			wrong[number] = true
		}
	}
	return len(wrong) > 0
}

// importer resolves imports as they were when the package was loaded.
type importer struct{ loaded map[string]*packages.Package }

// Import returns an imported package.
func (i importer) Import(path string) (*types.Package, error) {
	if found := i.loaded[path]; found != nil {
		return found.Types, nil
	}
	return nil, fmt.Errorf("no import of %s", path)
}
