package proof_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the drawing of the packages into docs/architecture.md")

// TestArchitectureIsDrawn compares the drawing in docs/architecture.md with the imports of the packages.
func TestArchitectureIsDrawn(t *testing.T) {
	path := filepath.Join("..", "docs", "architecture.md")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const opening, closing = "```mermaid\n", "```\n"
	before, rest, opened := strings.Cut(string(data), opening)
	drawn, after, closed := strings.Cut(rest, closing)
	if !opened || !closed {
		t.Fatal("the page has no drawing")
	}
	want := drawing(packageImports(t))
	if drawn == want {
		return
	}
	if !*update {
		t.Fatal("the drawing is stale: go test ./proof -run TestArchitectureIsDrawn -update")
	}
	if err := os.WriteFile(path, []byte(before+opening+want+closing+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// drawing is the import graph in Mermaid's language. It leaves out the small helpers in internal/, the packages that nothing
// imports and that import nothing, and each arrow that a longer way through the graph implies.
func drawing(imports map[string][]string) string {
	graph := map[string][]string{}
	for from, all := range imports {
		for _, to := range all {
			if !strings.HasPrefix(from, "internal/") && !strings.HasPrefix(to, "internal/") && !strings.HasPrefix(from, "proof/") {
				graph[from] = append(graph[from], to)
			}
		}
	}
	groups := map[string][]string{}
	var lines []string
	for _, from := range slices.Sorted(maps.Keys(graph)) {
		slices.Sort(graph[from])
		for _, to := range graph[from] {
			for _, end := range []string{from, to} {
				group, _, _ := strings.Cut(end, "/")
				if !slices.Contains(groups[group], end) {
					groups[group] = append(groups[group], end)
				}
			}
			if !slices.ContainsFunc(graph[from], func(by string) bool { return by != to && reaches(graph, by, to) }) {
				lines = append(lines, fmt.Sprintf("  %s --> %s\n", node(from), node(to)))
			}
		}
	}
	var b strings.Builder
	b.WriteString("flowchart TD\n")
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		slices.Sort(groups[group])
		fmt.Fprintf(&b, "  subgraph %s_[%s]\n", group, group)
		for _, name := range groups[group] {
			fmt.Fprintf(&b, "    %s[%s]\n", node(name), name)
		}
		b.WriteString("  end\n")
	}
	return b.String() + strings.Join(lines, "")
}

// reaches reports whether a way leads from one package to another.
func reaches(graph map[string][]string, from, to string) bool {
	return slices.ContainsFunc(graph[from], func(next string) bool { return next == to || reaches(graph, next, to) })
}

// node is a package's name in the drawing's language, which takes no slash.
func node(name string) string { return strings.ReplaceAll(name, "/", "_") }
