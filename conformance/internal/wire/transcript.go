package wire

import (
	"bytes"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/rules"
)

// Transcript is the requests of a scenario, in order, that are needed to repeat it: those that only
// read are left out, except an earlier read of what the deciding request reads, whose answer a
// target may have cached.
type Transcript struct {
	borrowed []transcriptStep // of another transcript, in the order in which they were sent
	began    time.Time        // when the first was borrowed
	steps    []transcriptStep
	reads    []transcriptStep // each the last one of its kind between two steps
	words    []string         // that were made up for it
}

// transcriptStep is one request, and what its answer gave to later ones.
type transcriptStep struct {
	endpoint  rules.Endpoint
	method    string
	url       *url.URL
	header    http.Header
	body      []byte
	started   time.Time
	ended     time.Time
	scenario  string
	status    int
	id, token string
	times     jsonvalue.Record // of the resource that was answered
}

// maxTranscript is how many requests a transcript holds: nobody would read a longer reproduction.
const maxTranscript = 120

// maxReads is how many reads of a transcript are kept.
const maxReads = 4 * maxTranscript

// Word adds a text that was made up: whoever repeats the requests makes up another one.
func (s *Transcript) Word(text string) { s.words = append(s.words, text) }

// Of is the part of a transcript that some of its exchanges belong to, with the random texts in them.
func (s *Transcript) Of(exchanges []*Exchange) Transcript {
	var part Transcript
	for _, x := range exchanges {
		part.Add(x)
	}
	part.addSessionsOf(s)
	for _, word := range s.words {
		if slices.ContainsFunc(exchanges, func(x *Exchange) bool { return x.holds(word) }) {
			part.words = append(part.words, word)
		}
	}
	return part
}

// addSessionsOf adds the steps of the whole transcript that gave the sessions of the part's requests.
func (s *Transcript) addSessionsOf(whole *Transcript) {
	gave := func(token string) func(transcriptStep) bool {
		return func(step transcriptStep) bool { return token != "" && step.token == token }
	}
	for _, request := range slices.Concat(s.steps, s.reads) {
		_, token, _ := CredentialsOf(request.header)
		all := slices.Concat(whole.borrowed, whole.steps)
		if i := slices.IndexFunc(all, gave(token)); i >= 0 && !slices.ContainsFunc(s.steps, gave(token)) {
			s.steps = append(s.steps, all[i])
		}
	}
	slices.SortStableFunc(s.steps, byStart)
}

// holds reports whether a request has a text in it.
func (x *Exchange) holds(text string) bool {
	return bytes.Contains(x.Body, []byte(text)) || strings.Contains(x.URL.String(), text)
}

// Add adds an exchange.
func (s *Transcript) Add(x *Exchange) {
	if len(s.steps) > maxTranscript {
		return
	}
	switch x.Method {
	case http.MethodGet:
		s.addRead(x)
	case http.MethodHead, http.MethodOptions:
	default:
		s.steps = append(s.steps, stepOf(x))
	}
}

// addRead adds a read, which takes the place of the same one since the latest step.
func (s *Transcript) addRead(x *Exchange) {
	next := transcriptStep{endpoint: x.Endpoint, method: x.Method, url: x.URL, header: x.Header, started: x.started, status: x.Status, times: stepOf(x).times}
	for i := len(s.reads) - 1; i >= 0 && len(s.steps) > 0 && s.reads[i].started.After(s.steps[len(s.steps)-1].started); i-- {
		if s.reads[i].same(next) {
			s.reads[i] = next
			return
		}
	}
	if len(s.reads) < maxReads {
		s.reads = append(s.reads, next)
	}
}

// same reports whether two reads are one user's of one thing.
func (t transcriptStep) same(o transcriptStep) bool {
	return t.url.String() == o.url.String() && t.header.Get("Authorization") == o.header.Get("Authorization")
}

// atOnceWith reports whether a request that may change something was sent while another one of the same
// scenario, which began before, was not answered. Those of several scenarios overlap by chance.
func (t transcriptStep) atOnceWith(o transcriptStep) bool {
	return t.scenario == o.scenario && t.started.Before(o.ended) && t.method != http.MethodGet && o.method != http.MethodGet
}

// Borrow adds an exchange of another transcript that this one goes on from. It comes before the
// steps that were sent later, so that whoever repeats them gets ids in the same order.
func (s *Transcript) Borrow(x *Exchange) {
	if len(s.borrowed) == 0 {
		s.began = time.Now()
	}
	s.borrowed = append(s.borrowed, stepOf(x))
	slices.SortStableFunc(s.borrowed, byStart)
}

func byStart(a, b transcriptStep) int { return a.started.Compare(b.started) }

// withBorrowed returns the borrowed steps and the others. To wait between the former and the latter is
// no part of the story.
func (s Transcript) withBorrowed() []transcriptStep {
	all, first := slices.Concat(s.borrowed, s.steps), s.began
	if len(s.steps) > 0 && s.steps[0].started.Before(first) {
		first = s.steps[0].started
	}
	for i := range s.borrowed {
		if all[i].started.Before(first) {
			all[i].started = first
		}
	}
	slices.SortStableFunc(all, byStart)
	return all
}

// stepOf is an exchange as a step.
func stepOf(x *Exchange) transcriptStep {
	step := transcriptStep{endpoint: x.Endpoint, method: x.Method, url: x.URL, header: x.Header, body: x.Body, started: x.started, ended: x.started.Add(x.Took), scenario: x.Scenario}
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

// before are the requests up to an exchange, nil where they are too many. A read is among them that
// shows a resource of the moment, where no write's answer does; "" is none.
func (s Transcript) before(x *Exchange, moment string) []transcriptStep {
	if len(s.borrowed)+len(s.steps) > maxTranscript {
		return nil
	}
	var steps []transcriptStep
	for _, step := range s.withBorrowed() {
		if step.started.Before(x.started) {
			steps = append(steps, step)
		}
	}
	deciding := stepOf(x)
	written := len(steps)
	if read, there := s.earlier(deciding, steps); there {
		steps = append(steps, read)
	}
	if read, there := s.showing(moment, deciding); there && !slices.ContainsFunc(steps, func(step transcriptStep) bool { return step.shows(moment) }) {
		steps = append(steps, read)
	}
	if len(steps) > written {
		slices.SortStableFunc(steps, byStart)
	}
	return append(steps, deciding)
}

// showing is the first read before the deciding request that shows a resource of a time.
func (s Transcript) showing(moment string, deciding transcriptStep) (transcriptStep, bool) {
	for _, read := range s.reads {
		if moment != "" && read.shows(moment) && read.started.Before(deciding.started) {
			return read, true
		}
	}
	return transcriptStep{}, false
}

// shows reports whether the answer is a resource that was made or changed at a time.
func (s transcriptStep) shows(moment string) bool {
	return s.times.Text("created_at") == moment || s.times.Text("updated_at") == moment
}

// earlier is the latest read of what the deciding request reads, before the last of the steps
// that lead there.
func (s Transcript) earlier(deciding transcriptStep, steps []transcriptStep) (transcriptStep, bool) {
	for _, read := range slices.Backward(s.reads) {
		if deciding.method == read.method && deciding.same(read) && len(steps) > 0 && read.started.Before(steps[len(steps)-1].started) {
			return read, true
		}
	}
	return transcriptStep{}, false
}
