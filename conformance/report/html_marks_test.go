package report

import (
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestHTMLMarksWhatDecides: the fields that a check names are marked in the bodies of the
// exchange that decided.
func TestHTMLMarksWhatDecides(t *testing.T) {
	c := broken(rules.UpdateMe, result.Fail, `last_name "one"`, 201, `{"first_name":"three","last_name":"two","metadata":{"last_name":"x"}}`)
	c.Actual = `last_name "two"`
	c.Exchanges[0].Request.Body = `{"last_name":"one"}`
	page, _ := htmlOf(t, newReport(result.NonConformant, []result.Rule{newRule("users.me.update.applies", rules.Must, c)}))
	for _, marked := range []string{`<mark>&#34;last_name&#34;: &#34;two&#34;,</mark>`, `<mark>&#34;last_name&#34;: &#34;one&#34;</mark>`} {
		if !strings.Contains(page, marked) {
			t.Errorf("%s is not there", marked)
		}
	}
	if strings.Contains(page, "<mark>&#34;first_name") {
		t.Error("a field is marked that the check does not name")
	}
}

// TestHTMLNotes: information is no warning, and long lists are folded behind their count.
func TestHTMLNotes(t *testing.T) {
	r := passing()
	names := strings.Repeat("cfabcdefgh, ", 20)
	r.Notes = []string{"284 users could not be deleted from the target: " + names + "…",
		"the target is on this machine and serves more than 1000 requests a minute: drawn stories were not paced (--rate)", "the run ended early: it was interrupted"}
	page, _ := htmlOf(t, r)
	for _, wanted := range []string{
		`<details class="note"><summary>284 users could not be deleted from the target</summary>cfabcdefgh,`,
		`<p class="note info">the target is on this machine`, `<p class="note"><strong>Note:</strong> the run ended early`,
	} {
		if !strings.Contains(page, wanted) {
			t.Errorf("%s is not there", wanted)
		}
	}
}

// TestHTMLSaysTheSumOfFailures: the failures at the top are those of two sections below.
func TestHTMLSaysTheSumOfFailures(t *testing.T) {
	_, tree := htmlOf(t, unbuilt())
	wantText(t, tree, "3 fail (2 of them not implemented)")
}
