package body

import (
	"iter"
	"slices"

	"github.com/socialfeed/conform/conformance/model/story"
)

// SentValues are the values that a target has been sent, by the kind of the write, field and class.
type SentValues map[string]bool

// Refresh returns a story with other values in its new events and its updates, as far as there are such
// that the target has not been sent, and adds those.
func (v SentValues) Refresh(s story.Story) story.Story {
	s.Ops = slices.Clone(s.Ops)
	next, chosen, spent := s.Values, map[[2]int]int{}, map[story.Kind]bool{}
	for i, o := range s.Ops {
		if o.Values == 0 || !choosesValues(o) {
			continue
		}
		alike := [2]int{int(o.Kind), o.Values}
		if _, known := chosen[alike]; !known {
			chosen[alike] = o.Values
			if !spent[o.Kind] {
				chosen[alike], next = v.freshest(o, next)
				spent[o.Kind] = v.fresh(o.Kind, chosen[alike]) == 0
			}
		}
		s.Ops[i].Values = chosen[alike]
		v.Add(s.Ops[i])
	}
	return s
}

// Add adds the values that an operation sends.
func (v SentValues) Add(o story.Op) {
	if o.Values == 0 || !choosesValues(o) {
		return
	}
	for place := range coverageKeysOf(o.Kind, o.Values) {
		v[place] = true
	}
}

// choosesValues reports whether an operation's Values choose the values of several fields.
func choosesValues(o story.Op) bool {
	return o.Kind == story.Post || o.Kind == story.Edit || o.Kind == story.Change && o.Values%3 != story.VerbAlone
}

// freshest returns, of the Values of an operation and some numbers from next on, the one with most
// values that the target has not been sent, and the number after those.
func (v SentValues) freshest(o story.Op, next int) (best, after int) {
	const some = 16
	best, most := o.Values, v.fresh(o.Kind, o.Values)
	for range some {
		o.Values, next = next, next+1
		if fresh := v.fresh(o.Kind, o.Values); o.Values != 0 && choosesValues(o) && fresh > most {
			best, most = o.Values, fresh
		}
	}
	return best, next
}

func (v SentValues) fresh(kind story.Kind, number int) int {
	n := 0
	for place := range coverageKeysOf(kind, number) {
		if !v[place] {
			n++
		}
	}
	return n
}

// coverageKeysOf returns the kind, field and class of each value that a number chooses.
func coverageKeysOf(kind story.Kind, number int) iter.Seq[string] {
	p := &Generator{}
	if kind == story.Edit {
		return p.User(number, "").coverageKeys(kind)
	}
	return p.Event(number).coverageKeys(kind)
}
