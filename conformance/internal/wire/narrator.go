package wire

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/internal/redact"
)

// narrator writes a transcript with variables for the values that differ between runs.
type narrator struct {
	*Redactor
	base      string
	captured  []variable // ids that answers gave, in their order
	counts    map[string]int
	words     []result.Word // that variables stand for
	passwords []variable
	tokens    []variable // of applications and sessions
	sent      []string   // the bodies of the requests
	since     string     // a time of an earlier answer that the expectation is about, "" for none
}

type variable struct{ text, name string }

// Reproduction returns the requests that lead to an unexpected exchange on the target with the
// base URL, or nil if they need something that only the judge has.
func (r *Redactor) Reproduction(transcript Transcript, deciding *Exchange, base, expected string) *result.Reproduction {
	moment := timestamp.FindString(expected)
	steps := transcript.before(deciding, moment)
	if len(steps) == 0 || len(deciding.RespBody) >= maxKept || !strings.HasPrefix(deciding.URL.String(), base) {
		return nil
	}
	n := &narrator{Redactor: NewRedactor(r.app, r.second), base: base, counts: map[string]int{},
		tokens: []variable{{r.app, "APP_TOKEN"}, {r.second, "SECOND_APP_TOKEN"}}}
	for _, word := range transcript.words {
		n.recordWord(word, steps)
	}
	reproduction := &result.Reproduction{}
	if moment != "" && slices.ContainsFunc(steps, func(s transcriptStep) bool { return strings.Contains(string(s.body), moment) }) {
		n.since, reproduction.Since = moment, moment // which the judge made up
	}
	var latest transcriptStep // of those that are written
	for _, step := range steps {
		n.sent = append(n.sent, string(step.body))
	}
	for i, step := range steps {
		if i == len(steps)-1 { // what it gives is part of the answer, which is written before
			reproduction.Answer = n.answer(deciding)
		}
		n.recordPartOf(step.header)
		written := n.step(step)
		if i > 0 {
			if gap := step.started.Sub(steps[i-1].started); gap > time.Second {
				written.WaitMS = gap.Milliseconds()
			}
		}
		if i < len(steps)-1 && step.status/100 == 4 && !scriptable(written) {
			continue // a refusal of something that only the judge has changed nothing
		}
		if i < len(steps)-1 && n.since == "" && moment != "" {
			written.Captures = append(written.Captures, n.capture(step, moment, strings.Contains(expected, "updated_at"))...)
		}
		written.AtOnce = step.atOnceWith(latest)
		reproduction.Steps, latest = append(reproduction.Steps, written), step
	}
	if moment != "" && n.since == "" {
		return nil // nothing tells the answer's times from right ones
	}
	reproduction.Passwords, reproduction.Words = n.counts["PASSWORD"], n.wordsIn(reproduction)
	if !n.complete(reproduction) || r.secretIn(reproduction) {
		return nil
	}
	return reproduction
}

func (n *narrator) name(kind string) string {
	n.counts[kind]++
	return fmt.Sprintf("%s_%d", kind, n.counts[kind])
}

func (n *narrator) step(step transcriptStep) result.Step {
	for _, found := range passwordField.FindAllSubmatch(step.body, -1) { // also in a body that is no JSON
		n.recordPassword(string(found[1]))
	}
	out := result.Step{Method: step.method, Path: n.path(step.url), Headers: []result.Field{}}
	for _, name := range slices.Sorted(maps.Keys(step.header)) {
		for _, value := range step.header[name] {
			if pair, ok := basicPair(value); ok && name == "Authorization" && len(step.header[name]) == 1 && value == basicOf(pair) {
				out.User = n.clean(n.pair(pair, n.pieces))
				continue
			}
			out.Headers = append(out.Headers, result.Field{Name: name, Value: n.clean(n.pieces(value))})
		}
	}
	if len(step.body) > 0 {
		out.Body = n.withIDs(string(step.body), step.endpoint, n.pieces)
	}
	if step.token != "" {
		out.Captures = append(out.Captures, result.Capture{Var: n.tokenOf(step.token), Field: "session_token"})
	}
	kind := map[rules.Endpoint]string{rules.CreateUser: "USER_ID", rules.CreateEvent: "EVENT_ID"}[step.endpoint]
	if kind != "" && step.id != "" && !slices.ContainsFunc(n.captured, func(v variable) bool { return v.text == step.id && strings.HasPrefix(v.name, kind) }) {
		name := n.name(kind)
		n.captured = append(n.captured, variable{step.id, name})
		out.Captures = append(out.Captures, result.Capture{Var: name, Field: "id"})
	}
	return out
}

// tokenOf names the variable of a session token that an answer gives, which may have come before.
func (n *narrator) tokenOf(token string) string {
	if name, known := n.nameOf(token); known && available.MatchString(name) {
		return name
	}
	name := n.name("SESSION_TOKEN")
	n.tokens = append(n.tokens, variable{token, name})
	n.Learn(token, name)
	return name
}

// passwordField is a password in a request's body.
var passwordField = regexp.MustCompile(`"password"\s*:\s*"([^"\\]+)"`)

func (r *Redactor) knows(secret string) bool {
	_, known := r.nameOf(secret)
	return known
}

func (r *Redactor) nameOf(secret string) (string, bool) { return r.secrets.Name(secret) }

// complete reports whether a script can have every variable of the requests.
func (n *narrator) complete(r *result.Reproduction) bool {
	return !slices.ContainsFunc(r.Steps, func(step result.Step) bool { return !scriptable(step) })
}

// scriptable reports whether a script can have every variable of a request.
func scriptable(step result.Step) bool {
	return !slices.ContainsFunc(step.Sent(), func(p piece) bool { return p.Var != "" && !available.MatchString(p.Var) })
}

// secretIn reports whether a text of the reproduction holds a secret that is none of
// the transcript's own: a target may give away those of others.
func (r *Redactor) secretIn(reproduction *result.Reproduction) bool {
	all := slices.Concat(reproduction.Sent(), reproduction.Answer.Body)
	for _, field := range reproduction.Answer.Headers {
		all = append(all, field.Value...)
	}
	return slices.ContainsFunc(all, func(p result.Piece) bool {
		return p.Var == "" && slices.ContainsFunc(r.secrets.Matches(p.Text), func(m redact.Match) bool {
			return !m.Part || passwordWord.MatchString(p.Text[m.From:m.To]) // a script has what is between the words of a password
		})
	})
}

// available are the variables that a script sets.
var available = regexp.MustCompile(`^(SINCE|(USER_ID|EVENT_ID)_\d+|WORD_\d+(_UPPER)?|((SECOND_)?APP_TOKEN|(SESSION_TOKEN|PASSWORD)_\d+)(_UPPER|_FIRST_\d+)?)$`)
