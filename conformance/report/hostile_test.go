package report

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/screen"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// hostileTexts is what a target may answer to harm a report. Each has the word
// EVIL where it would do its harm.
func hostileTexts() map[string]string {
	control := "EVIL"
	for r := range rune(0xa0) {
		if r < ' ' || r >= 0x7f {
			control += string(r)
		}
	}
	return map[string]string{
		"control":      control,
		"not UTF-8":    "EVIL\xff\xfe\xc3(\xed\xa0\x80",
		"no XML":       "EVIL\ufffe\uffff\x00\x0b",
		"end of CDATA": "EVIL]]></failure></testcase><!-- EVIL --><?EVIL ?>&EVIL;",
		"HTML":         `</script></title></summary></details><img src=x onerror=EVIL><!--EVIL`,
		"Markdown":     "` @EVIL `` [EVIL](https://EVIL.example) **EVIL** | \\| @EVIL <b>EVIL</b> www.EVIL.example #1 $EVIL$",
		"fences":       "EVIL\n```\n# EVIL\n@EVIL\n~~~~\nEVIL\n\n````````\n- EVIL\n</details>\n\n<h1>EVIL</h1>\n",
		"directions":   "EVIL\u202eEVIL\u2066\u200f\u061c\u200b\u2028\u2029",
		"commands":     "::error title=EVIL::EVIL\n::stop-commands::EVIL\r\n##[error]EVIL\r::warning::EVIL%0A::error::EVIL%",
		"large":        strings.Repeat("EVIL \"`|<@ ", 100_000),
		"one word":     strings.Repeat("EVIL", 20_000),
		"only ticks":   "EVIL" + strings.Repeat("`", 60_000),
		"lines":        strings.Repeat("EVIL\n", 20_000),
	}
}

// hostile is a report in which everything that a target can say is the text; a
// large one is whole in the first failure alone.
func hostile(text string) *result.Report {
	first := hostileCheck(result.Fail, text)
	text = text[:min(len(text), 20_000)]
	check := func(s result.Status) result.Check { return hostileCheck(s, text) }
	silent := check(result.Fail)
	silent.Expected = ""
	silent.Exchanges[0].Response, silent.Exchanges[0].Error = nil, text
	blocked := check(result.Blocked)
	blocked.BlockedBy = "users.create.status"
	skipped := newRule("feed.skipped", rules.Should)
	skipped.Message = text
	r := newReport(result.NonConformant, []result.Rule{
		newRule("users.fail", rules.Must, first, silent),
		newRule("users.warn", rules.Must, check(result.Warn)),
		newRule("users.error", rules.Must, check(result.Error)),
		newRule("users.blocked", rules.Must, blocked),
		newRule("users.waits", rules.Must, check(result.Blocked)),
		newRule("choices.observed", rules.Choice, check(result.Observed)),
		skipped,
	}, result.Choice{Rule: "choices.observed", Endpoint: rules.GetMe.String(), Answer: text})
	r.Rules = append(r.Rules, newRule("users.waived", rules.Must, check(result.Waived)),
		newRule("users.unstable", rules.Must, check(result.Unstable)))
	for _, s := range view.WaiverStates() {
		r.Waivers = append(r.Waivers, result.AppliedWaiver{State: s, Message: text,
			Waiver: result.Waiver{Rule: "users.waived", Reason: text, Link: text, Expires: "2026-12-31"}})
	}
	r.Missing = text
	r.Notes = []string{text}
	r.Target.BaseURL += "/" + text
	return r
}

func hostileCheck(s result.Status, text string) result.Check {
	c := broken(rules.GetMe, s, "200 OK", 500, text)
	c.Message, c.Actual = text, text
	x := &c.Exchanges[0]
	x.Request.URL += "?q=" + url.QueryEscape(text) + "&session=$SESSION_TOKEN"
	x.Request.Body = text
	x.Request.Headers = http.Header{"Cookie": {text}, "X-Own": {text}, "Authorization": {"Basic base64($APP_TOKEN:$SESSION_TOKEN)"}}
	x.Response.Headers = http.Header{text: {text}, "Content-Type": {text}, "Location": {text}, "Set-Cookie": {"a=b; " + text}}
	c.Reproduction = reproduction(text)
	x.Curl = `curl -sS -i -u "$APP_TOKEN:$SESSION_TOKEN" --data-raw '` + strings.ReplaceAll(text, "'", `'\''`) + `' 'https://feed.example/'`
	return c
}

// reproduction is a story of three users in which a target's text is wherever it can be.
func reproduction(text string) *result.Reproduction {
	piece := []result.Piece{{Text: text}}
	own := []result.Field{{Name: "X-Own", Value: piece}}
	out := &result.Reproduction{Passwords: 3, Answer: result.Answer{Status: 200, Headers: []result.Field{{Name: "Location", Value: piece}}, Body: piece}}
	for n := range 3 {
		session, user := fmt.Sprint("SESSION_TOKEN_", n+1), fmt.Sprint("USER_ID_", n+1)
		out.Steps = append(out.Steps, result.Step{Method: "POST", Path: []result.Piece{{Text: "/0.2/users?withLogin=true&q=" + text}}, Headers: own, Body: piece,
			Captures: []result.Capture{{Var: session, Field: "session_token"}, {Var: user, Field: "id"}}},
			result.Step{Method: "POST", Path: []result.Piece{{Text: "/0.2/user/connections"}}, User: []result.Piece{{Var: "APP_TOKEN"}, {Text: ":"}, {Var: session}},
				Headers: own, Body: []result.Piece{{Text: `{"user_to_id":`}, {Var: "USER_ID_1"}, {Text: text + "}"}}})
	}
	out.Steps = append(out.Steps, result.Step{Method: "PATCH", Path: piece, User: piece, Headers: own})
	return out
}

// accepted is a run with waivers, of which the fate of each state is told; of its
// rules nothing is red.
func accepted() *result.Report {
	waived := broken(rules.GetMe, result.Waived, "200 OK", 500, "{}")
	waived.Waived = &result.Accepted{Status: result.Fail, Reason: "the move to the new store", Link: "https://tasks.example/7", Expires: "2026-12-31"}
	r := newReport(result.NonConformant, []result.Rule{
		newRule("users.me.get", rules.Must, waived),
		newRule("users.get.other", rules.Must, newCheck(rules.GetUser, result.Pass)),
	})
	for i, s := range view.WaiverStates() {
		r.Waivers = append(r.Waivers, result.AppliedWaiver{State: s, Message: "what became of it: " + string(s), Checks: i,
			Waiver: result.Waiver{Rule: "users.me.get", Endpoint: rules.GetMe.String(), Reason: "the move to the new store", Expires: "2026-12-31"}})
	}
	r.Repeats = 3
	return r
}

// shaky is a run that was repeated, and came out differently.
func shaky() *result.Report {
	c := broken(rules.Feed, result.Unstable, "200 OK", 503, "{}")
	c.Exchanges = append(c.Exchanges, newExchange(rules.Feed, 200, "[]"))
	return newReport(result.Incomplete, []result.Rule{newRule("feed.status", rules.Must, c)})
}

// halved is a run that a shard is missing of, in which nothing else is red.
func halved() *result.Report {
	r := newReport(result.Incomplete, []result.Rule{
		newRule("users.me.get", rules.Must, newCheck(rules.GetMe, result.Pass))})
	r.Missing = "shard 2/2 is missing"
	r.Shard = &result.Shard{Index: 1, Of: 2, Scenarios: 3, Picked: 3}
	return r
}

// fixtures are the reports that the golden files are of.
func fixtures() map[string]*result.Report {
	all := reports()
	all["accepted"], all["shaky"], all["halved"] = accepted(), shaky(), halved()
	return all
}

// everyReport is the fixtures, one of every outcome, and the hostile reports.
func everyReport() map[string]*result.Report {
	all := figured()
	for name, text := range hostileTexts() {
		all["hostile: "+name] = hostile(text)
	}
	return all
}

func writtenAs(t *testing.T, format string, r *result.Report) string {
	t.Helper()
	return writtenFor(t, format, r, "")
}

// writtenFor is the report in a format beside a JSON report at the path.
func writtenFor(t *testing.T, format string, r *result.Report, path string) string {
	t.Helper()
	var b bytes.Buffer
	if err := New(r, view.Options{Report: path}).Write(&b, format, screen.Layout{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Formats that hold what was exchanged must say what to fill in.
func TestPlaceholdersAreKept(t *testing.T) {
	t.Parallel()
	known := []string{"$APP_TOKEN", "$SECOND_APP_TOKEN", "$SESSION_TOKEN", "$PASSWORD", "$EVIL"}
	for name, r := range everyReport() {
		if name == "hostile: Markdown" { // it has dollars of its own
			continue
		}
		for _, format := range []string{"text", "json", "junit", "markdown", "har"} {
			got := writtenAs(t, format, r)
			for _, found := range regexp.MustCompile(`\$[A-Z_]+`).FindAllString(got, -1) {
				if !slices.Contains(known, found) {
					t.Errorf("%s as %s: half a placeholder: %s", name, format, found)
				}
			}
			fails := view.New(r, view.Options{}).Section("failures") != nil
			if fails && !strings.Contains(got, "too long to print") && (!strings.Contains(got, "$APP_TOKEN") || !strings.Contains(got, "$SESSION_TOKEN")) {
				t.Errorf("%s as %s: the credentials of the commands are lost", name, format)
			}
		}
	}
}

func TestCutKeepsCharactersAndPlaceholders(t *testing.T) {
	s := "🦉x$APP_TOKEN:$SESSION_TOKEN é $PASSWORD"
	for most := range len(s) + 2 {
		got := plain.Cut(s, most)
		head, _, isCut := strings.Cut(got, "…")
		if isCut != (most < len(s)) || !strings.HasPrefix(s, head) || len(head) > most || !utf8.ValidString(got) {
			t.Errorf("cut at %d: %q", most, got)
		}
		for _, found := range regexp.MustCompile(`\$[A-Z_]*`).FindAllString(head, -1) {
			if found != "$APP_TOKEN" && found != "$SESSION_TOKEN" && found != "$PASSWORD" {
				t.Errorf("cut at %d: half a placeholder: %q", most, head)
			}
		}
	}
}

// What does not print must not reach a page that someone looks at.
func TestNothingInvisibleIsWritten(t *testing.T) {
	for name, r := range everyReport() {
		for _, format := range []string{"junit", "markdown", "github", "badge"} {
			for line := range strings.SplitSeq(writtenAs(t, format, r), "\n") {
				if i := strings.IndexFunc(line, func(r rune) bool { return r != '\ufe0f' && func(r rune) bool { return !unicode.IsPrint(r) }(r) }); i >= 0 || !utf8.ValidString(line) {
					t.Errorf("%s as %s: %q", name, format, plain.Cut(line[max(i, 0):], 80))
					break
				}
			}
		}
	}
}

func unprintable(r rune) bool { return !unicode.IsPrint(r) }
