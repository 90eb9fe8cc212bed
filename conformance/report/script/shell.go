package script

import (
	"embed"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/internal/shell"
)

// programs are the parts of scripts that are the same in each: how to send a request, to take
// what an answer gives, to decide and to tidy up.
//
//go:embed programs
var programs embed.FS

// shellScript writes a POSIX shell script that exits with 1 where the target has the
// failure, 0 where it has not, and 2 where that could not be decided.
func shellScript(p *plot) (string, error) {
	s := &script{plot: p}
	program := []shell.Statement{
		shell.Fixed("#!/bin/sh"),
		shell.Comment("Shows how ", plain.Line(p.rule.ID), " (", plain.Line(string(p.rule.Level)), ") is broken at ", plain.Line(p.check.Endpoint), ", with curl and jq."),
		shell.Comment("", plain.Line(p.rule.Statement)),
		shell.Embedded(programs, "programs/settings.sh"),
		shell.Do(shell.Set(shell.Named("recorded_url"), shell.Lit(p.baseURL))),
		shell.Fixed("BASE_URL=${BASE_URL:-$recorded_url}"),
		shell.Fixed(`APP_TOKEN=${APP_TOKEN:-${CONFORM_APP_TOKEN-}}
[ -n "$APP_TOKEN" ] || { echo 'APP_TOKEN is to be set, or CONFORM_APP_TOKEN' >&2; exit 2; }`),
	}
	if uses(p, secondAppToken) {
		program = append(program, shell.Fixed(`SECOND_APP_TOKEN=${SECOND_APP_TOKEN:-${CONFORM_SECOND_APP_TOKEN-}}
[ -n "$SECOND_APP_TOKEN" ] || { echo 'SECOND_APP_TOKEN is to be set, or CONFORM_SECOND_APP_TOKEN' >&2; exit 2; }`))
	}
	program = append(program, shell.Do(shell.Set(shell.Named("recorded_authority"), shell.Lit(p.authority()))), shell.Fixed("CA_CERT=${CA_CERT:-$recorded_authority}"))
	if p.insecure() {
		program = append(program, shell.Fixed("trust=-k"))
	} else {
		program = append(program, shell.Fixed("trust="))
	}
	program = append(program, shell.Embedded(programs, "programs/checks.sh"), shell.Embedded(programs, "programs/head.sh"))
	story := append(append(s.words(), s.steps()...), s.decide()...)
	if p.HasConcurrent() {
		program = append(program, shell.Function("attempt", story...), shell.Do(shell.Call("attempts", plain.Number(s.mostAttempts()))))
	} else {
		program = append(program, story...)
	}
	return shell.Text(program...)
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

// script is a shell script that is being written.
type script struct{ *plot }

// place is where a text stands in a request, and how what an answer gave is spelled there.
type place string

// The places of a text.
const (
	asIs   place = ""
	inPath place = "_IN_PATH" // as a segment, with percent signs
	inJSON place = "_IN_JSON" // in a string
)

// word is pieces of text as a word.
func (s *script) word(pieces []result.Piece, at place) shell.Word {
	words := make([]shell.Word, len(pieces))
	for i, p := range pieces {
		switch {
		case p.Var == "":
			words[i] = shell.Lit(p.Text)
		case at != asIs && s.given(p.Var):
			words[i] = shell.Var(plain.Variable(p.Var + string(at)))
		default:
			words[i] = shell.Var(plain.Variable(p.Var))
		}
	}
	return shell.Joined(words...)
}

// words are the statements that make up what differs from run to run.
func (s *script) words() []shell.Statement {
	out := []shell.Statement{shell.Fixed("begin")}
	for _, word := range s.Words {
		if word.Hex { // ends with neither 0 nor 1, see alphabet
			made := shell.Output(shell.Call("word", shell.Plain("0-9a-f"), plain.Number(word.Length-1)))
			out = append(out, shell.Do(shell.Set(plain.Variable(word.Var), shell.Joined(made, shell.Lit("f")))))
		} else {
			out = append(out, shell.Do(shell.Set(plain.Variable(word.Var), shell.Output(shell.Call("word", shell.Plain("a-z"), plain.Number(word.Length))))))
		}
	}
	for _, token := range []string{appToken, secondAppToken} {
		out = append(out, s.derive(token)...)
	}
	for _, word := range s.Words {
		out = append(out, s.derive(word.Var)...)
	}
	return out
}

// derive are the statements that set the variables which are derived from another one.
func (s *script) derive(from string) []shell.Statement {
	var out []shell.Statement
	for _, name := range s.derived() {
		if result.WordOf(name) != from {
			continue
		}
		form := shell.Call("upper", shell.Var(plain.Variable(from)))
		if count, first := strings.CutPrefix(name, from+"_FIRST_"); first {
			form = shell.Call("first", shell.Var(plain.Variable(from)), shell.Plain(count))
		}
		out = append(out, shell.Do(shell.Set(plain.Variable(name), shell.Output(form))))
	}
	return out
}

// steps are the requests, and the function that sends the deciding one with those that are sent at
// the same time.
func (s *script) steps() []shell.Statement {
	var out []shell.Statement
	before, beside := s.Steps[:len(s.Steps)-1], s.beside()
	before = before[:len(before)-len(beside)]
	for len(before) > 0 {
		n := 1
		for n < len(before) && before[n].AtOnce {
			n++
		}
		out = append(out, s.send(before[:n])...)
		before = before[n:]
	}
	decide := shell.Do(s.request(s.deciding()))
	if len(beside) == 0 {
		return append(append(out, s.wait(s.deciding())...), shell.Function("decide", decide))
	}
	body := append(s.background(beside), shell.Fixed("back"), decide, shell.Fixed("wait"))
	return append(append(out, s.wait(beside[0])...), shell.Function("decide", body...))
}

// beside are the steps that are sent at the same time as the deciding one.
func (p *plot) beside() []result.Step {
	last := len(p.Steps) - 1
	first := last
	for first > 0 && p.Steps[first].AtOnce {
		first--
	}
	return p.Steps[first:last]
}

// background are requests that are not waited for, each of which has a folder for its answer.
func (s *script) background(steps []result.Step) []shell.Statement {
	var out []shell.Statement
	for i, step := range steps {
		out = append(out, shell.Do(shell.Call("aside", plain.Number(i+1))), shell.Background(s.request(step)))
	}
	return out
}

func (s *script) wait(step result.Step) []shell.Statement {
	if step.WaitMS <= 0 {
		return nil
	}
	return []shell.Statement{shell.Do(shell.Call("sleep", plain.Number(wholeSeconds(step.WaitMS))))}
}

// wholeSeconds is a wait in whole seconds, rounded up.
func wholeSeconds(ms int64) int64 { return min((max(ms, 0)+999)/1000, maxWait) }

// send are requests that are sent at the same time.
func (s *script) send(steps []result.Step) []shell.Statement {
	out := s.wait(steps[0])
	if len(steps) == 1 {
		return append(append(out, shell.Do(s.request(steps[0]))), s.taken(steps[0])...)
	}
	out = append(append(out, s.background(steps)...), shell.Fixed("wait"))
	for i, step := range steps {
		out = append(append(out, shell.Do(shell.Call("aside", plain.Number(i+1)))), s.taken(step)...)
	}
	return append(out, shell.Fixed("back"))
}

// taken are the statements that take what an answer gives to later steps.
func (s *script) taken(step result.Step) []shell.Statement {
	out := s.made(step)
	for _, capture := range step.Captures {
		value := shell.Var(plain.Variable(capture.Var))
		out = append(out, shell.Do(shell.Either(shell.Call("take", shell.Plain(capture.Field)), shell.Simple("exit 2"))),
			shell.Do(shell.Set(plain.Variable(capture.Var), shell.Var(shell.Named("value")))))
		if used := s.Sent(); slicesUse(used, capture.Var) || slicesUse(s.Answer.Body, capture.Var) {
			out = append(out, shell.Do(shell.Set(plain.Variable(capture.Var+string(inPath)), shell.Output(shell.Call("in_path", value)))),
				shell.Do(shell.Set(plain.Variable(capture.Var+string(inJSON)), shell.Output(shell.Call("in_json", value)))))
		}
		out = append(out, s.derive(capture.Var)...)
		if capture.Field == "session_token" {
			out = append(out, shell.Do(shell.Call("session", shell.Var(plain.Variable(appOf(step))))))
		}
	}
	return out
}

// made are the statements that record a user whom a step makes without a session, to delete
// it in the end.
func (s *script) made(step result.Step) []shell.Statement {
	password, alone := createsAlone(step)
	if !alone {
		return nil
	}
	return []shell.Statement{shell.Do(shell.Call("made", shell.Var(plain.Variable(appOf(step))), shell.Var(plain.Variable(password))))}
}

// request is a step as a call of the shell function send.
func (s *script) request(step result.Step) shell.Command {
	words := []shell.Word{s.word(step.Path, inPath)}
	add := func(option string, value shell.Word) { words = append(words, shell.Plain(option), value) }
	if step.Method == http.MethodHead {
		words = append(words, shell.Plain("-I"))
	} else {
		add("-X", shell.Plain(step.Method))
	}
	if step.User != nil {
		add("-u", s.word(step.User, asIs))
	}
	has := map[string]bool{}
	for _, field := range step.Headers {
		has[http.CanonicalHeaderKey(field.Name)] = true
		if len(field.Value) == 0 {
			add("-H", shell.Lit(field.Name+";"))
			continue
		}
		add("-H", shell.Joined(shell.Lit(field.Name+": "), s.word(field.Value, asIs)))
	}
	for _, name := range []string{"User-Agent", "Accept", "Content-Type"} {
		if !has[name] && (name != "Content-Type" || len(step.Body) > 0) {
			add("-H", shell.Lit(name+":"))
		}
	}
	body := s.word(step.Body, inJSON)
	switch {
	case len(step.Body) == 0 && (step.Method == http.MethodPost || step.Method == http.MethodPut):
		add("-H", shell.Lit("Content-Length: 0"))
	case len(step.Body) > 0 && body.Prints():
		add("--data-raw", body)
	case len(step.Body) > 0:
		add("--data-binary", shell.Plain("@-"))
		return shell.Pipe(shell.Print(body), shell.Call("send", words...))
	}
	return shell.Call("send", words...)
}

// decide are the statements that decide whether the target has the failure.
func (s *script) decide() []shell.Statement {
	out, otherwise := s.unexpected(), ""
	if out == nil {
		out, otherwise = s.recorded(), `: this is not the answer that was blamed; "expected" says what is right`
	}
	if s.HasConcurrent() {
		otherwise += "; requests at the same time may show it only now and then: try again, or replay it with the judge"
	}
	var statuses []shell.Word
	for _, status := range s.undecided() {
		statuses = append(statuses, shell.Plain(status))
	}
	if s.Answer.Status != 0 {
		statuses = append(statuses, shell.Plain("000"))
	}
	out = append(out, shell.Function("undecided", shell.Do(shell.Call("answered", statuses...))),
		shell.Do(shell.Call("ask", plain.Number(s.tries()), plain.Number(s.repeats()), plain.Number(wholeSeconds(s.RepeatAfterMS)))))
	for i, step := range s.beside() {
		out = append(append(out, shell.Do(shell.Call("aside", plain.Number(i+1)))), s.left(step)...)
	}
	out = append(append(out, shell.Fixed("back")), s.left(s.deciding())...)
	return append(out, shell.Do(shell.Call("tell", shell.Lit(s.expected()), shell.Lit(strconv.Quote(s.actual())), shell.Lit(otherwise))))
}

// left are the statements that record what an answer gives to whoever tidies up.
func (s *script) left(step result.Step) []shell.Statement {
	out := s.made(step)
	for _, capture := range step.Captures {
		if capture.Field == "session_token" {
			out = append(out, shell.Do(shell.Call("session", shell.Var(plain.Variable(appOf(step))))))
		}
	}
	return out
}

// unexpected are the statements that know the failure by another status than the expected ones, nil where
// more than the status shows it.
func (s *script) unexpected() []shell.Statement {
	if len(s.Passing) == 0 {
		return nil
	}
	var statuses []shell.Word
	for _, status := range s.Passing {
		statuses = append(statuses, shell.Plain(status))
	}
	return []shell.Statement{shell.Function("passes", shell.Do(shell.Call("answered", statuses...))), shell.Fixed("failed() { ! passes; }")}
}

// recorded are the statements that know the failure by the recorded answer.
func (s *script) recorded() []shell.Statement {
	var out []shell.Statement
	if s.Since != "" {
		out = append(out, shell.Do(shell.Set(plain.Variable(since), shell.Lit(s.Since))))
	}
	ids, variables := s.known()
	for _, id := range ids {
		out = append(out, shell.Do(shell.Call("id", shell.Lit(id))))
	}
	for _, name := range variables {
		out = append(out, shell.Do(shell.Call("id", shell.Var(plain.Variable(name)))))
	}
	head := []shell.Statement{}
	for _, field := range s.Answer.Headers {
		head = append(head, shell.Do(shell.Print(shell.Joined(shell.Lit(field.Name+": "), s.word(field.Value, asIs), shell.Lit("\n")))))
	}
	status := fmt.Sprintf("%03d", min(max(s.Answer.Status, 0), 999))
	return append(out, shell.Function("recorded", shell.Do(shell.Print(s.word(s.Answer.Body, inJSON)))), shell.Function("recorded_head", head...),
		shell.Fixed(`recorded >"$home/recorded"`), shell.Fixed(`recorded_head >"$home/recorded-head"`),
		shell.Function("failed", shell.Do(s.shownBy(status))))
}

// shownBy is the command that compares an answer with the recorded one, which has the status: all of it, or the one
// header field that shows the failure.
func (s *script) shownBy(status string) shell.Command {
	if s.Answer.Field != "" {
		return shell.Call("again_in", shell.Plain(status), shell.Lit(strings.ToLower(s.Answer.Field)))
	}
	return shell.Call("again", shell.Plain(status))
}

// appOf is the variable with the app token of a step.
func appOf(step result.Step) string {
	if len(step.User) > 0 && step.User[0].Var == secondAppToken {
		return secondAppToken
	}
	return appToken
}
