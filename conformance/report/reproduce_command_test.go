package report

import (
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// storied is a report with two failures of a rule, each of which takes a session to show.
func storied() *result.Report {
	create := result.Step{Method: "POST", Path: exactly(rules.CreateUser.Path()), Captures: []result.Capture{{Var: "SESSION_TOKEN_1", Field: "session_token"}}}
	of := func(e rules.Endpoint) result.Check {
		c := broken(e, result.Fail, "200 OK", 500, "{}")
		c.Reproduction = &result.Reproduction{Steps: []result.Step{create, {Method: e.Method(), Path: exactly(e.Path())}}, Answer: result.Answer{Status: 500}}
		return c
	}
	second := of(rules.Feed)
	second.Expected = "another thing"
	return newReport(result.NonConformant, []result.Rule{newRule("users.me.get", rules.Must, of(rules.GetMe), second)})
}

// plain is a text without what the formats add to it.
func unpadded(s string) string {
	s = strings.NewReplacer(" \\\n", " ", "&#39;", "'", "&#43;", "+", "<code>", "", "</code>", "", "`", "", `\_`, "_").Replace(s)
	return strings.Join(strings.Fields(s), " ")
}

// TestFailuresNameWhatShowsThem: a request that takes a session of the run shows nothing by
// itself; what does is named wherever that request is.
func TestFailuresNameWhatShowsThem(t *testing.T) {
	const command = "conform reproduce 'my reports/a.json' --rule users.me.get --endpoint 4 | sh"
	for _, format := range []string{"text", "html", "junit", "markdown", "next"} {
		got := unpadded(writtenFor(t, format, storied(), "my reports/a.json"))
		if !strings.Contains(got, command) {
			t.Errorf("%s does not name what shows the failure:\n%s", format, got)
		}
		got = unpadded(writtenFor(t, format, storied(), ""))
		if hint := "with --report json=FILE: conform reproduce FILE --rule users.me.get --endpoint 4 | sh"; !strings.Contains(got, hint) {
			t.Errorf("%s does not say how to come to what shows the failure:\n%s", format, got)
		}
	}
	if got := unpadded(writtenFor(t, "html", storied(), "a.json")); !strings.Contains(got, "conform reproduce a.json --rule users.me.get --endpoint 21 | sh") {
		t.Error("html does not name what shows the second failure")
	}
	alone, embedded := storied(), storied()
	check := &alone.Rules[0].Checks[0]
	alone.Rules[0].Checks = alone.Rules[0].Checks[:1]
	check.Reproduction.Steps = check.Reproduction.Steps[1:]
	check.Exchanges[0].Curl = `curl -u "$APP_TOKEN:" https://feed.example:8443/0.2/user`
	embedded.Target.Embedded = true
	for name, r := range map[string]*result.Report{"a request that shows it": alone, "a target that is gone": embedded} {
		if got := writtenFor(t, "text", r, "a.json"); strings.Contains(got, "conform reproduce a.json") {
			t.Errorf("%s: a script is named\n%s", name, got)
		}
	}
}

// TestVariablesAreExplainedOnce: a report says what stands for a secret in its commands.
func TestVariablesAreExplainedOnce(t *testing.T) {
	for _, format := range []string{"text", "html", "markdown"} {
		if n := strings.Count(unpadded(writtenFor(t, format, storied(), "a.json")), "$SESSION_TOKEN and $PASSWORD"); n != 1 {
			t.Errorf("%s explains the variables %d times", format, n)
		}
	}
	if strings.Contains(writtenFor(t, "text", passing(), ""), "$SESSION_TOKEN") {
		t.Error("a report without commands explains their variables")
	}
}
