package proof_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/socialfeed/conform/internal/testkit"
)

// TestTextIsPlainEnglish looks for turns of phrase that people read twice, in the pages, in the list of messages, and in the
// comments and texts of the packages that have been gone through up to now, and in the catalogue of rules.
func TestTextIsPlainEnglish(t *testing.T) {
	turns := readTwice()
	root, seen := "..", 0
	look := func(place, text string) {
		seen++
		for _, turn := range turns {
			if turn.notYet != nil && turn.notYet.MatchString(filepath.ToSlash(place)) {
				continue
			}
			if found := turn.pattern.FindString(text); found != "" {
				t.Errorf("%s: %q: %s", place, strings.TrimSpace(found), turn.instead)
			}
		}
	}
	pages := testkit.Pages(t, root)
	for _, path := range []string{filepath.Join(root, "testdata", "messages.md")} {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		pages[path] = string(data)
	}
	fence := regexp.MustCompile("(?ms)^```.*?^```$")
	delete(pages, filepath.Join(root, "docs", "detection.md")) // not yet
	for path, page := range pages {
		for _, paragraph := range strings.Split(fence.ReplaceAllString(page, ""), "\n\n") {
			if !strings.HasPrefix(strings.TrimSpace(paragraph), "#") {
				look(path, strings.Join(strings.Fields(paragraph), " "))
			}
		}
	}
	for _, folder := range []string{"client", "cmd/conform", "cmd/refserver", "docs", "internal/*", "packages", "refserver", "refserver/*", "refserver/*/*", "scenarios", "conformance/rules"} {
		paths, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if !strings.HasSuffix(path, "_test.go") {
				eachText(t, path, look)
			}
		}
	}
	for _, path := range []string{"rules.yaml", "client.yaml", "ledger.yaml"} {
		eachEntry(t, filepath.Join(root, "conformance", "rules", path), look)
	}
	const fewest = 2000
	if seen < fewest {
		t.Errorf("only %d texts were looked at", seen)
	}
}

// eachText calls look with each comment and each text of several words in a file.
func eachText(t *testing.T, path string, look func(place, text string)) {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	for _, comment := range file.Comments {
		look(files.Position(comment.Pos()).String(), strings.Join(strings.Fields(comment.Text()), " "))
	}
	ast.Inspect(file, func(n ast.Node) bool {
		literal, ok := n.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}
		if text, err := strconv.Unquote(literal.Value); err == nil && strings.Contains(text, " ") {
			look(files.Position(literal.Pos()).String(), strings.Join(strings.Fields(text), " "))
		}
		return true
	})
}

// eachEntry calls look with each comment and each text of several words in a YAML file.
func eachEntry(t *testing.T, path string, look func(place, text string)) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil {
		t.Fatal(err)
	}
	var walk func(*yaml.Node)
	walk = func(n *yaml.Node) {
		place := fmt.Sprintf("%s:%d", path, n.Line)
		look(place, strings.Join(strings.Fields(strings.ReplaceAll(n.HeadComment, "#", "")), " "))
		if n.Kind == yaml.ScalarNode && strings.Contains(n.Value, " ") {
			look(place, strings.Join(strings.Fields(n.Value), " "))
		}
		for _, part := range n.Content {
			walk(part)
		}
	}
	walk(&document)
}

// phrase is a turn of phrase that a pattern recognises with few mistakes, and what to write instead.
type phrase struct {
	pattern *regexp.Regexp
	instead string
	notYet  *regexp.Regexp // matches the places that have not been gone through for it; nil for none
}

func readTwice() []phrase {
	notYet := regexp.MustCompile(`/refserver/faults/|/scenarios/`)
	all := []struct{ pattern, instead string }{
		{`\b[Mm]end(s|ed|ing)?\b`, "fix"},
		{`\b(may|can|cannot|could) be had\b`, "say what is possible"},
		{`\b([Nn]obody|[Nn]othing|[Nn]one|no one)\b[^.,;]{0,25}\bbut\b`, "only …"},
		{`(^|[.:!] )Where [a-z][^.?]*, `, "If …"},
		{`\b([a-su-z]\w*|t[a-gi-z]\w*|th[a-df-z]\w*) (is|are|was|were) no ([a-km-z]|l[a-np-z])`, "is not a …"},
		{`\b(is|are|was|were) told\b`, "is reported, is listed"},
		{`\b(stand|stands|stood|lie|lies|lay) (in|beside)\b`, "is in, is beside"},
		{`(^|[.] )What [^?.|:]*[a-z]\.( |$)`, "put a noun first"},
		{`\b[Ww]ho(m)?ever\b|\bthat which\b`, "name who or what"},
		{`\b(in vain|be it|so it is anyway|it is not said|as ever|at the most|for want of|all the same)\b`, "say it plainly"},
		{`^\w+ (is|are) what\b`, "put a noun in the place of what"},
		{`\bwhat (there (is|was)|is being|becomes of|comes (back|of))\b`, "put a noun in the place of what"},
		{`\bbears?\b`, "has"},
	}
	later := []struct{ pattern, instead string }{
		{`\b[Ww]hom\b`, "name the user, or put the subject first"},
		{`\bwhere (it|there|they|nothing|something|nobody|somebody|one|that|those|these) (is|are|was|were|can|could|may|cannot|had|has|have|does|do)\b`, "if, or a noun"},
		{`(^|[;:,.] |and )[Ww]hat ([a-z-]+ ){1,6}(is|are|was|were) (also |then |not |only |again )?(listed|judged|sent|kept|shown|left|made|covered|played|reported|compared|measured|counted|deleted|refused|tried|blamed|taken)\b`, "put a noun first"},
	}
	var turns []phrase
	for _, one := range all {
		turns = append(turns, phrase{pattern: regexp.MustCompile(one.pattern), instead: one.instead})
	}
	for _, one := range later {
		turns = append(turns, phrase{regexp.MustCompile(one.pattern), one.instead, notYet})
	}
	return turns
}
