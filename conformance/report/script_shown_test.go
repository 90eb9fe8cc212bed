package report

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestScriptsTellALongAnswerInBrief: of an answer that is long, and of a check that is, a script
// tells the beginning, without what steers a terminal.
func TestScriptsTellALongAnswerInBrief(t *testing.T) {
	needs(t, "sh", "curl", "jq")
	const longest = 400 // bytes of a line
	body := "{\"first\":\"\x1b[2J\n" + strings.Repeat("é", 5000)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(body)) }))
	defer server.Close()
	ask := result.Step{Method: http.MethodGet, Path: exactly(rules.GetMe.Path()), Headers: usualFields(), User: []result.Piece{{Var: "APP_TOKEN"}, {Text: ":"}}}
	for name, test := range map[string]struct {
		captures []result.Capture // of a step before the deciding one
		exit     int
		says     string
	}{
		"decided":            {nil, 1, `got:      200 {"first":" [2J é`},
		"a step without one": {[]result.Capture{{Var: "SESSION_TOKEN_1", Field: "session_token"}}, 2, `got no session_token from: 200 {"first"`},
	} {
		t.Run(name, func(t *testing.T) {
			before := ask
			before.Captures = test.captures
			check := result.Check{Expected: "401 for " + strings.Repeat("long ", 500), Actual: "200 with " + strings.Repeat("é", 5000),
				Reproduction: &result.Reproduction{Steps: []result.Step{before, ask}, Answer: result.Answer{Status: 200}, Passing: []string{"401"}}}
			code, out := played(t, server.URL, check, "APP_TOKEN=first")
			if code != test.exit || !strings.Contains(out, test.says) || strings.Contains(out, "\x1b") {
				t.Errorf("it ends with %d, want %d, and says %q, want %q", code, test.exit, out, test.says)
			}
			for line := range strings.Lines(out) {
				if len(line) > 2*longest { // é has two bytes
					t.Errorf("a line has %d bytes: %.80q…", len(line), line)
				}
			}
		})
	}
}
