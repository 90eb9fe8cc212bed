package proof_test

import (
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/rules"
)

// inProse is a path or a media type that a text names.
var inProse = regexp.MustCompile(`[A-Za-z0-9.+-]*/[A-Za-z0-9.+/{}_-]*[A-Za-z0-9}]`)

// TestCatalogueNamesWhatIsSent finds, in what the catalogue says of how a rule is judged, the paths and
// media types that no text in the code of the judge holds: it has been changed since.
func TestCatalogueNamesWhatIsSent(t *testing.T) {
	sent := sentTexts(t)
	seen := 0
	for _, rule := range rules.Load().Rules() {
		for _, named := range inProse.FindAllString(rule.Judged, -1) {
			seen++
			if part := unsentPart(sent, named); part != "" {
				t.Errorf("%s is said to send %s, and nothing sends %q", rule.ID, named, part)
			}
		}
	}
	if fewest := 20; seen < fewest {
		t.Errorf("only %d paths and media types were seen", seen)
	}
}

// sentTexts returns the texts in the code of the judge, one a line.
func sentTexts(t *testing.T) string {
	var all strings.Builder
	for _, folder := range []string{"conformance", "scenarios"} {
		err := filepath.WalkDir(filepath.Join("..", folder), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			literals(t, path, func(_ token.Position, text string) { all.WriteString(text + "\n") })
			return nil
		})
		must(t, err)
	}
	return all.String()
}

// unsentPart returns the first part of a path or media type that stands in none of the texts, ""
// where all do. Parts such as {UserID} stand for values.
func unsentPart(sent, named string) string {
	for part := range strings.SplitSeq(named, "/") {
		if !strings.HasPrefix(part, "{") && !strings.Contains(sent, part) {
			return part
		}
	}
	return ""
}

func TestUnsentPartsAreSeen(t *testing.T) {
	sent := "/0.2/user\n9.9\ntext/plain\n"
	for named, want := range map[string]string{"/0.2/users": "users", "/9.9/user": "", "text/plain": "", "/0.2/user/{UserID}": "", "/0.29/user": "0.29"} {
		if got := unsentPart(sent, named); got != want {
			t.Errorf("%s: %q is not sent, want %q", named, got, want)
		}
	}
}
