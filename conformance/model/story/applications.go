package story

import (
	"slices"
	"strings"
)

// ApplicationOf returns the application of the user in a slot. Slots next to each other are in
// different applications.
func (s Story) ApplicationOf(slot int) int { return slot % max(s.Slots, 1) % max(s.Apps, 1) }

// CrossesApps reports whether an operation is by a user of one application on a user of another.
func (s Story) CrossesApps(o Op) bool {
	return o.Kind.Action().OfTwo && s.ApplicationOf(o.Actor) != s.ApplicationOf(o.Other)
}

// sameApplication reports whether two operations stay within one application, so that they can
// be sent at once.
func (s Story) sameApplication(first, second Op) bool {
	return s.ApplicationOf(first.Actor) == s.ApplicationOf(second.Actor) && !s.CrossesApps(first) && !s.CrossesApps(second)
}

// UsesApplications reports whether users of several applications take part in the story.
func (s Story) UsesApplications() bool {
	return slices.ContainsFunc(s.Ops, func(o Op) bool {
		return s.ApplicationOf(o.Actor) != s.ApplicationOf(s.Ops[0].Actor) || s.CrossesApps(o)
	})
}

// singleApplication is a shrinking step: it moves the whole story to one application, or keeps
// only what happens in one.
func singleApplication(s Story, fails func(Story) bool) Story {
	for _, candidate := range s.SingleApplicationStories() {
		if fails(candidate) {
			return candidate
		}
	}
	return s
}

// SingleApplicationStories returns the stories of one application that are most like a story of
// several: what happens in each, and all of it in one.
func (s Story) SingleApplicationStories() []Story {
	if s.Apps < 2 {
		return nil
	}
	s.Ops = s.withoutTakenNames()
	var all []Story
	for app := range s.Apps {
		alone := s
		alone.Ops = slices.DeleteFunc(slices.Clone(s.Ops), func(o Op) bool { return s.ApplicationOf(o.Actor) != app || s.CrossesApps(o) })
		if len(alone.Ops) > 0 && len(alone.Ops) < len(s.Ops) {
			all = append(all, alone)
		}
	}
	together := s
	together.Apps = 0
	return append(all, together)
}

// withoutTakenNames returns the story's operations with each TakeNames replaced by the same
// request with new names.
func (s Story) withoutTakenNames() []Op {
	there := map[int]bool{}
	ops := slices.Clone(s.Ops)
	for i, o := range ops {
		if o.Kind == TakeNames {
			ops[i] = Op{Kind: Join, Actor: o.Actor}
			if there[o.Actor] {
				ops[i] = Op{Kind: Rename, Actor: o.Actor, Values: o.Values}
			}
		}
		there[o.Actor], there[o.Other] = true, there[o.Other] || o.Kind.Action().OfTwo
	}
	return ops
}

// MayViolate reports whether the story has an operation that can violate a rule, of the rules that
// other operations may seem to violate.
func (s Story) MayViolate(rule string) bool {
	return slices.ContainsFunc(s.Ops, func(o Op) bool {
		return slices.ContainsFunc(o.Kind.Action().Violates, func(prefix string) bool { return strings.HasPrefix(rule, prefix) })
	})
}
