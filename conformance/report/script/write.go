// Package script writes reproductions: programs that show a failure without conform, as a shell script, a Hurl
// file, an .http file or a Go test.
package script

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"golang.org/x/net/http/httpguts"
)

// Form is the kind of file that a reproduction is written as.
type Form string

// The forms of a reproduction.
const (
	Shell    Form = "sh"   // a POSIX shell script with curl and jq
	Hurl     Form = "hurl" // a file for Hurl
	HTTPFile Form = "http" // a .http file for editors
	GoTest   Form = "go"   // a Go test with the typed client
)

// writers are the functions that write a plot, by form.
func writers() map[Form]func(*plot) (string, error) {
	return map[Form]func(*plot) (string, error){Shell: shellScript, Hurl: hurlFile, HTTPFile: httpFile, GoTest: goTest}
}

// Forms lists the forms in which Reproduce writes, as a text.
func Forms() string {
	var names []string
	for _, form := range slices.Sorted(maps.Keys(writers())) {
		names = append(names, string(form))
	}
	return strings.Join(names, ", ")
}

// Write writes a script that shows a check's failure without conform: it makes what it
// needs on the target, sends the deciding request, prints what was expected and what came,
// and cleans up. A story that cannot be expressed in the form is an error.
func Write(w io.Writer, form Form, r *result.Report, rule result.Rule, c result.Check) error {
	write, known := writers()[form]
	if !known {
		return fmt.Errorf("there is no form %q: a reproduction is written as one of %s", form, Forms())
	}
	p, err := newPlot(r, rule, c)
	if err != nil {
		return err
	}
	if form != Shell && p.HasConcurrent() {
		return fmt.Errorf("the story of %s has requests that are sent at the same time: write it as %s", rule.ID, Shell)
	}
	if !soundAddress(p.baseURL) {
		return fmt.Errorf("the report's base URL %.100q is no address of a target", p.baseURL)
	}
	text, err := write(p)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, text)
	return err
}

// plot is the content of a reproduction, independent of the form.
type plot struct {
	rule  result.Rule
	check result.Check
	*result.Reproduction
	baseURL string
	trust   []string // the flags of the run
}

// insecure reports whether the run trusted any certificate.
func (p *plot) insecure() bool { return slices.Contains(p.trust, "--insecure") }

// authority is the file of the authority that the run trusted, "" for none.
func (p *plot) authority() string {
	if i := slices.Index(p.trust, "--ca-cert"); i >= 0 && i+1 < len(p.trust) {
		return p.trust[i+1]
	}
	return ""
}

const (
	maxSteps = 200 // of a reproduction
	maxWait  = 120 // seconds before a step
)

// The alphabets of what a reproduction is made of. What is in none of them is an error.
var (
	methodName  = regexp.MustCompile(`^[A-Z]{1,20}$`)
	jsonField   = regexp.MustCompile(`^[a-z_]{1,40}$`)
	statusName  = regexp.MustCompile(`^([1-5]\d\d|` + result.AnyRefusal + `)$`)
	addressText = regexp.MustCompile(`^https?://[A-Za-z0-9._~:/%\[\]-]{1,500}$`)
)

// soundAddress reports whether a text is a base URL: of HTTP, of one host, without credentials, query and
// fragment.
func soundAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && addressText.MatchString(text) && u.Hostname() != "" && u.User == nil
}

// newPlot also checks the report's reproduction: a report may be forged, and nothing in it
// may become a command.
func newPlot(r *result.Report, rule result.Rule, c result.Check) (*plot, error) {
	if c.Reproduction == nil || len(c.Reproduction.Steps) == 0 {
		return nil, fmt.Errorf("%s has no reproduction in this report: it passed, or takes what only the judge has", rule.ID)
	}
	story := *c.Reproduction
	if why := story.Unscriptable(); why != "" {
		return nil, fmt.Errorf("there is no script for %s: what shows that it is broken %s; conform replay plays it again", rule.ID, why)
	}
	if len(story.Steps) > maxSteps || len(story.Words) > maxSteps {
		return nil, fmt.Errorf("the reproduction has more than %d steps", maxSteps)
	}
	for i, step := range story.Steps {
		if why := unsound(step); why != "" {
			return nil, fmt.Errorf("step %d of the reproduction %s", i+1, why)
		}
	}
	if why := unsoundFields(story.Answer.Headers); why != "" {
		return nil, fmt.Errorf("the answer of the reproduction %s", why)
	}
	if story.Repeats < 0 || story.Repeats > result.MostRepeats {
		return nil, fmt.Errorf("the reproduction repeats its last request more than %d times", result.MostRepeats)
	}
	if slices.ContainsFunc(story.Passing, func(status string) bool { return !statusName.MatchString(status) }) {
		return nil, fmt.Errorf("a status of the reproduction is none")
	}
	if slices.ContainsFunc(story.Words, func(w result.Word) bool {
		return w.Var == "" || w.Var != result.WordOf(w.Var) || w.Length < 1 || w.Length > maxSteps
	}) {
		return nil, fmt.Errorf("a word of the reproduction is none")
	}
	if !slices.ContainsFunc(story.Words, func(w result.Word) bool { return w.Hex }) { // an older report, with numbered words only
		for n := 1; n <= min(story.Passwords, maxSteps); n++ {
			story.Words = append(story.Words, result.Word{Var: fmt.Sprintf("PASSWORD_%d", n), Length: 64, Hex: true})
		}
	}
	story, err := renamed(story)
	if err != nil {
		return nil, err
	}
	return &plot{rule: rule, check: c, Reproduction: &story, baseURL: r.Target.BaseURL, trust: r.Target.Trust}, nil
}

// unsound is why a step is no request, "" where it is one.
func unsound(s result.Step) string {
	captured := func(c result.Capture) bool {
		return c.Var == "" || c.Var != result.WordOf(c.Var) || !jsonField.MatchString(c.Field)
	}
	_, _, colon := strings.Cut(result.Shown(s.User), ":")
	switch {
	case !methodName.MatchString(s.Method):
		return "has no method"
	case len(s.Path) == 0 || !strings.HasPrefix(s.Path[0].Text, "/"):
		return "has a path that does not begin with /"
	case len(s.User) > 0 && !colon:
		return "has credentials without a colon"
	case slices.ContainsFunc(s.Captures, captured):
		return "takes what no answer gives"
	}
	return unsoundFields(s.Headers)
}

// unsoundFields is why header fields are none, "" where they are some.
func unsoundFields(fields []result.Field) string {
	for _, field := range fields {
		if !httpguts.ValidHeaderFieldName(field.Name) || !httpguts.ValidHeaderFieldValue(result.Shown(field.Value)) {
			return "has a header field that is none"
		}
	}
	return ""
}

// deciding is the last step.
func (p *plot) deciding() result.Step { return p.Steps[len(p.Steps)-1] }

// tries is how many answers in a row are to show the failure: feeds, lists and search may lag.
func (p *plot) tries() int {
	if p.deciding().Method == http.MethodGet {
		return 3
	}
	return 1
}

// repeats is how many answers that do not show the failure are enough to say that it is not there.
func (p *plot) repeats() int {
	if p.HasConcurrent() {
		return 1 // the whole story is played again
	}
	return max(1, p.Repeats)
}

// maxScripted is the most bytes of what was expected, and of what was got in its place, that a script
// tells: a few lines of a terminal, in which the reproduction's own answer is to be found.
const maxScripted = 300

// expected is what the check expected, in one line.
func (p *plot) expected() string {
	return plain.Cut(plain.Line(cmp.Or(p.check.Expected, p.check.Message)), maxScripted)
}

// actual is what the check found, in one line.
func (p *plot) actual() string { return plain.Cut(plain.Line(p.check.Actual), maxScripted) }

// expectsStatus matches an expectation about the status.
var expectsStatus = regexp.MustCompile(`^([1-5]\d\d\b|a refusal)`)

// byStatus reports whether the status of the deciding answer alone shows the failure.
func (p *plot) byStatus() bool {
	status := strconv.Itoa(p.Answer.Status)
	return strings.HasPrefix(p.check.Actual, status) && expectsStatus.MatchString(p.check.Expected) && !strings.Contains(p.check.Expected, status)
}

// undecided are the statuses that say nothing of a rule, but where they are what failed.
func (p *plot) undecided() []string {
	return slices.DeleteFunc([]string{"429", "503"}, func(s string) bool { return s == strconv.Itoa(p.Answer.Status) })
}

// sentID matches an id in a request's body, as JSON.
var sentID = regexp.MustCompile(`"(?:id|user_id|custom_id)"\s*:\s*"?([A-Za-z0-9-]{1,64})`)

// known are the ids that the answer may hold in any run: those that the requests send, and
// the variables with those that the target gave.
func (p *plot) known() (ids, variables []string) {
	for i, step := range p.Steps {
		for _, piece := range step.Body {
			for _, sent := range sentID.FindAllStringSubmatch(piece.Text, -1) {
				ids = append(ids, sent[1])
			}
		}
		for _, capture := range step.Captures {
			if capture.Field == "id" && i < len(p.Steps)-1-len(p.beside()) { // which the script has by then
				variables = append(variables, capture.Var)
			}
		}
	}
	return ids, variables
}

// derived are the variables in the requests that are forms of words.
func (p *plot) derived() []string {
	var all []string
	for _, piece := range slices.Concat(p.Sent(), p.Answer.Body) {
		if piece.Var != result.WordOf(piece.Var) && !slices.Contains(all, piece.Var) {
			all = append(all, piece.Var)
		}
	}
	return all
}

// createsAlone reports whether a step makes a user without a session, and names the
// variable of the password.
func createsAlone(s result.Step) (password string, alone bool) {
	session := slices.ContainsFunc(s.Captures, func(c result.Capture) bool { return c.Field == "session_token" })
	i := slices.IndexFunc(s.Body, func(p result.Piece) bool { return strings.HasPrefix(p.Var, kindOfPassword+"_") })
	if s.Method != http.MethodPost || session || i < 0 || result.Shown(s.Path) != rules.CreateUser.Path() {
		return "", false
	}
	return s.Body[i].Var, true
}
