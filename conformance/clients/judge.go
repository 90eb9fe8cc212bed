package clients

import (
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/internal/redact"
)

// Options are what a Judge knows beyond the exchanges.
type Options struct {
	AppToken string // the client's app token, "" if unknown
	BasePath string // the prefix of the contract's paths
	HTTP     bool   // plain HTTP is allowed
	Fresh    bool   // the service began with the judge: no session is older

	// Skew bounds how much later than it was sent a request arrives. The order of requests on
	// different connections within that time is unknown. 0 is DefaultSkew.
	Skew time.Duration

	// Habits are those of the client, from earlier judges; nil is none.
	Habits *Habits
}

// DefaultSkew allows for a client on another continent.
const DefaultSkew = time.Second

// Judge judges the exchanges of clients, in the order in which they ended. It is
// safe for concurrent use, and its memory does not grow with their number.
type Judge struct {
	catalogue *rules.Catalogue
	options   Options
	rules     []rule

	mu       sync.Mutex
	tallies  map[rules.Place]*tally
	redactor *wire.Redactor
	requests map[string]int
	ignored  int // requests to paths outside of the API
	doubts   []doubt

	habits   *Habits
	tokens   *tokens
	sessions *sessions
	answers  *answers
	ids      *issuedIDs
	hashes   *passwords
	quota    *quota
	wanted   wanted
}

// rule judges every request of a client.
type rule struct {
	id       string
	expected string
	judge    func(*request) finding
	needs    func(Lacks) string // what the rule needs and an exchange lacks, "" for nothing; nil: it needs nothing special
}

// alone reports whether judging by the rule leaves the record of earlier exchanges as it is.
func (r rule) alone() bool { return r.id != "client.quota" && r.id != "client.id-verbatim" }

// finding is what a rule says of one exchange.
type finding struct {
	relevant bool           // the rule applies to the exchange
	problem  redact.Message // empty when the rule is kept
	before   []*Exchange    // earlier exchanges that the problem refers to
	doubt    func() bool    // called at the end: reports whether there is an innocent explanation
}

var kept = finding{relevant: true}

func violation(format string, args ...any) finding {
	return finding{relevant: true, problem: redact.Say(format, args...)}
}

// doubt is a violation that counts only if nothing explains it by the end.
type doubt struct {
	at        rules.Place
	explained func() bool
	violation Violation
}

const maxDoubts = 1000

// Violation is one violation of a rule by one request.
type Violation struct {
	Rule     string
	Level    rules.Level
	Endpoint rules.Endpoint
	Number   int // of the request
	Problem  redact.Message
	evidence []*Exchange // the last is the deciding one
}

// New makes a judge by the rules of a catalogue.
func New(c *rules.Catalogue, o Options) *Judge {
	if o.Skew == 0 {
		o.Skew = DefaultSkew
	}
	j := &Judge{catalogue: c, options: o, tallies: map[rules.Place]*tally{}, requests: map[string]int{}, habits: o.Habits}
	if j.habits == nil {
		j.habits = NewHabits()
	}
	j.redactor = wire.NewRedactor(o.AppToken, "")
	j.tokens = newTokens(o)
	j.sessions = newSessions(o.Skew)
	j.answers = newAnswers(o.Skew, j.habits)
	j.ids = newIssuedIDs()
	j.hashes = newPasswords()
	j.quota = newQuota(o.Skew)
	j.wanted = newWanted()
	j.rules = j.all()
	return j
}

// See judges one exchange. It returns the certain violations, and whether the request was
// for this API at all.
func (j *Judge) See(x *Exchange) (violations []Violation, judged bool) {
	r := takeApart(x, j.options.BasePath)
	j.learn(r)
	j.mu.Lock()
	defer j.mu.Unlock()
	if r.preflight() {
		return nil, false
	}
	if !r.api {
		j.ignored++
		return nil, false
	}
	j.requests[countedAs(r.Method)]++
	for _, rule := range j.rules {
		violations = append(violations, j.apply(rule, r)...)
	}
	j.record(r)
	return violations, true
}

// Refused is the first must rule that a request breaks for certain, before it is answered;
// false for none.
func (j *Judge) Refused(x *Exchange) (Violation, bool) {
	r := takeApart(x, j.options.BasePath)
	j.learn(r)
	j.mu.Lock()
	defer j.mu.Unlock()
	if r.preflight() || !r.api {
		return Violation{}, false
	}
	for _, rule := range j.rules {
		known, _ := j.catalogue.Rule(rule.id)
		if known.Level != rules.Must || !rule.alone() {
			continue
		}
		if f := rule.judge(r); f.relevant && !f.problem.Empty() && f.doubt == nil {
			return Violation{Rule: rule.id, Level: known.Level, Endpoint: r.endpoint, Number: r.Number, Problem: f.problem}, true
		}
	}
	return Violation{}, false
}

// countedAs is the name under which requests of a method are counted: one that is unheard of may be anything.
func countedAs(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodConnect, http.MethodTrace:
		return method
	}
	return "other"
}

// record records what later exchanges are judged by.
func (j *Judge) record(r *request) {
	j.tokens.record(r)
	j.sessions.record(r)
	j.ids.record(r)
	j.hashes.record(r)
	j.answers.record(r)
}

func (j *Judge) apply(rule rule, r *request) []Violation {
	at := rules.Place{Rule: rule.id, At: r.endpoint}
	t := j.tallies[at]
	if t == nil {
		t = &tally{}
	}
	if rule.needs != nil {
		if lack := rule.needs(r.Lacks); lack != "" {
			t.lack = lack
			j.tallies[at] = t
			return nil
		}
	}
	f := rule.judge(r)
	if !f.relevant {
		return nil
	}
	j.tallies[at] = t
	t.seen++
	if f.problem.Empty() {
		return nil
	}
	known, _ := j.catalogue.Rule(rule.id)
	b := Violation{Rule: rule.id, Level: known.Level, Endpoint: r.endpoint, Number: r.Number, Problem: f.problem}
	if len(t.violations) == 0 {
		b.evidence = append(slices.Clone(f.before), r.Exchange.kept())
	}
	if f.doubt != nil {
		if len(j.doubts) < maxDoubts {
			j.doubts = append(j.doubts, doubt{at, f.doubt, b})
		}
		return nil
	}
	t.add(b)
	return []Violation{b}
}

// tally is the results of a rule at one endpoint.
type tally struct {
	seen, broken int
	lack         string // why it could not be judged, "" where it could
	violations   []Violation
}

// mostKept is how many violations of a rule at an endpoint are kept: a doubt that is settled comes late.
const mostKept = 3

func (t *tally) add(b Violation) {
	t.broken++
	if len(t.violations) < mostKept {
		t.violations = append(t.violations, b)
	}
}

// Requests counts the judged requests by method, and those outside of the API.
func (j *Judge) Requests() (judged map[string]int, ignored int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return maps.Clone(j.requests), j.ignored
}

// Write is a message as reports show it, the secrets hidden that are known by now.
func (j *Judge) Write(m redact.Message) string { return j.redactor.Write(m) }

// Text is a text of others as reports show it, the secrets hidden that are known by now.
func (j *Judge) Text(text string) string { return j.redactor.Message(text) }

// Sweep hides the secrets that are known by now in every text of a value.
func (j *Judge) Sweep(value any) { j.redactor.Sweep(value) }

// Show shows exchanges as reports do, their secrets hidden.
func (j *Judge) Show(exchanges []*Exchange) []result.Exchange {
	shown := make([]result.Exchange, len(exchanges))
	for i, x := range exchanges {
		shown[i] = j.redactor.Exchange(x.wire())
		shown[i].Number = x.Number
	}
	return shown
}
