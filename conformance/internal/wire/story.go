package wire

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// Story is the requests of a scenario in their order, as far as it takes to make
// them again: what only reads leads to nothing, and is left out.
type Story struct {
	steps []told
	words []string // that were made up for it
}

// told is one request, and what its answer gave to later ones.
type told struct {
	endpoint  rules.Endpoint
	method    string
	url       *url.URL
	header    http.Header
	body      []byte
	started   time.Time
	status    int
	id, token string
	times     jsonvalue.Record // of the resource that was answered
}

// maxStory is how many requests a story holds: longer ones show no failure that
// a person would read.
const maxStory = 120

// Word adds a text that was made up: another telling of the story has another one.
func (s *Story) Word(text string) {
	if len(s.steps) <= maxStory {
		s.words = append(s.words, text)
	}
}

// Add adds an exchange.
func (s *Story) Add(x *Exchange) {
	reads := x.Method == http.MethodGet || x.Method == http.MethodHead || x.Method == http.MethodOptions
	if reads || len(s.steps) > maxStory {
		return
	}
	s.steps = append(s.steps, tell(x))
}

// Borrow adds an exchange of another story that this one goes on from.
func (s *Story) Borrow(x *Exchange) {
	before := len(s.steps)
	if s.Add(x); len(s.steps) > before {
		s.steps[before].started = time.Now() // it is no wait of this one's
	}
}

func tell(x *Exchange) told {
	step := told{endpoint: x.Endpoint, method: x.Method, url: x.URL, header: x.Header, body: x.Body, started: x.started}
	if x.Err != nil {
		return step
	}
	step.status = x.Status
	if value, err := jsonvalue.Decode(x.RespBody); err == nil && x.Status/100 == 2 {
		record, _ := jsonvalue.AsRecord(value)
		step.id, step.token = record.ID(), record.Text("session_token")
		step.times = jsonvalue.Record{"created_at": record.Text("created_at"), "updated_at": record.Text("updated_at")}
	}
	return step
}

// before are the requests up to an exchange, nil where they are too many.
func (s Story) before(x *Exchange) []told {
	if len(s.steps) > maxStory {
		return nil
	}
	var steps []told
	for _, step := range s.steps {
		if step.started.Before(x.started) {
			steps = append(steps, step)
		}
	}
	return append(steps, tell(x))
}

// narrator writes a story with variables for what differs from run to run.
type narrator struct {
	*Redactor
	base     string
	captured []variable // ids that answers gave, in their order
	counts   map[string]int
	words    map[string]int // the length of the words that variables stand for
	since    string         // a time of an earlier answer that the expectation is about, "" for none
}

type variable struct{ text, name string }

// Reproduction tells how to come to an exchange again on the target with the base
// URL, which is not as expected. It is nil where that takes something that only the
// judge has.
func (r *Redactor) Reproduction(story Story, deciding *Exchange, base, expected string) *result.Reproduction {
	steps := story.before(deciding)
	if len(steps) == 0 || len(deciding.RespBody) >= maxKept || !strings.HasPrefix(deciding.URL.String(), base) {
		return nil
	}
	n := &narrator{Redactor: NewRedactor(r.app, r.second), base: base, counts: map[string]int{}, words: map[string]int{}}
	for _, word := range story.words {
		n.learnWord(word)
	}
	reproduction := &result.Reproduction{}
	moment := timestamp.FindString(expected)
	if moment != "" && slices.ContainsFunc(steps, func(s told) bool { return strings.Contains(string(s.body), moment) }) {
		n.since, reproduction.Since = moment, moment // which the judge made up
	}
	for i, step := range steps {
		if i == len(steps)-1 { // what it gives is part of the answer, which is written before
			reproduction.Answer = n.answer(deciding)
		}
		told := n.step(step)
		if i > 0 {
			if gap := step.started.Sub(steps[i-1].started); gap > time.Second {
				told.WaitMS = gap.Milliseconds()
			}
		}
		if i < len(steps)-1 && step.status/100 == 4 && !tellable(told) {
			continue // a refusal of something that only the judge has changed nothing
		}
		if i < len(steps)-1 && n.since == "" && moment != "" {
			told.Captures = append(told.Captures, n.capture(step, moment, strings.Contains(expected, "updated_at"))...)
		}
		reproduction.Steps = append(reproduction.Steps, told)
	}
	reproduction.Passwords, reproduction.Words = n.counts["PASSWORD"], n.wordsIn(reproduction)
	if !n.complete(reproduction) || r.secretIn(reproduction) {
		return nil
	}
	return reproduction
}

// timestamp finds a time in a text.
var timestamp = regexp.MustCompile(`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[0-9.]*(Z|[+-]\d{2}:\d{2})`)

// capture captures a time of an answer, where it has it: what came later is then told
// from what came before.
func (n *narrator) capture(step told, moment string, updated bool) []result.Capture {
	fields := []string{"created_at", "updated_at"}
	if updated {
		slices.Reverse(fields)
	}
	for _, field := range fields {
		if step.times.Text(field) == moment {
			n.since = moment
			n.Learn(moment, "SINCE")
			return []result.Capture{{Var: "SINCE", Field: field}}
		}
	}
	return nil
}

// placed is a text whose times are told by whether they are before the one that was
// captured. Times in UTC compare as texts.
func (n *narrator) placed(text string) string {
	if n.since == "" {
		return text
	}
	return timestamp.ReplaceAllStringFunc(text, func(moment string) string {
		switch {
		case moment == n.since || !strings.HasSuffix(moment, "Z"):
			return moment
		case strings.TrimSuffix(moment, "Z") < strings.TrimSuffix(n.since, "Z"):
			return "time before"
		}
		return "time after"
	})
}

// learnWord learns a text that was made up. Its first letter stays as it is, since
// it may be written large.
func (n *narrator) learnWord(word string) {
	name := n.name("WORD")
	n.words[name] = len(word) - 1
	n.Learn(word[1:], name)
	n.Learn(strings.ToUpper(word[1:]), name+"_UPPER")
}

// wordsIn are the words that the requests take.
func (n *narrator) wordsIn(r *result.Reproduction) []result.Word {
	var used []result.Word
	for _, p := range r.Sent() {
		name := strings.TrimSuffix(p.Var, "_UPPER")
		length, known := n.words[name]
		if known && !slices.ContainsFunc(used, func(w result.Word) bool { return w.Var == name }) {
			used = append(used, result.Word{Var: name, Length: length})
		}
	}
	return used
}

func (n *narrator) name(kind string) string {
	n.counts[kind]++
	return fmt.Sprintf("%s_%d", kind, n.counts[kind])
}

func (n *narrator) step(step told) result.Step {
	for _, found := range passwordField.FindAllSubmatch(step.body, -1) { // also in a body that is no JSON
		if password := string(found[1]); len(password) >= seedSize && !n.knows(password) {
			n.Learn(password, n.name("PASSWORD"))
		}
	}
	out := result.Step{Method: step.method, Path: n.path(step.url), Headers: []result.Field{}}
	for _, name := range slices.Sorted(maps.Keys(step.header)) {
		for _, value := range step.header[name] {
			if pair, ok := basicPair(value); ok && name == "Authorization" && len(step.header[name]) == 1 && value == basicOf(pair) {
				out.User = n.clean(n.pieces(pair))
				continue
			}
			out.Headers = append(out.Headers, result.Field{Name: name, Value: n.clean(n.pieces(value))})
		}
	}
	if len(step.body) > 0 {
		out.Body = n.withIDs(string(step.body), step.endpoint)
	}
	if step.token != "" && !n.knows(step.token) {
		name := n.name("SESSION_TOKEN")
		n.Learn(step.token, name)
		out.Captures = append(out.Captures, result.Capture{Var: name, Field: "session_token"})
	}
	kind := map[rules.Endpoint]string{rules.CreateUser: "USER_ID", rules.CreateEvent: "EVENT_ID"}[step.endpoint]
	if kind != "" && step.id != "" && !slices.ContainsFunc(n.captured, func(v variable) bool { return v.text == step.id && strings.HasPrefix(v.name, kind) }) {
		name := n.name(kind)
		n.captured = append(n.captured, variable{step.id, name})
		out.Captures = append(out.Captures, result.Capture{Var: name, Field: "id"})
	}
	return out
}

// passwordField is a password in a request's body.
var passwordField = regexp.MustCompile(`"password"\s*:\s*"([^"\\]+)"`)

func (r *Redactor) knows(secret string) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	_, known := r.secrets[secret]
	return known
}

// path is what follows the base URL, with ids of users and events as variables.
func (n *narrator) path(u *url.URL) []result.Piece {
	rest := strings.TrimPrefix(u.String(), n.base)
	var pieces []piece
	for i, segment := range strings.SplitAfter(rest, "/") {
		text := strings.TrimSuffix(segment, "/")
		path, query, asks := strings.Cut(text, "?")
		kind := "USER_ID"
		if strings.Contains(rest, "/events/") {
			kind = "EVENT_ID"
		}
		if v, ok := n.idOf(path, kind); ok && i > 0 {
			pieces = append(pieces, piece{Var: v})
			path = ""
		}
		if asks {
			path += "?" + query
		}
		pieces = append(pieces, n.pieces(path+segment[len(text):])...)
	}
	return n.clean(pieces)
}

func (n *narrator) idOf(text, kind string) (string, bool) {
	for _, v := range slices.Backward(n.captured) {
		if v.text == text && strings.HasPrefix(v.name, kind) {
			return v.name, true
		}
	}
	return "", false
}

// idField is a field of a JSON text that holds an id.
var idField = regexp.MustCompile(`"(\w*id)"\s*:\s*"?([^",}\]\s]+)`)

// withIDs cuts a JSON text of an endpoint at its secrets and at the ids in its id fields.
func (n *narrator) withIDs(text string, at rules.Endpoint) []result.Piece {
	own := "USER_ID"
	if at == rules.CreateEvent || at == rules.UpdateEvent || at == rules.Feed {
		own = "EVENT_ID"
	}
	var pieces []piece
	from := 0
	for _, at := range idField.FindAllStringSubmatchIndex(text, -1) {
		kind := "USER_ID"
		if text[at[2]:at[3]] == "id" {
			kind = own
		}
		name, ok := n.idOf(text[at[4]:at[5]], kind)
		if !ok {
			continue
		}
		pieces = append(append(pieces, n.pieces(text[from:at[4]])...), piece{Var: name})
		from = at[5]
	}
	return n.clean(append(pieces, n.pieces(text[from:])...))
}

// clean takes away the texts that variables stand for, and what is empty.
func (n *narrator) clean(pieces []piece) []result.Piece {
	kept := []result.Piece{}
	for _, p := range pieces {
		if p.Var != "" {
			p.Text = ""
		} else if p.Text == "" {
			continue
		}
		p.Base64 = nil
		kept = append(kept, p)
	}
	return kept
}

// telling are the header fields that rules are about.
var telling = regexp.MustCompile(`^(Content-Type|Allow|Location|Www-Authenticate|Access-Control-.*)$`)

func (n *narrator) answer(x *Exchange) result.Answer {
	if x.Err != nil {
		return result.Answer{}
	}
	answer := result.Answer{Status: x.Status, Body: n.withIDs(n.placed(strings.ToValidUTF8(string(x.RespBody), "�")), x.Endpoint)}
	for i, p := range answer.Body { // a secret that no earlier answer gave
		if p.Var != "" && !available.MatchString(p.Var) {
			answer.Body[i] = piece{Text: "token"}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(x.RespHeader)) {
		if telling.MatchString(name) {
			for _, value := range x.RespHeader[name] {
				answer.Headers = append(answer.Headers, result.Field{Name: name, Value: n.clean(n.pieces(value))})
			}
		}
	}
	return answer
}

// complete reports whether a script can have every variable of the requests.
func (n *narrator) complete(r *result.Reproduction) bool {
	return !slices.ContainsFunc(r.Steps, func(step result.Step) bool { return !tellable(step) })
}

// tellable reports whether a script can have every variable of a request.
func tellable(step result.Step) bool {
	return !slices.ContainsFunc(step.Sent(), func(p piece) bool { return p.Var != "" && !available.MatchString(p.Var) })
}

// secretIn reports whether a text of the reproduction holds a secret that is none of
// the story's own: a target may give away those of others.
func (r *Redactor) secretIn(reproduction *result.Reproduction) bool {
	all := slices.Concat(reproduction.Sent(), reproduction.Answer.Body)
	for _, field := range reproduction.Answer.Headers {
		all = append(all, field.Value...)
	}
	return slices.ContainsFunc(all, func(p result.Piece) bool { return p.Var == "" && r.Text(p.Text) != p.Text })
}

// available are the variables that a script sets.
var available = regexp.MustCompile(`^(APP_TOKEN|SINCE|SECOND_APP_TOKEN|WORD_\d+(_UPPER)?|(PASSWORD|SESSION_TOKEN|USER_ID|EVENT_ID)_\d+)$`)
