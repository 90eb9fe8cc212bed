package traffic

import (
	"slices"
	"sync"
	"time"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/reuse"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// Checker keeps track of the users and events that scenarios write, and checks that each is
// shown as it was written. It sends no requests.
type Checker struct {
	mu               sync.Mutex
	shows            map[shownField]bool // fields that an endpoint has shown of any user
	lengths          *leeway.Lengths
	hidden           []omission
	refusals         []refusal
	possibleDefaults []possibleDefault
	unset            map[string]value.Set // values of new events in fields that their clients did not set
	misdated         []misdated
	misdates         map[rules.Endpoint]bool                  // that show a wrong created_at of what was never updated
	types            map[rules.Endpoint]map[string]rules.Type // of the fields that writes may set
	overwritten      overwritten
	found            []blame.Difference
	kept, broken     map[rules.Place]int // how often answers kept and broke a rule, nil where that is not counted
}

// misdated is a wrong created_at of what was updated: the update is to blame, unless the endpoint
// shows it of what was not, too.
type misdated struct {
	at rules.Endpoint
	blame.Difference
}

// shownField is a field at an endpoint, and how those whose it is are connected to the viewer.
type shownField struct {
	at    rules.Endpoint
	field string
	among string
}

// possibleDefault is a value in an event field that an update may have cleared: a difference,
// unless the target gives it to every event whose client did not set the field.
type possibleDefault struct {
	field string
	value any
	blame.Difference
}

// omission is a field that was not shown: a difference if the endpoint shows it of other users,
// else a choice of the target.
type omission struct {
	shownField
	blame.Difference
}

// refusal is a refusal of values that no valid server may refuse.
type refusal struct {
	blame.Difference
	status string // the rule about the endpoint's success
}

// NewChecker returns a Checker that has observed nothing.
func NewChecker() *Checker {
	types := map[rules.Endpoint]map[string]rules.Type{}
	for _, at := range []rules.Endpoint{rules.CreateUser, rules.UpdateMe, rules.CreateEvent, rules.UpdateEvent, rules.CreateConnection, rules.ConnectSocial} {
		types[at] = typesSent(at)
	}
	return &Checker{types: types, lengths: leeway.NewLengths(), shows: map[shownField]bool{}, unset: map[string]value.Set{}, misdates: map[rules.Endpoint]bool{},
		overwritten: overwritten{}}
}

// Observation is one exchange as a Checker sees it.
type Observation struct {
	Endpoint rules.Endpoint
	App      string // whose users and events they are
	Session  string
	ID       string // the path's parameter
	Sent     any    // decoded
	Detailed bool   // a login asked for the user's details
	Partial  bool   // its answer may be a part, or one of before
	Changes  bool   // the method is one that changes something
	Unread   bool   // its request could not be read whole
	Usual    bool   // only its body can be a reason to refuse it
	exchange.Response
	From, To time.Time
	Doubtful bool // it may not have been carried out, or twice
}

// Observe takes all exchanges of a scenario, in the order of their starts, and returns the
// users that stories can reuse: more of them if the target behaved correctly in the scenario.
func (s *Checker) Observe(all []Observation, right bool) []reuse.User {
	f := newScenarioTraffic(s)
	for _, x := range all {
		f.record(x)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range all {
		s.recordUnset(x)
		if objects, ok := x.Objects(); ok {
			s.lengths.Saw(x.Endpoint, len(objects))
		}
		f.connect(x)
		f.judge(x)
	}
	s.found = append(s.found, f.logins.differences()...)
	return f.reusable(all, right)
}

// Refused records that an endpoint refused values that no valid server may refuse, and accepted
// the same request without them.
func (s *Checker) Refused(at rules.Endpoint, sent value.Fields, evidence any, answer string) {
	rule, success := "", "201"
	switch at {
	case rules.CreateUser:
		rule = "users.create.status"
	case rules.UpdateMe:
		rule = "users.me.update.status"
	case rules.CreateEvent:
		rule = "events.create.status"
	case rules.UpdateEvent:
		rule, success = "events.update.status", "200"
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusals = append(s.refusals, refusal{blame.Difference{Rule: blame.Limit(sent["metadata"], rule), At: at, Expected: success, Actual: answer, Evidence: []any{evidence}}, rule})
}

// explains reports whether a refusal of values that have nothing to do with limits is the
// likely cause of another refusal.
func (r refusal) explains(o refusal) bool {
	return r.At == o.At && r.Rule == r.status && o.Rule != o.status
}

// Differences returns what was shown otherwise than it was written, each rule at each endpoint
// once.
func (s *Checker) Differences() []blame.Difference {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []blame.Difference
	add := func(d blame.Difference) {
		if !slices.ContainsFunc(all, d.Same) {
			all = append(all, d)
		}
	}
	for _, d := range s.found {
		add(d)
	}
	for _, r := range s.refusals {
		if !slices.ContainsFunc(s.refusals, func(other refusal) bool { return other.explains(r) }) {
			add(r.Difference)
		}
	}
	defaults := s.defaults()
	for _, each := range s.possibleDefaults {
		if !value.Same(defaults[each.field], each.value) {
			add(each.Difference)
		}
	}
	for _, each := range s.misdated {
		if !s.misdates[each.at] {
			add(each.Difference)
		}
	}
	for _, d := range s.overwritten.differences() {
		add(d)
	}
	for _, h := range s.hidden {
		if s.shows[h.shownField] {
			add(h.Difference)
		}
	}
	return all
}

// Lengths are the longest lists that the target has shown, to which those of stories may be added.
func (s *Checker) Lengths() *leeway.Lengths { return s.lengths }

// Hidden returns the optional fields that the target never showed of a user to a stranger.
func (s *Checker) Hidden() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(profileFields(), func(name string) bool { return s.shows[shownField{at: rules.GetUser, field: name}] })
}

// blame adds a difference, the first of its kind.
func (s *Checker) blame(d blame.Difference) {
	if s.broken != nil {
		s.broken[rules.Place{Rule: d.Rule, At: d.At}]++
	}
	if !slices.ContainsFunc(s.found, d.Same) {
		s.found = append(s.found, d)
	}
}

// omit adds a field that was not shown, the first of its kind.
func (s *Checker) omit(o omission) {
	if !slices.ContainsFunc(s.hidden, func(known omission) bool { return known.shownField == o.shownField && known.Same(o.Difference) }) {
		s.hidden = append(s.hidden, o)
	}
}

// suspectDefault adds a value that may be a default, the first of its kind.
func (s *Checker) suspectDefault(p possibleDefault) {
	if !slices.ContainsFunc(s.possibleDefaults, func(known possibleDefault) bool {
		return known.field == p.field && value.Same(known.value, p.value) && known.Same(p.Difference)
	}) {
		s.possibleDefaults = append(s.possibleDefaults, p)
	}
}

// misdate adds a wrong created_at of what was updated, the first of its kind.
func (s *Checker) misdate(m misdated) {
	if !slices.ContainsFunc(s.misdated, func(known misdated) bool { return known.at == m.at && known.Same(m.Difference) }) {
		s.misdated = append(s.misdated, m)
	}
}

// recordUnset records what a new event has in fields that its client did not set.
func (s *Checker) recordUnset(x Observation) {
	sent, ok := x.Sent.(map[string]any)
	if x.Endpoint != rules.CreateEvent || !x.OK() || x.Doubtful || !ok {
		return
	}
	for _, name := range value.EventFields() {
		if _, set := sent[name]; !set {
			s.unset[name] = s.unset[name].Or(value.Of(x.Object(), name))
		}
	}
}

// Defaults returns what the target gives all new events in fields that their clients did not
// set, nil for nothing.
func (s *Checker) Defaults() value.Fields {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.defaults()
}

func (s *Checker) defaults() value.Fields {
	var defaults value.Fields
	for name, values := range s.unset {
		if len(values) == 1 && !value.Same(values[0], value.Absent{}) {
			defaults = value.Merge(defaults, value.Fields{name: values[0]})
		}
	}
	return defaults
}
