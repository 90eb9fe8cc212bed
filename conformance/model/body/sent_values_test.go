package body

import (
	"testing"

	"github.com/socialfeed/conform/conformance/model/story"
)

// TestStoriesSendWhatWasNotSent checks that the events and updates of a story have values that the
// target has not been sent, that those that were alike stay alike, and plain ones plain.
func TestStoriesSendWhatWasNotSent(t *testing.T) {
	s := story.Story{Slots: 2, Values: 7}
	for v := range 40 {
		s.Ops = append(s.Ops, story.Op{Kind: story.Post, Values: v}, story.Op{Kind: story.Change, Values: v}, story.Op{Kind: story.Edit, Values: v / 2})
	}
	w := NewPayloads()
	const scenarios = 60 // writes of each kind
	for v := range scenarios {
		w.Event(2 * v)
		w.Change(2*v + 1)
		w.Update(2*v, "token")
	}
	renewed := w.Sent().Refresh(s)
	for _, kind := range []story.Kind{story.Post, story.Change, story.Edit} {
		count := func(s story.Story) (fresh int) {
			sent := w.Sent()
			for _, o := range s.Ops {
				if o.Kind == kind {
					fresh += sent.fresh(kind, o.Values)
					sent.Add(o)
				}
			}
			return fresh
		}
		if before, after := count(s), count(renewed); after <= before {
			t.Errorf("%s: %d values are new, without it %d are", kind, after, before)
		}
	}
	alike := map[[2]int]int{}
	for i, o := range s.Ops {
		before, now := [2]int{int(o.Kind), o.Values}, renewed.Ops[i].Values
		if was, known := alike[before]; known && was != now {
			t.Error("operations that were alike differ")
		}
		alike[before] = now
		if (o.Values == 0 || !choosesValues(o)) && now != o.Values {
			t.Errorf("%s became %s", o, renewed.Ops[i])
		}
	}
}
