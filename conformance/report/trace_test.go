package report

import (
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

const aTrace = "4bf92f3577b34da6a3ce929d0e0e4736"

// TestFailuresShowTheirTrace finds the id of the deciding request's trace where a person looks for it.
func TestFailuresShowTheirTrace(t *testing.T) {
	c := broken(rules.Feed, result.Fail, "200 OK", 500, `{}`)
	c.Exchanges[0].TraceID = aTrace
	r := newReport(result.NonConformant, []result.Rule{newRule("feed.status", rules.Must, c)})
	for _, format := range []string{"text", "json", "html", "junit"} {
		if !strings.Contains(writtenAs(t, format, r), aTrace) {
			t.Errorf("%s does not show the trace", format)
		}
	}
	c.Exchanges[0].TraceID = "<b>"
	if _, err := ReadJSON(strings.NewReader(asJSON(t, newReport(result.NonConformant, []result.Rule{newRule("feed.status", rules.Must, c)})))); err == nil {
		t.Error("another text is read")
	}
}
