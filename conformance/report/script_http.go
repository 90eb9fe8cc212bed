package report

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/result"
)

// httpFile writes a file whose requests editors run in sequence: JetBrains' HTTP client, and
// httpYac in others. Where the status shows the failure, the file has a test of it.
func httpFile(p *plot) (string, error) {
	p = p.filled()
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# Shows how %s (%s) is broken at %s, in the HTTP client of an editor (JetBrains, httpYac).", oneLine(p.rule.ID), oneLine(string(p.rule.Level)), oneLine(p.check.Endpoint))
	line("# %s", oneLine(p.rule.Statement))
	line("# Expected %s; got %s", p.expected(), p.actual())
	line("# Set app_token in an environment, such as http-client.private.env.json, and second_app_token where it is used.")
	if file := p.authority(); file != "" {
		line("# The target's certificate is signed by the authority in %s: let the editor trust it.", oneLine(file))
	}
	line("@base_url = %s", oneLine(p.baseURL))
	for i, step := range append(slices.Clone(p.Steps), p.farewell()...) {
		why := misfit(step)
		if why == "" {
			why = unwritable(step)
		}
		if why != "" {
			return "", fmt.Errorf("request %d of the story of %s %s: write it as %s", i+1, p.rule.ID, why, Shell)
		}
		decides := i == len(p.Steps)-1
		line("\n### %d%s", i+1, map[bool]string{true: ": the one that decides"}[decides])
		if decides {
			line("# Expected %s", p.expected())
			step.Captures = nil
		}
		if step.WaitMS > 0 {
			line("# Wait %d s before it.", wholeSeconds(step.WaitMS))
		}
		b.WriteString(httpRequest(step))
		for _, capture := range step.Captures {
			line("\n> {%% client.global.set(%q, response.body.%s); %%}", strings.ToLower(capture.Var), capture.Field)
		}
		if decides && p.byStatus() {
			line("\n> {%%\nclient.test(%s, function() {\n  client.assert(response.status !== %d, %s);\n});\n%%}",
				javaScript(p.rule.ID), p.Answer.Status, javaScript("expected "+p.expected()))
		}
	}
	return b.String(), nil
}

func httpRequest(s result.Step) string {
	var b strings.Builder
	same := func(text string) string { return text }
	fmt.Fprintf(&b, "%s {{base_url}}%s\n", s.Method, spelled(s.Path, same))
	if s.User != nil {
		fmt.Fprintf(&b, "Authorization: Basic %s\n", spelled(s.User, same))
	}
	for _, field := range s.Headers {
		fmt.Fprintf(&b, "%s: %s\n", field.Name, spelled(field.Value, same))
	}
	if len(s.Body) > 0 {
		fmt.Fprintf(&b, "\n%s\n", spelled(s.Body, same))
	}
	return b.String()
}

// jsonLike matches the beginnings of bodies that no editor takes for syntax of the file.
var jsonLike = regexp.MustCompile(`^[\[{"0-9a-z]`)

// unwritable is why a step cannot be written: the format has no quoting.
func unwritable(s result.Step) string {
	for _, p := range s.Sent() {
		if p.Var == "" && (strings.Contains(p.Text, "{{") || strings.Contains(p.Text, "{%")) {
			return "holds what is a variable there"
		}
	}
	name, password := pair(s.User)
	if strings.Contains(result.Shown(slices.Concat(name, password)), " ") {
		return "has credentials with blanks"
	}
	if len(s.Body) > 0 && !jsonLike.MatchString(spelled(s.Body, func(t string) string { return t })) {
		return "has a body that could be taken for a command"
	}
	return ""
}

// javaScript is a text as a quoted JavaScript string.
func javaScript(text string) string {
	quoted, _ := json.Marshal(text) // encoding a string never fails
	return strings.ReplaceAll(string(quoted), "%", `\u0025`)
}
