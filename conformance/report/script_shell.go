package report

import (
	_ "embed"
	"fmt"
	"net/http"
	"strings"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/shell"
)

// scriptHead is what every script does first: it makes a mark for its passwords and a
// folder, tidies up at the end, and knows how to send a request.
//
//go:embed script_head.sh
var scriptHead string

// shellScript writes a POSIX shell script that exits with 1 where the target has the
// failure, 0 where it has not, and 2 where that could not be decided.
func shellScript(p *plot) (string, error) {
	s := &script{plot: p, shell: shell.New()}
	s.line("#!/bin/sh")
	s.line("# Shows how %s (%s) is broken at %s, with curl and jq.", oneLine(p.rule.ID), oneLine(string(p.rule.Level)), oneLine(p.check.Endpoint))
	s.line("# %s", oneLine(p.rule.Statement))
	s.line("# Exit: 1 the failure is there, 0 it is not, 2 it could not be tried.")
	s.line(`# Set APP_TOKEN (and SECOND_APP_TOKEN where it is used) first; CONFORM_APP_TOKEN does as well.`)
	s.line(`# BASE_URL may name another target, and CA_CERT the file of the authority that signed its`)
	s.line(`# certificate: that of the report counts otherwise, and CURL_CA_BUNDLE does not.`)
	s.line("set -u")
	s.line("BASE_URL=${BASE_URL:-%s}", s.literal(p.baseURL))
	for _, name := range []string{"APP_TOKEN", "SECOND_APP_TOKEN"} {
		if name == "APP_TOKEN" || uses(s.plot, name) {
			s.line("%s=${%[1]s:-${CONFORM_%[1]s-}}", name)
			s.line(`[ -n "$%s" ] || { echo '%[1]s is to be set, or CONFORM_%[1]s' >&2; exit 2; }`, name)
		}
	}
	s.trust()
	if p.HasConcurrent() {
		s.attempts()
	} else {
		s.attempt()
	}
	return s.out.String(), nil
}

// attempt writes the lines that play the story once.
func (s *script) attempt() {
	s.out.WriteString(scriptHead)
	s.words()
	s.steps()
	s.decide()
}

// attempts writes the lines that play the story, in which requests are sent at the same time, until
// the failure shows: it does not each time.
func (s *script) attempts() {
	s.line("attempt() {")
	s.attempt()
	s.line("}")
	s.line(`
attempts=0 code=0
while [ "$code" = 0 ] && [ "$attempts" -lt %d ]; do
  attempts=$((attempts + 1))
  said=$(attempt) || code=$?
done
printf '%%s\n' "$said"
[ "$code" != 0 ] || echo "so it was in each of $attempts attempts"
[ "$code" != 1 ] || echo "this was attempt $attempts"
exit "$code"`, s.mostAttempts())
}

// mostAttempts is how often a story is played at most: fewer times where it is long, or has to wait.
func (p *plot) mostAttempts() int64 {
	const most, requests, seconds = 20, 600, 60 // of all attempts together
	waits := int64(1)
	for _, step := range p.Steps {
		waits += wholeSeconds(step.WaitMS)
	}
	return max(1, min(most, requests/int64(len(p.Steps)), seconds/waits))
}

type script struct {
	*plot
	out   strings.Builder
	shell *shell.Text
}

func (s *script) line(format string, args ...any) { fmt.Fprintf(&s.out, format+"\n", args...) }

func (s *script) literal(text string) string { return s.shell.Word([]result.Piece{{Text: text}}) }

// trust writes the lines by which curl trusts the certificate.
func (s *script) trust() {
	s.line("trust=%s", map[bool]string{true: "-k"}[s.insecure()])
	if file := s.authority(); file != "" {
		s.line("CA_CERT=${CA_CERT:-%s}", s.literal(file))
	}
	s.line(`[ -r "${CA_CERT:-/dev/null}" ] || { echo "there is no authority in $CA_CERT: set CA_CERT to its file" >&2; exit 2; }`)
}

// words writes the lines that make up what differs from run to run.
func (s *script) words() {
	for _, word := range s.Words {
		if word.Hex { // ends with neither 0 nor 1, see alphabet
			s.line("%s=$(word 0-9a-f %d)f", word.Var, word.Length-1)
		} else {
			s.line("%s=$(word a-z %d)", word.Var, word.Length)
		}
	}
	for _, token := range []string{"APP_TOKEN", "SECOND_APP_TOKEN"} {
		s.derive(token)
	}
	for _, word := range s.Words {
		s.derive(word.Var)
	}
}

// derive writes the lines that set the variables which are derived from another one.
func (s *script) derive(from string) {
	for _, name := range s.derived() {
		if result.WordOf(name) != from {
			continue
		}
		if count, first := strings.CutPrefix(name, from+"_FIRST_"); first {
			s.line(`%s=$(printf '%%s' "$%s" | cut -c 1-%s)`, name, from, count)
		} else {
			s.line(`%s=$(printf '%%s' "$%s" | tr a-z A-Z)`, name, from)
		}
	}
}

// steps writes the requests, and the function that sends the deciding one with those that are sent at
// the same time.
func (s *script) steps() {
	before, beside := s.Steps[:len(s.Steps)-1], s.beside()
	before = before[:len(before)-len(beside)]
	for len(before) > 0 {
		n := 1
		for n < len(before) && before[n].AtOnce {
			n++
		}
		s.send(before[:n])
		before = before[n:]
	}
	if len(beside) == 0 {
		s.wait(s.deciding())
		s.line("\ndecide() {\n  %s\n}", s.request(s.deciding()))
		return
	}
	s.wait(beside[0])
	s.line("\nall=$dir\ndecide() { # %d at the same time", len(beside)+1)
	s.background(beside)
	s.line("dir=$all\n%s\nwait\n}", s.request(s.deciding()))
}

// beside are the steps that are sent at the same time as the deciding one.
func (s *script) beside() []result.Step {
	last := len(s.Steps) - 1
	first := last
	for first > 0 && s.Steps[first].AtOnce {
		first--
	}
	return s.Steps[first:last]
}

// background writes requests that are not waited for, each of which has a folder for its answer.
func (s *script) background(steps []result.Step) {
	for i, step := range steps {
		s.line("dir=$all/%d; mkdir -p \"$dir\"\n%s &", i+1, s.request(step))
	}
}

func (s *script) wait(step result.Step) {
	if step.WaitMS > 0 {
		s.line("sleep %d", wholeSeconds(step.WaitMS))
	}
}

// wholeSeconds is a wait in whole seconds, rounded up.
func wholeSeconds(ms int64) int64 { return min((max(ms, 0)+999)/1000, maxWait) }

// send writes requests that are sent at the same time.
func (s *script) send(steps []result.Step) {
	s.wait(steps[0])
	if len(steps) == 1 {
		s.line("%s", s.request(steps[0]))
		s.given(steps[0])
		return
	}
	s.line("\nall=$dir # the next %d at the same time", len(steps))
	s.background(steps)
	s.line("wait")
	for i, step := range steps {
		s.line("dir=$all/%d", i+1)
		s.given(step)
	}
	s.line("dir=$all\n")
}

// given writes the lines that take what an answer gives to later steps.
func (s *script) given(step result.Step) {
	s.made(step)
	for _, capture := range step.Captures {
		s.line("%s=$(take %s) || exit 2", capture.Var, capture.Field)
		s.derive(capture.Var)
		if strings.HasPrefix(capture.Var, "SESSION_TOKEN") {
			s.line(`tokens="$tokens $%s,$%s"`, capture.Var, appOf(step))
		}
	}
}

// appOf is the variable with the app token of a step.
func appOf(step result.Step) string {
	if len(step.User) > 0 && step.User[0].Var == "SECOND_APP_TOKEN" {
		return "SECOND_APP_TOKEN"
	}
	return "APP_TOKEN"
}

// made writes the lines that record a user whom a step makes without a session, to delete
// it in the end.
func (s *script) made(step result.Step) {
	if password, alone := createsAlone(step); alone {
		s.line(`if name=$(take user_name 2>/dev/null); then made="$made $(printf '%%s' "$name" | jq -Rsr @base64),$%s,$%s"; fi`, password, appOf(step))
	}
}

// request is a step as a call of the shell function send.
func (s *script) request(step result.Step) string {
	words := []string{"send"}
	if step.Method == http.MethodHead {
		words = append(words, "-I")
	} else {
		words = append(words, "-X", step.Method)
	}
	if step.User != nil {
		words = append(words, "-u", s.shell.Word(step.User))
	}
	has := map[string]bool{}
	for _, field := range step.Headers {
		has[http.CanonicalHeaderKey(field.Name)] = true
		value := append([]result.Piece{{Text: field.Name + ": "}}, field.Value...)
		if len(field.Value) == 0 {
			value = []result.Piece{{Text: field.Name + ";"}}
		}
		words = append(words, "-H", s.shell.Word(result.Joined(value)))
	}
	for _, name := range []string{"User-Agent", "Accept", "Content-Type"} {
		if !has[name] && (name != "Content-Type" || len(step.Body) > 0) {
			words = append(words, "-H", "'"+name+":'")
		}
	}
	before := ""
	switch {
	case len(step.Body) == 0 && (step.Method == http.MethodPost || step.Method == http.MethodPut):
		words = append(words, "-H", "'Content-Length: 0'")
	case len(step.Body) > 0 && shell.Printable(step.Body):
		words = append(words, "--data-raw", s.shell.Word(step.Body))
	case len(step.Body) > 0:
		before = s.shell.Printf(step.Body) + " | "
		words = append(words, "--data-binary", "@-")
	}
	words = append(words, "-g", "--path-as-is", `"$BASE_URL"`+s.shell.Word(step.Path))
	return before + strings.Join(words, " ")
}
