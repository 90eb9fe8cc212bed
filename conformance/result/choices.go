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

func (t *ObservedChoices) Merge(other ObservedChoices) {
	for shape, at := range other.Users {
		t.Users.Add(shape, at...)
	}
	for shape, at := range other.Events {
		t.Events.Add(shape, at...)
	}
	t.EmptySent = t.EmptySent || other.EmptySent
	t.EmptyOmitted = t.EmptyOmitted || other.EmptyOmitted
}

// results are the traits as answers to the rules about them.
func (t *ObservedChoices) results(sel *rules.Selected) []CheckResult {
	var all []CheckResult
	for _, answer := range []struct{ rule, text string }{
		{"users.id-type", t.Users.String()},
		{"events.id-type", t.Events.String()},
		{"transport.empty-collections", t.empties()},
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

func (t *ObservedChoices) empties() string {
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
