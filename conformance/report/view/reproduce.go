package view

import (
	"regexp"
	"strings"

	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/internal/shell"
)

// Variables says what stands in commands in the places of secrets: those of a run's own users, or of the requests
// that a client sent.
func (v *View) Variables() string {
	if v.Exercised != nil { // the report is on a client
		return "$APP_TOKEN, $SESSION_TOKEN and $PASSWORD are the client's own"
	}
	return "$APP_TOKEN is the app token; the user of $SESSION_TOKEN and $PASSWORD is deleted by now, and conform reproduce makes one like it"
}

// PlaceholderName matches the name of a variable in a text.
var PlaceholderName = regexp.MustCompile(`\$[A-Z_]+`)

// HasVariables reports whether a command that is shown has variables to fill in.
func (v *View) HasVariables() bool {
	for _, s := range v.Sections {
		for _, rule := range s.Rules {
			shown := s.Status == result.Fail || s.Status == result.Warn
			if x := rule.Violations[0].Result.Decisive(); shown && x != nil && strings.Contains(x.Curl, "$") {
				return true
			}
		}
	}
	return false
}

// Reproduce is the command that shows a failure by itself where the deciding request does not:
// that one takes a session or an id that only the run had. Without a JSON report it says how
// to come to one. It is "" where the request is enough or no script can show the failure.
func (c Commands) Reproduce(rule *result.Rule, check *result.Check) string {
	story, x := check.Reproduction, check.Decisive()
	if story == nil || story.Unscriptable() != "" || x == nil || c.target == nil || len(story.Steps) < 2 && !strings.Contains(x.Curl, "$SESSION_TOKEN") {
		return ""
	}
	words := []shell.Word{c.program, shell.Plain("reproduce"), shell.Plain("FILE")}
	if c.json != "" {
		words[2] = plain.Path(c.json)
	}
	words = append(words, shell.Plain("--rule"), plain.Word(rule.ID))
	for _, e := range rules.Endpoints() {
		if check.Endpoint == e.String() && len(rule.Checks) > 1 {
			words = append(words, shell.Plain("--endpoint"), plain.Number(int(e)))
		}
	}
	line := shell.MustLine(shell.Pipe(shell.Run(words...), shell.Call("sh")))
	if c.json == "" {
		return "with --report json=FILE: " + line
	}
	return line
}
