package result

import (
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/rules"
)

// ObservedChoices are the choices that show on every exchange: no probe is needed.
type ObservedChoices struct {
	Users        Shapes `json:"users"`
	Events       Shapes `json:"events"`
	EmptySent    bool   `json:"empty_sent"`    // an empty collection was sent
	EmptyOmitted bool   `json:"empty_omitted"` // one was left out
}

// Shapes are the shapes of ids, each with the endpoints where it was seen.
type Shapes map[string][]rules.Endpoint

// Add adds a shape that was seen at endpoints.
func (s *Shapes) Add(shape string, at ...rules.Endpoint) {
	if *s == nil {
		*s = Shapes{}
	}
	for _, e := range at {
		if !slices.Contains((*s)[shape], e) {
			(*s)[shape] = append((*s)[shape], e)
		}
	}
}

// Merge adds what other exchanges showed.
func (o *ObservedChoices) Merge(other ObservedChoices) {
	for shape, at := range other.Users {
		o.Users.Add(shape, at...)
	}
	for shape, at := range other.Events {
		o.Events.Add(shape, at...)
	}
	o.EmptySent = o.EmptySent || other.EmptySent
	o.EmptyOmitted = o.EmptyOmitted || other.EmptyOmitted
}

// results are the choices as answers to the rules about them.
func (o *ObservedChoices) results(sel *rules.Selected) []CheckResult {
	var all []CheckResult
	for _, answer := range []struct{ rule, text string }{
		{"users.id-type", o.Users.String()},
		{"events.id-type", o.Events.String()},
		{"transport.empty-collections", o.empties()},
	} {
		if answer.text != "" && sel.Reason(answer.rule) == "" {
			all = append(all, CheckResult{Rule: answer.rule, Check: Check{
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

func (o *ObservedChoices) empties() string {
	switch {
	case o.EmptySent && o.EmptyOmitted:
		return "sent in some places, omitted in others"
	case o.EmptySent:
		return "sent"
	case o.EmptyOmitted:
		return "omitted"
	}
	return ""
}
