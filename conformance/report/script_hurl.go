package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/result"
)

// hurlFile writes a file for Hurl, whose last assertion fails where the target has the
// failure. Hurl cannot compare bodies that vary from run to run, so a failure that the
// status does not show is an error: other forms show it.
func hurlFile(p *plot) (string, error) {
	if !p.byStatus() {
		return "", fmt.Errorf("the failure of %s does not show in a status alone, which is what Hurl can tell: write it as %s", p.rule.ID, Shell)
	}
	p = p.filled()
	h := &hurl{}
	h.line("# Shows how %s (%s) is broken at %s, with Hurl.", oneLine(p.rule.ID), oneLine(string(p.rule.Level)), oneLine(p.check.Endpoint))
	h.line("# %s", oneLine(p.rule.Statement))
	h.line("# It fails at its last assertion where the failure is there: expected %s; got %s", p.expected(), p.actual())
	h.line("# Run: hurl --test --variable base_url=%s --variable app_token=TOKEN FILE", oneLine(p.baseURL))
	if uses(p, "SECOND_APP_TOKEN") {
		h.line("# and --variable second_app_token=TOKEN")
	}
	if p.insecure() {
		h.line("# and --insecure")
	}
	if file := p.authority(); file != "" {
		h.line("# and --cacert %s", oneLine(file))
	}
	farewell := p.farewell()
	steps := append(slices.Clone(p.Steps), farewell...)
	for i, step := range steps {
		if why := misfit(step); why != "" {
			return "", fmt.Errorf("request %d of the story of %s %s: write it as %s", i+1, p.rule.ID, why, Shell)
		}
		decides := i == len(p.Steps)-1
		if decides {
			step.Captures = nil
		}
		h.entry(step)
		if decides && len(farewell) > 0 {
			h.line("[Captures]\ndecided: status")
		}
	}
	subject := `variable "decided"`
	if len(farewell) == 0 {
		subject = "status"
	}
	h.line("[Asserts]\n%s != %d # expected %s", subject, p.Answer.Status, p.expected())
	return h.out.String(), nil
}

func uses(p *plot, variable string) bool {
	return slices.ContainsFunc(p.Sent(), func(piece result.Piece) bool { return result.WordOf(piece.Var) == variable })
}

// hurl is a file that is being written.
type hurl struct{ out strings.Builder }

func (h *hurl) line(format string, args ...any) { fmt.Fprintf(&h.out, format+"\n", args...) }

// entry writes a request and the captures of its answer.
func (h *hurl) entry(s result.Step) {
	h.line("\n%s {{base_url}}%s", s.Method, spelled(s.Path, hurlText))
	for _, field := range s.Headers {
		h.line("%s: %s", field.Name, spelled(field.Value, hurlText))
	}
	if s.WaitMS > 0 {
		h.line("[Options]\ndelay: %dms", min(s.WaitMS, maxWait*1000))
	}
	if s.User != nil {
		name, password := pair(s.User)
		h.line("[BasicAuth]\n%s: %s", spelled(name, hurlText), spelled(password, hurlText))
	}
	if len(s.Body) > 0 {
		h.line("`%s`", spelled(s.Body, hurlText))
	}
	h.line("HTTP *")
	for i, capture := range s.Captures {
		if i == 0 {
			h.line("[Captures]")
		}
		h.line("%s: jsonpath \"$.%s\"", strings.ToLower(capture.Var), capture.Field)
	}
}

// hurlText escapes the characters with a meaning in Hurl.
func hurlText(text string) string {
	return strings.NewReplacer(`\`, `\\`, "#", `\#`, "`", "\\u{60}", "{{", `\u{7b}\u{7b}`).Replace(text)
}
