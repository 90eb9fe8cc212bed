package markdown

import (
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
)

func TestCodeSpans(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a": "`a`", "a`b": "`` a`b ``", "``": "``` `` ```", " a\nb ": "`a b`", "<b>": "`<b>`",
	} {
		if got := code(text); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

func TestTagsAreEscaped(t *testing.T) {
	if got := tag("a<b>&\"\n`c`"); got != "<code>a&lt;b&gt;&amp;&#34; `c`</code>" {
		t.Error(got)
	}
}

// The sections of a client have the room that lists have; beyond it they are counted.
func TestMarkdownOfAClientLosesNothingUnsaid(t *testing.T) {
	tested := &result.Report{Client: &result.Client{Command: "npm test", Runs: []result.ClientRun{{Surrounding: "uuid-ids", Exit: 1, Requests: 2}}}}
	for before, want := range map[int]string{maxEvidence: "RED, exit 1", maxItems: "And 1 more, left out"} {
		var d document
		d.paragraph("%s", strings.Repeat("x", before))
		d.client(tested)
		if got := d.text.String()[before:]; !strings.Contains(got, want) {
			t.Errorf("behind %d bytes there is no %q:\n%s", before, want, got)
		}
	}
}
