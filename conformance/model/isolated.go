package model

import (
	"context"
	"slices"
)

// Blame blames a difference that a story showed on applications that are not kept apart
// where it takes two of them: neither by itself shows it, nor does one in which all of
// it is done.
func (p *Player) Blame(ctx context.Context, s Story, d Difference) (Difference, error) {
	if d.Rule == isolation || !s.ofSeveral() {
		return d, nil
	}
	for _, one := range s.ofOne() {
		c := &confirming{player: p, finding: Finding{Difference: d}}
		if shown, err := c.shows(ctx, one, true); err != nil || shown {
			return d, err
		}
	}
	d.Rule, d.At = isolation, isolatedAt(d.At)
	return d, nil
}

// ofSeveral reports whether users of several applications take part in a story.
func (s Story) ofSeveral() bool {
	return slices.ContainsFunc(s.Ops, func(o Op) bool { return s.home(o.A) != s.home(s.Ops[0].A) || s.crosses(o) })
}

// inOne leaves all to one application, or all but one application out.
func inOne(s Story, fails func(Story) bool) Story {
	for _, candidate := range s.ofOne() {
		if fails(candidate) {
			return candidate
		}
	}
	return s
}

// ofOne are the stories of one application that are most like a story of several: what
// each does by itself, and what they do as one.
func (s Story) ofOne() []Story {
	if s.Apps < 2 {
		return nil
	}
	s.Ops = s.withNewNames()
	var all []Story
	for app := range s.Apps {
		alone := s
		alone.Ops = slices.DeleteFunc(slices.Clone(s.Ops), func(o Op) bool { return s.home(o.A) != app || s.crosses(o) })
		if len(alone.Ops) > 0 && len(alone.Ops) < len(s.Ops) {
			all = append(all, alone)
		}
	}
	together := s
	together.Apps = 0
	return append(all, together)
}

// withNewNames are the operations of a story in which who takes another's names takes new
// ones instead, by the same request.
func (s Story) withNewNames() []Op {
	there := map[int]bool{}
	ops := slices.Clone(s.Ops)
	for i, o := range ops {
		if o.Kind == Namesake {
			ops[i] = Op{Kind: Join, A: o.A}
			if there[o.A] {
				ops[i] = Op{Kind: Rename, A: o.A, V: o.V}
			}
		}
		there[o.A], there[o.B] = true, there[o.B] || o.Kind.ofTwo()
	}
	return ops
}
