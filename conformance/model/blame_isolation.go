package model

import (
	"context"
	"slices"
)

// BlameIsolation blames a difference on missing isolation of applications if it needs two of
// them: neither application by itself shows it, nor does one in which the whole story is played,
// not even a long while later, since a story of two takes longer.
func (p *Player) BlameIsolation(ctx context.Context, s Story, d Difference) (Difference, error) {
	if d.Rule == isolation || !s.usesApplications() {
		return d, nil
	}
	for _, one := range s.singleApplicationStories() {
		later := one
		later.Ops = append(slices.Clone(one.Ops), Op{Kind: Wait, Actor: one.Ops[0].Actor, Long: true})
		for _, s := range []Story{one, later} {
			c := &confirmation{player: p, finding: Finding{Difference: d}}
			if shown, err := c.shows(ctx, s, true); err != nil || shown {
				return d, err
			}
		}
	}
	d.Rule, d.At = isolation, isolationEndpoint(d.At)
	return d, nil
}

// usesApplications reports whether users of several applications take part in the story.
func (s Story) usesApplications() bool {
	return slices.ContainsFunc(s.Ops, func(o Op) bool {
		return s.applicationOf(o.Actor) != s.applicationOf(s.Ops[0].Actor) || s.crossesApps(o)
	})
}

// singleApplication is a shrinking step: it moves the whole story to one application, or keeps
// only what happens in one.
func singleApplication(s Story, fails func(Story) bool) Story {
	for _, candidate := range s.singleApplicationStories() {
		if fails(candidate) {
			return candidate
		}
	}
	return s
}

// singleApplicationStories returns the stories of one application that are most like a story of
// several: what happens in each, and all of it in one.
func (s Story) singleApplicationStories() []Story {
	if s.Apps < 2 {
		return nil
	}
	s.Ops = s.withoutTakenNames()
	var all []Story
	for app := range s.Apps {
		alone := s
		alone.Ops = slices.DeleteFunc(slices.Clone(s.Ops), func(o Op) bool { return s.applicationOf(o.Actor) != app || s.crossesApps(o) })
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
		there[o.Actor], there[o.Other] = true, there[o.Other] || o.Kind.action().OfTwo
	}
	return ops
}
