package clients

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// Options say what is known of the client and the service beyond the exchanges.
type Options struct {
	AppToken string // what the client was given, "" where that is not known
	BasePath string // what stands before the contract's paths
	HTTP     bool   // plain HTTP is what the client was told to speak

	// Skew is how much later than it was sent a request may arrive, seen from another
	// connection: below it, their order is not known. 0 is DefaultSkew.
	Skew time.Duration

	// Habits are what the client does when all goes well; nil begins anew.
	Habits *Habits
}

// DefaultSkew covers a client at the other end of the world.
const DefaultSkew = time.Second

// Judge judges the exchanges of clients, in the order in which they ended. It is
// safe for concurrent use, and its memory does not grow with their number.
type Judge struct {
	catalogue *rules.Catalogue
	options   Options
	rules     []rule

	mu       sync.Mutex
	tallies  map[rules.Place]*tally
	requests map[string]int
	ignored  int // requests to paths that are none of such a service
	doubts   []doubt

	habits   *Habits
	tokens   *tokens
	sessions *sessions
	answers  *answers
	ids      *issuedIDs
	hashes   *passwords
	quota    *quota
}

// rule judges every request of a client.
type rule struct {
	id       string
	expected string
	judge    func(*request) finding
	needs    func(Lacks) string // what of it the evidence lacks, nil: nothing that can be lacking
}

// alone reports whether the rule is judged without changing what is known.
func (r rule) alone() bool { return r.id != "client.quota" && r.id != "client.id-verbatim" }

// finding is what a rule says of one exchange.
type finding struct {
	relevant bool        // the exchange has what the rule is about
	problem  string      // "" when the rule is kept
	before   []*Exchange // earlier exchanges without which the problem does not show
	doubt    func() bool // asked at the end: reports whether something else explains it
}

var kept = finding{relevant: true}

func violation(format string, args ...any) finding {
	return finding{relevant: true, problem: fmt.Sprintf(format, args...)}
}

// doubt is a violation that stands only where nothing explains it by the end.
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
	Problem  string
	evidence []result.Exchange // the last one decides
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
	j.tokens = newTokens(o.AppToken)
	j.sessions = newSessions(o.Skew)
	j.answers = newAnswers(o.Skew, j.habits)
	j.ids = newIssuedIDs()
	j.hashes = newPasswords()
	j.quota = newQuota()
	j.rules = j.all()
	return j
}

// See judges one exchange, and returns what it breaks beyond doubt, and whether it was
// with a service of this kind at all.
func (j *Judge) See(x *Exchange) (violations []Violation, judged bool) {
	r := takeApart(x, j.options.BasePath)
	j.mu.Lock()
	defer j.mu.Unlock()
	if r.preflight() {
		return nil, false
	}
	if !r.api {
		j.ignored++
		return nil, false
	}
	j.requests[r.Method]++
	for _, rule := range j.rules {
		violations = append(violations, j.apply(rule, r)...)
	}
	j.learn(r)
	return violations, true
}

// Refused is the first must that a request breaks that is still to be answered,
// false where it breaks none beyond doubt.
func (j *Judge) Refused(x *Exchange) (Violation, bool) {
	r := takeApart(x, j.options.BasePath)
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
		if f := rule.judge(r); f.relevant && f.problem != "" && f.doubt == nil {
			return Violation{Rule: rule.id, Level: known.Level, Endpoint: r.endpoint, Number: r.Number, Problem: f.problem}, true
		}
	}
	return Violation{}, false
}

// learn takes up what later exchanges are held against.
func (j *Judge) learn(r *request) {
	j.tokens.learn(r)
	j.sessions.learn(r)
	j.ids.learn(r)
	j.hashes.learn(r)
	j.answers.learn(r)
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
	if f.problem == "" {
		return nil
	}
	known, _ := j.catalogue.Rule(rule.id)
	b := Violation{Rule: rule.id, Level: known.Level, Endpoint: r.endpoint, Number: r.Number, Problem: f.problem}
	if len(t.violations) < maxEvidence {
		b.evidence = j.tokens.render(append(slices.Clone(f.before), r.Exchange))
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

// tally is a rule at one endpoint.
type tally struct {
	seen, broken int
	lack         string // what kept it from being judged, where it was
	violations   []Violation
}

// maxEvidence is how many violations of a rule at an endpoint are shown.
const maxEvidence = 3

func (t *tally) add(b Violation) {
	t.broken++
	if len(t.violations) < maxEvidence {
		t.violations = append(t.violations, b)
	}
}

// Requests counts what was judged, by method, and what was not since it is none of
// such a service.
func (j *Judge) Requests() (judged map[string]int, ignored int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	judged = map[string]int{}
	for method, n := range j.requests {
		judged[method] = n
	}
	return judged, j.ignored
}

// Show shows exchanges as reports do, their secrets hidden.
func (j *Judge) Show(exchanges []*Exchange) []result.Exchange {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.tokens.render(exchanges)
}
