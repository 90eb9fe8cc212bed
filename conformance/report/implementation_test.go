package report

import (
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
)

func anImplementation() *result.Implementation {
	return &result.Implementation{Name: "Feeds of (Acme)", Version: "1.4.2-rc.1+build", Commit: "c0ffee5", Contact: "team@example.com"}
}

// TestReportsNameTheImplementation holds what a server is called against every format that has a place for it.
func TestReportsNameTheImplementation(t *testing.T) {
	r := passing()
	r.Implementation = anImplementation()
	for _, format := range []string{"text", "json", "html", "junit", "ctrf", "markdown"} {
		text := strings.ReplaceAll(writtenAs(t, format, r), "&#43;", "+")
		for _, told := range r.Implementation.Facts() {
			if !strings.Contains(text, told[1]) {
				t.Errorf("%s does not tell the %s", format, told[0])
			}
		}
	}
}

// TestReportsWithOtherImplementationsAreRefused reads what no run writes: the schema has the bounds of the model.
func TestReportsWithOtherImplementationsAreRefused(t *testing.T) {
	for name, broken := range map[string]result.Implementation{
		"markup":       {Name: "<b>"},
		"a line":       {Version: "1\n2"},
		"a long name":  {Name: strings.Repeat("n", 61)},
		"a blank":      {Commit: "two words"},
		"a long text":  {Contact: strings.Repeat("n", 121)},
		"a script":     {Contact: "javascript:alert('x')"},
		"another text": {Name: "\u202eevil"},
	} {
		if broken.Check() == nil {
			t.Errorf("%s: the model takes it", name)
		}
		r := passing()
		r.Implementation = &broken
		if _, err := ReadJSON(strings.NewReader(asJSON(t, r))); err == nil || !strings.Contains(err.Error(), "implementation") {
			t.Errorf("%s: read, %v", name, err)
		}
	}
	r := passing()
	r.Implementation = anImplementation()
	if back, err := ReadJSON(strings.NewReader(asJSON(t, r))); err != nil || *back.Implementation != *r.Implementation {
		t.Errorf("%+v, %v", back, err)
	}
}
