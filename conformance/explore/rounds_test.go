package explore

import (
	"slices"
	"testing"

	"github.com/socialfeed/conform/conformance/grid"
	"github.com/socialfeed/conform/conformance/model/body"
	"github.com/socialfeed/conform/conformance/model/story"
)

// TestRefusalsAreAllInputsThatMustBeRefused counts the cases of all batches, none of which comes up twice.
func TestRefusalsAreAllInputsThatMustBeRefused(t *testing.T) {
	left := map[string]bool{}
	for _, c := range grid.Cases() {
		if len(c.Refused) > 0 {
			left[c.Endpoint.String()+c.Field+c.Class] = true
		}
	}
	for _, j := range Refusals(1) {
		for _, c := range j.Cases {
			name := c.Endpoint.String() + c.Field + c.Class
			if !left[name] {
				t.Errorf("%s is not to be refused, or comes up twice", name)
			}
			delete(left, name)
		}
	}
	if len(left) > 0 {
		t.Errorf("%d are left out", len(left))
	}
}

// TestARoundSendsEveryValue looks at the stories of a round: together they send each value of each field of
// events and profiles, in creations and in updates.
func TestARoundSendsEveryValue(t *testing.T) {
	sent, all := body.SentValues{}, body.SentValues{}
	for s := range storiesOf(1, 1) {
		for _, o := range s.Ops {
			sent.Add(o)
		}
	}
	const many = 2000 // numbers choose every value
	for v := range many {
		for _, kind := range []story.Kind{story.Post, story.Edit, story.Change} {
			all.Add(story.Op{Kind: kind, Values: v + 1})
		}
	}
	var missing []string
	for place := range all {
		if !sent[place] {
			missing = append(missing, place)
		}
	}
	if slices.Sort(missing); len(missing) > 0 || len(all) < 500 {
		t.Errorf("of %d values %d are never sent: %v", len(all), len(missing), missing)
	}
}
