package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/rulebook"
	"github.com/socialfeed/conform/conformance/report/screen"
	"github.com/socialfeed/conform/conformance/rules"
)

func listed(t *testing.T, rules []rules.Rule, format string) string {
	t.Helper()
	var b bytes.Buffer
	if err := rulebook.Rules(&b, rules, format); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func explained(t *testing.T, rule rules.Rule, l screen.Layout) string {
	t.Helper()
	var b bytes.Buffer
	if err := rulebook.Explain(&b, rule, l); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestRulesGolden(t *testing.T) {
	for format, file := range map[string]string{"text": "rules.txt", "markdown": "rules.md", "json": "rules.json"} {
		golden(t, file, listed(t, someRules(), format))
	}
}

func TestRulesJSONReadsBack(t *testing.T) {
	var back []rules.Rule
	if err := json.Unmarshal([]byte(listed(t, someRules(), "json")), &back); err != nil || len(back) != len(someRules()) {
		t.Errorf("%d rules came back: %v", len(back), err)
	}
	if got := listed(t, nil, "json"); got != "[]\n" {
		t.Errorf("no rules are %q", got)
	}
}

func TestRulesUnknownFormat(t *testing.T) {
	var b bytes.Buffer
	err := rulebook.Rules(&b, someRules(), "yaml")
	if err == nil || b.Len() > 0 {
		t.Fatalf("got %v and %q", err, b.String())
	}
	for _, word := range []string{"yaml", "text", "json", "markdown"} {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%q does not name %s", err, word)
		}
	}
}

func TestExplainGolden(t *testing.T) {
	var all strings.Builder
	for _, rule := range someRules() {
		all.WriteString(explained(t, rule, screen.Layout{Width: 80}) + "\n")
	}
	golden(t, "explain.txt", all.String())
}

// Every rule of the real catalogue can be told, and every line fits but those of an example.
func TestWholeCatalogueFits(t *testing.T) {
	catalogue := rules.Load()
	pages := listed(t, catalogue.Rules(), "text")
	for _, rule := range catalogue.Rules() {
		told, _, _ := strings.Cut(explained(t, rule, screen.Layout{}), "  An example request")
		pages += told
	}
	for line := range strings.SplitSeq(pages, "\n") {
		if plain.Columns(line) > 100 || strings.HasSuffix(line, " ") {
			t.Errorf("too wide, or with trailing spaces: %q", line)
		}
	}
}

// An example that is made up must be one that a target could accept.
func TestMadeUpExamples(t *testing.T) {
	for _, e := range rules.Endpoints() {
		rule := rules.Rule{ID: "part.name", Level: rules.Must, Endpoints: []rules.Endpoint{e}}
		got := explained(t, rule, screen.Layout{})
		takesBody := e.Method() == "POST" || e.Method() == "PUT"
		if takesBody != strings.Contains(got, "--data-raw '{") || takesBody != strings.Contains(got, "application/json' \\\n      --data") && takesBody {
			t.Errorf("%s: a body where none belongs, or none where one does:\n%s", e, got)
		}
		if session := e > rules.Login && e < rules.Versions; session != strings.Contains(got, `"$APP_TOKEN:$SESSION_TOKEN"`) {
			t.Errorf("%s: other credentials than the contract's:\n%s", e, got)
		}
		if !strings.Contains(got, `"$BASE_URL/`) || strings.Contains(strings.SplitN(got, "curl", 2)[1], "{UserID}") {
			t.Errorf("%s: no address that a shell can fill in:\n%s", e, got)
		}
	}
}
