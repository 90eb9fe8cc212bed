package conformance

import (
	"slices"
	"strings"
)

// Traits are the choices that show on every exchange: no probe is needed.
type Traits struct {
	Users        Shapes `json:"users"`
	Events       Shapes `json:"events"`
	EmptySent    bool   `json:"empty_sent"`    // an empty collection was sent
	EmptyOmitted bool   `json:"empty_omitted"` // one was left out
}

// Shapes are the shapes of ids, each with the endpoints where it was seen.
type Shapes map[string][]Endpoint

func (s *Shapes) add(shape string, at ...Endpoint) {
	if *s == nil {
		*s = Shapes{}
	}
	for _, e := range at {
		if !slices.Contains((*s)[shape], e) {
			(*s)[shape] = append((*s)[shape], e)
		}
	}
}

func (t *Traits) see(o *observation) {
	for _, r := range o.resources {
		switch r.kind {
		case userKind:
			t.Users.see(r, o.endpoint)
			t.collection(r, "metadata")
			t.collection(r, "social_ids")
		case eventKind:
			t.Events.see(r, o.endpoint)
			t.collection(r, "metadata")
		}
	}
	// The brief answer to a login is no User, and has a user's id.
	if record, ok := asRecord(o.value); ok && o.endpoint == Login && o.succeeded() && !o.has(userKind) {
		t.Users.see(resource{record: record}, Login)
	}
}

func (s *Shapes) see(r resource, at Endpoint) {
	if r.record.Has("id") {
		s.add(idShape(r.record["id"]), at)
	}
}

// collection looks at a map that a resource may have, and may have no entries for.
func (t *Traits) collection(r resource, field string) {
	switch v := r.record[field].(type) {
	case map[string]any:
		t.EmptySent = t.EmptySent || len(v) == 0
	case []any:
		t.EmptySent = t.EmptySent || len(v) == 0
	default:
		t.EmptyOmitted = t.EmptyOmitted || !r.record.Has(field)
	}
}

func (t *Traits) merge(other Traits) {
	for shape, at := range other.Users {
		t.Users.add(shape, at...)
	}
	for shape, at := range other.Events {
		t.Events.add(shape, at...)
	}
	t.EmptySent = t.EmptySent || other.EmptySent
	t.EmptyOmitted = t.EmptyOmitted || other.EmptyOmitted
}

// judgements are the traits as answers to the rules about them.
func (t *Traits) judgements(sel *selected) []Judgement {
	var all []Judgement
	for _, answer := range []struct{ rule, text string }{
		{"users.id-type", t.Users.String()},
		{"events.id-type", t.Events.String()},
		{"transport.empty-collections", t.empties()},
	} {
		if answer.text != "" && sel.reasons[answer.rule] == "" {
			all = append(all, Judgement{Rule: answer.rule, CheckReport: CheckReport{
				Status: Observed, Message: answer.text, Exchanges: []Exchange{}}})
		}
	}
	return all
}

// String names the one shape, or each with where it was seen.
func (s Shapes) String() string {
	var answers []string
	for shape, at := range s {
		if len(s) == 1 {
			return shape + " everywhere"
		}
		slices.Sort(at)
		var places []string
		for _, e := range at {
			places = append(places, e.String())
		}
		answers = append(answers, shape+" at "+strings.Join(places, ", "))
	}
	slices.Sort(answers)
	return strings.Join(answers, "; ")
}

func (t *Traits) empties() string {
	switch {
	case t.EmptySent && t.EmptyOmitted:
		return "sent in some places, omitted in others"
	case t.EmptySent:
		return "sent"
	case t.EmptyOmitted:
		return "omitted"
	}
	return ""
}
