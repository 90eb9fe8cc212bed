package sourcemutants

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// module writes a small module with the folders that the measurement looks at.
func module(t *testing.T, files map[string]string) (root string) {
	t.Helper()
	root = t.TempDir()
	all := map[string]string{
		"go.mod":                           "module github.com/socialfeed/small\n\ngo 1.26\n",
		"refserver/said.go":                "package refserver\n\nvar _ = 0\n",
		"refserver/store/store.go":         "package store\n",
		"refserver/dialects.go":            "package refserver\n\nfunc dialects() int { return 1 + 2 }\n", // left out
		"proof/sourcemutants/host/main.go": "package main\n\nimport (\n\t\"fmt\"\n\t\"github.com/socialfeed/small/refserver\"\n)\n\nfunc main() { fmt.Println(refserver.Said()) }\n",
	}
	maps.Copy(all, files)
	for path, text := range all {
		path = filepath.Join(root, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestOperators(t *testing.T) {
	cases := []struct {
		name, source string
		want         []string
	}{
		{"a comparison", "func f(a, b int) bool { return a < b }",
			[]string{"return: return a < b → return !(a < b)", "relational: a < b → a <= b", "relational: a < b → a >= b"}},
		{"a condition", "func f(a, b bool) int {\n\tif a && b {\n\t\treturn 1\n\t}\n\treturn 0\n}",
			[]string{"boolean: a && b → a || b", "boolean: a && b → a", "boolean: a && b → b", "boolean: a && b → true", "boolean: a && b → false",
				"statement: return 1 → (left out)", "constant: 1 → 1 + 1", "constant: 1 → 1 - 1", "constant: 0 → 0 + 1", "constant: 0 → 0 - 1"}},
		{"a text", "func f() string { return \"verb\" }", []string{`string: "verb" → ""`, `string: "verb" → "verx"`}},
		{"the text of an error is open", "import \"errors\"\n\nfunc f() error { return errors.New(\"gone\") }",
			[]string{`return: return errors.New("gone") → return nil`}},
		{"a status", "import \"net/http\"\n\nfunc f() int { return http.StatusNotFound }",
			[]string{"status: http.StatusNotFound → 403", "status: http.StatusNotFound → 200"}},
		{"bounds", "func f(s []int) []int { return s[1:] }",
			[]string{"return: return s[1:] → return nil", "slice: s[1:] → s[:]", "slice: s[1:] → s[1+1:]", "constant: 1 → 1 + 1", "constant: 1 → 1 - 1"}},
		{"an order", "import (\n\t\"cmp\"\n\t\"slices\"\n)\n\nfunc f(s []int) {\n\tslices.SortFunc(s, func(a, b int) int { return cmp.Compare(a, b) })\n}",
			[]string{"sort: slices.SortFunc(s, func(a, b int) int { return cmp.Compare(a, b) }) → (left out)",
				"return: return cmp.Compare(a, b) → return 0", "call: cmp.Compare(a, b) → a", "sort: cmp.Compare(a, b) → cmp.Compare(b, a)"}},
		{"fields", "type pair struct{ one, two string }\n\nfunc f(p pair) pair { return pair{one: p.one} }",
			[]string{"return: return pair{one: p.one} → return (pair{})", "field: p.one → p.two", `field: p.one → ""`}},
		{"a loop", "func f(s []int) (n int) {\n\tfor range s {\n\t\tn++\n\t}\n\treturn n\n}",
			[]string{"statement: n++ → (left out)", "loop: for range s → (first round only)", "return: return n → return 0"}},
		{"a case", "func f(n int) (s string) {\n\tswitch {\n\tcase n > 2:\n\t\ts = \"x\"\n\t}\n\treturn s\n}",
			[]string{"relational: n > 2 → n >= 2", "relational: n > 2 → n <= 2", "boolean: n > 2 → true", "boolean: n > 2 → false",
				"constant: 2 → 2 + 1", "constant: 2 → 2 - 1", "case: case n > 2 → (does nothing)", `statement: s = "x" → (left out)`,
				`string: "x" → ""`, `string: "x" → "y"`, `return: return s → return ""`}},
		{"a choice of a dialect is lawful either way", "type Choices struct{ Short bool }\n\nfunc f(c Choices, s string) string {\n\tif c.Short {\n\t\ts = s[:1]\n\t}\n\treturn s\n}",
			[]string{`return: return s → return ""`}},
		{"an error that is passed on", "func g() error { return nil }\n\nfunc f() error {\n\tif err := g(); err != nil {\n\t\treturn err\n\t}\n\treturn nil\n}",
			[]string{"boolean: err != nil → false", "return: return err → return nil", "statement: return err → (left out)"}},
		{"alike ones are told apart", "func f(a, b bool) bool {\n\ta = !a\n\ta = !a\n\treturn b\n}",
			[]string{"statement: a = !a → (left out)", "boolean: !a → a", "statement: a = !a → (left out) #2", "boolean: !a → a #2", "return: return b → return !(b)"}},
		{"constants and array lengths stay", "const most = 3\n\nfunc f() (a [most]int) { return }", nil},
	}
	files := map[string]string{}
	for i, test := range cases {
		files[fmt.Sprintf("refserver/case%d.go", i)] = "package refserver\n\n" + strings.Replace(test.source, "func f(", fmt.Sprintf("func f%d(", i), 1)
	}
	s, err := load(module(t, files))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.rendered(); err != nil {
		t.Fatal(err)
	}
	for i, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, m := range s.mutants() {
				if change, ours := strings.CutPrefix(m.Key(), fmt.Sprintf("refserver/case%d.go f%d ", i, i)); ours {
					got = append(got, change)
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

// TestOneProgramHoldsAllMutants: the number in the environment chooses, and nothing else changes.
func TestOneProgramHoldsAllMutants(t *testing.T) {
	root := module(t, map[string]string{"refserver/said.go": `package refserver

import "fmt"

func sum(numbers []int) (total int) {
	for _, n := range numbers {
		if n%2 == 0 && n/2 > 1 {
			total += n
		}
	}
	return total
}

func Said() string { return fmt.Sprint(sum([]int{1, 4, 6, 7})) }
`})
	before := filesOf(t, root)
	program, err := Build(t.Context(), root, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	said := func(number int) string {
		cmd := exec.CommandContext(t.Context(), program.Path)
		cmd.Env = append(os.Environ(), mutantVariable+"="+strconv.Itoa(number))
		out, err := cmd.Output()
		if err != nil {
			return err.Error()
		}
		return strings.TrimSpace(string(out))
	}
	if got := said(0); got != "10" {
		t.Errorf("the program without a mutant says %s, want 10", got)
	}
	answers := map[string]bool{}
	for _, m := range program.Mutants {
		answers[said(m.Number)] = true
	}
	for _, want := range []string{"0", "17", "4", "6", "7", ""} { // no sum; three of them; the first; the second; the odd one; no text
		if !answers[want] {
			t.Errorf("no mutant says %q: %v", want, slices.Sorted(maps.Keys(answers)))
		}
	}
	if after := filesOf(t, root); !slices.Equal(before, after) {
		t.Errorf("the module has changed: %v", after)
	}
}

func filesOf(t *testing.T, root string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
		names = append(names, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
