package model

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

// Shadow follows the users and events that others create on the target, and sees
// that each, wherever it is shown, is as its client wrote it. It asks for nothing.
type Shadow struct {
	mu       sync.Mutex
	shows    map[place]bool // fields that an endpoint shows, of somebody
	hidden   []omission
	refusals []refusal
	filled   []filling
	unset    map[string]lawful // what new events have in a field that their client did not set
	found    []Difference
}

// place is a field at an endpoint.
type place struct {
	at    rules.Endpoint
	field string
}

// filling is a value in a field of an event that an update may have cleared: a difference,
// but where the target gives it to all events whose client did not set the field.
type filling struct {
	field string
	value any
	Difference
}

// omission is a field that was not shown: a difference where the endpoint does show
// it of others, else a choice of the target's.
type omission struct {
	place
	Difference
}

// refusal is one of values that no valid server may refuse.
type refusal struct {
	Difference
	status string // the rule that stands for the endpoint's success
}

// NewShadow returns a shadow that has seen nothing yet.
func NewShadow() *Shadow { return &Shadow{shows: map[place]bool{}, unset: map[string]lawful{}} }

// Sighting is one exchange as a shadow sees it.
type Sighting struct {
	Endpoint rules.Endpoint
	App      string // whose users and events they are
	Session  string
	ID       string // the path's parameter
	Sent     any    // decoded
	Detailed bool   // a login asked for the user's details
	Usual    bool   // nothing in it but its body is a reason to refuse it
	Response
	From, To time.Time
	Doubtful bool // it may not have been carried out, or twice
}

// See takes in all exchanges of a scenario, in the order of their starts, and tells
// whom of its users a story can adopt: more of them where the target was right in it.
func (s *Shadow) See(all []Sighting, right bool) []Adopted {
	f := &following{shadow: s, things: map[thing]*shadowed{}, holders: map[[2]string]string{}, refused: map[string]lawful{}, logins: newLogins()}
	for _, x := range all {
		f.follow(x)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range all {
		s.learnUnset(x)
		f.judge(x)
	}
	s.found = slices.AppendSeq(s.found, maps.Values(f.logins.refused))
	return f.adoptable(all, right)
}

// Refused takes in that an endpoint refused values that no valid server may refuse,
// and took the same request without them.
func (s *Shadow) Refused(at rules.Endpoint, sent Fields, evidence any, answer string) {
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
	s.refusals = append(s.refusals, refusal{Difference{Rule: limitRule(sent["metadata"], rule), At: at, Expected: success, Actual: answer, Evidence: []any{evidence}}, rule})
}

// explains reports whether a refusal of values that have nothing to do with limits is why
// there was another one.
func (r refusal) explains(o refusal) bool {
	return r.At == o.At && r.Rule == r.status && o.Rule != o.status
}

// Differences are where something was shown otherwise than it was written, each
// rule at each endpoint once.
func (s *Shadow) Differences() []Difference {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := &Outcome{}
	for _, d := range s.found {
		if !o.Has(d) {
			o.Differences = append(o.Differences, d)
		}
	}
	for _, r := range s.refusals {
		if !o.Has(r.Difference) && !slices.ContainsFunc(s.refusals, func(other refusal) bool { return other.explains(r) }) {
			o.Differences = append(o.Differences, r.Difference)
		}
	}
	defaults := s.defaults()
	for _, each := range s.filled {
		if !same(defaults[each.field], each.value) && !o.Has(each.Difference) {
			o.Differences = append(o.Differences, each.Difference)
		}
	}
	for _, h := range s.hidden {
		if s.shows[h.place] && !o.Has(h.Difference) {
			o.Differences = append(o.Differences, h.Difference)
		}
	}
	return o.Differences
}

// Hidden are the ids, beside its own, that the target never showed of a user whom another
// asked for.
func (s *Shadow) Hidden() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc([]string{"custom_id", "social_ids"}, func(name string) bool { return s.shows[place{rules.GetUser, name}] })
}

// learnUnset takes in what a new event has in fields that its client did not set.
func (s *Shadow) learnUnset(x Sighting) {
	sent, ok := x.Sent.(map[string]any)
	if x.Endpoint != rules.CreateEvent || !x.OK() || x.Doubtful || !ok {
		return
	}
	for _, name := range eventFields() {
		if _, set := sent[name]; !set {
			s.unset[name] = s.unset[name].or(valueOf(x.object(), name))
		}
	}
}

// Defaults are what the target gives all new events in fields that their clients did not
// set, nil for nothing.
func (s *Shadow) Defaults() Fields {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.defaults()
}

func (s *Shadow) defaults() Fields {
	var defaults Fields
	for name, values := range s.unset {
		if len(values) == 1 && !same(values[0], absent{}) {
			defaults = merged(defaults, Fields{name: values[0]})
		}
	}
	return defaults
}
