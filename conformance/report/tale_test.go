package report

import (
	"net/http"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// drawnFailure is a report on a failure that a drawn story shows at the third of three updates.
func drawnFailure() *result.Report {
	c := broken(rules.UpdateMe, result.Fail, `last_name "one"`, 201, `{"last_name":"two"}`)
	c.Drawn = true
	c.Scenario = `drawn from seed 7: user 1 is created with {"email":"a; b@example.com"}; user 1 updates itself with {"custom_id":"cdzjmgwwn"}`
	session := []result.Piece{{Var: "APP_TOKEN"}, {Text: ":"}, {Var: "SESSION_TOKEN_1"}}
	update := result.Step{Method: "PUT", Path: exactly(rules.UpdateMe.Path()), User: session,
		Body: exactly(`{"last_name":"one\u0020two","metadata":{"k":"v"},"zip":1e3}`)}
	create := result.Step{Method: "POST", Path: exactly(rules.CreateUser.Path()), Captures: []result.Capture{{Var: "SESSION_TOKEN_1", Field: "session_token"}, {Var: "USER_ID_1", Field: "id"}}}
	c.Reproduction = &result.Reproduction{Steps: []result.Step{create, update, update, update}, Answer: result.Answer{Status: 201}}
	return newReport(result.NonConformant, []result.Rule{newRule("users.me.update.applies", rules.Must, c)})
}

// TestDrawnStoriesAreToldShort: who did what in a phrase each, without the values; the step that
// decides is marked.
func TestDrawnStoriesAreToldShort(t *testing.T) {
	const told = "drawn from seed 7: user 1 signs up, updates its own record, updates its own record again; decides: user 1 updates its own record for the 3rd time"
	for _, format := range []string{"text", "html", "junit", "markdown"} {
		got := unpadded(writtenFor(t, format, drawnFailure(), ""))
		if !strings.Contains(got, told) {
			t.Errorf("%s does not tell the story short:\n%s", format, got)
		}
		if strings.Contains(got, "cdzjmgwwn") {
			t.Errorf("%s tells values beside the story", format)
		}
	}
	if got := unpadded(writtenFor(t, "html", drawnFailure(), "")); !strings.Contains(got, `last_name: one two, metadata: {&#34;k&#34;:&#34;v&#34;}, zip: 1e3`) || strings.Contains(got[strings.Index(got, "<ol>"):strings.Index(got, "</ol>")], `\u0020`) {
		t.Errorf("html does not tell the values so that they can be read:\n%s", got[strings.Index(got, "<ol>"):strings.Index(got, "</ol>")])
	}
	untold := drawnFailure()
	untold.Rules[0].Checks[0].Reproduction = nil
	if got := unpadded(writtenFor(t, "text", untold, "")); !strings.Contains(got, "drawn from seed 7: user 1 is created; user 1 updates itself ") {
		t.Errorf("without a reproduction:\n%s", got)
	}
}

// TestOlderSessionsAreTold: what a user does in another session than its latest may be what matters.
func TestOlderSessionsAreTold(t *testing.T) {
	r := drawnFailure()
	story := r.Rules[0].Checks[0].Reproduction
	login := result.Step{Method: "POST", Path: exactly(rules.Login.Path()), User: []result.Piece{{Var: "APP_TOKEN"}, {Text: ":"}},
		Body: []result.Piece{{Var: "PASSWORD_1"}}, Captures: []result.Capture{{Var: "SESSION_TOKEN_2", Field: "session_token"}}}
	story.Steps[0].Body = login.Body
	story.Steps = []result.Step{story.Steps[0], story.Steps[1], login, story.Steps[2]}
	if got := unpadded(writtenFor(t, "text", r, "")); !strings.Contains(got, "user 1 signs up, updates its own record, logs in; decides: user 1 updates its own record in an earlier session") {
		t.Errorf("%s", got)
	}
}

// TestLongTalesKeepTheirEnd: what decides is never left out.
func TestLongTalesKeepTheirEnd(t *testing.T) {
	r := drawnFailure()
	story := r.Rules[0].Checks[0].Reproduction
	for range 20 {
		feed := result.Step{Method: "GET", Path: exactly(rules.Feed.Path()), User: story.Steps[1].User}
		story.Steps = append([]result.Step{story.Steps[0], story.Steps[1], feed}, story.Steps[1:]...)
	}
	got := unpadded(writtenFor(t, "text", r, ""))
	if !strings.Contains(got, "drawn from seed 7: … ") || !strings.Contains(got, "decides: user 1 updates its own record for the 23rd time") {
		t.Errorf("%s", got)
	}
}

// TestWhatIsSeenInPassingSaysSo: its scenario is about something else.
func TestWhatIsSeenInPassingSaysSo(t *testing.T) {
	r := drawnFailure()
	r.Rules[0].Checks[0].Scenario = "a write in a destroyed session is refused"
	for _, format := range []string{"text", "html", "junit", "markdown"} {
		if got := unpadded(writtenFor(t, format, r, "")); !strings.Contains(got, "a write in a destroyed session is refused (seen in passing)") {
			t.Errorf("%s does not say that it was seen in passing:\n%s", format, got)
		}
	}
	r.Rules[0].Checks[0].Scenario = "drawn from seed 7"
	if got := unpadded(writtenFor(t, "text", r, "")); strings.Contains(got, "in passing") {
		t.Errorf("a story is told as seen in passing:\n%s", got)
	}
}

// TestTalesTellWhatWasSentAtTheSameTime has two writes at once, of which the second decides, or a
// read after both: who is told one after the other would look for something else.
func TestTalesTellWhatWasSentAtTheSameTime(t *testing.T) {
	step := func(method, path string, atOnce bool) result.Step {
		return result.Step{Method: method, Path: exactly(path), Headers: usualFields(), AtOnce: atOnce}
	}
	change := step(http.MethodPut, rules.UpdateMe.Path(), false)
	again := step(http.MethodPut, rules.UpdateMe.Path(), true)
	for want, steps := range map[string][]result.Step{
		"nobody updates its own record; at the same time, which decides: nobody updates its own record again":        {change, again},
		"nobody updates its own record; at the same time nobody updates its own record again; decides: nobody lists": {change, again, step(http.MethodGet, rules.Versions.Path(), false)},
	} {
		check := result.Check{Drawn: true, Scenario: "drawn from seed 7: what the model says", Reproduction: &result.Reproduction{Steps: steps}}
		if got := view.Told(&check); !strings.Contains(got, want) {
			t.Errorf("told is %q, want %q", got, want)
		}
	}
}
