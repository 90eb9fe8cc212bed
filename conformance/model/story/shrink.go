package story

import "slices"

// Shrink makes a failing story short. It first tries new users instead of ones like those
// reused, in any order, one application instead of several, and requests in turn instead of
// concurrent ones, which show a race now and then; then it drops halves of the operations,
// smaller parts and single ones; then it merges users, and replaces awkward values by plain
// ones. fails plays a story anew and reports whether the same rule fails; it is called at most
// `most` times.
func Shrink(s Story, most int, fails func(Story) bool) Story {
	try := func(candidate Story) bool {
		if most <= 0 {
			return false
		}
		most--
		return fails(candidate)
	}
	if others := s; len(s.Users) > 0 {
		if others.Users = nil; try(others) {
			s = others
		}
	}
	if unordered := s; len(s.CreationOrder) > 0 {
		if unordered.CreationOrder = nil; try(unordered) {
			s = unordered
		}
	}
	s = inTurn(singleApplication(s, try), try)
	s = dropOps(s, try)
	s = mergeUsers(s, try)
	s = PlainerValues(s, try)
	return dropOps(s, try)
}

// inTurn is a shrinking step: it sends one after the other what is sent concurrently.
func inTurn(s Story, fails func(Story) bool) Story {
	if candidate := s.InTurn(); s.Concurrent() && fails(candidate) {
		return candidate
	}
	return s
}

// InTurn returns the story with no operation sent concurrently with another.
func (s Story) InTurn() Story {
	s.Ops = slices.Clone(s.Ops)
	for i := range s.Ops {
		s.Ops[i].AtOnce = false
	}
	return s
}

// dropOps is a shrinking step: it drops operations, many at once and then fewer.
func dropOps(s Story, fails func(Story) bool) Story {
	for size := max(len(s.Ops)/2, 1); size >= 1; size = fewer(size) {
		for from := len(s.Ops) - size; from >= 0; from -= size {
			from = min(from, len(s.Ops)-size)
			if from < 0 {
				break
			}
			candidate := s
			candidate.Ops = slices.Concat(s.Ops[:from], s.Ops[from+size:])
			if fails(candidate) {
				s = candidate
			}
		}
	}
	return s
}

// fewer returns how many operations are dropped at once after so many: half of them, and in the
// end three, two and one. What a story reads takes turns of two and three, in step with its
// operations, so that one alone may be needed where two or three are not.
func fewer(size int) int {
	const afterHalving = 4
	if size <= afterHalving {
		return size - 1
	}
	return size / 2
}

// mergeUsers is a shrinking step: it lets one user play two roles. Users that no operation
// names are never created, so dropping operations drops users too.
func mergeUsers(s Story, fails func(Story) bool) Story {
	for one := s.Slots - 1; one > 0; one-- {
		for other := range one {
			candidate := s
			candidate.Ops = slices.Clone(s.Ops)
			named := false
			for i, o := range candidate.Ops {
				named = named || o.Actor == one || o.Other == one
				if o.Actor == one {
					candidate.Ops[i].Actor = other
				}
				if o.Other == one {
					candidate.Ops[i].Other = other
				}
			}
			if !named {
				break
			}
			if fails(candidate) {
				s = candidate
				break
			}
		}
	}
	return s
}

// PlainerValues is a shrinking step: it replaces awkward values by plain ones, everywhere or
// where that is possible.
func PlainerValues(s Story, fails func(Story) bool) Story {
	plain := s
	plain.Plain, plain.Values = true, 0
	if fails(plain) {
		s = plain
	}
	for i := range s.Ops {
		for _, values := range []int{0, 1} {
			plainer := s.Ops[i].plainer(values)
			if plainer == s.Ops[i] || values > 0 && s.Ops[i].Values <= values {
				break
			}
			candidate := s
			candidate.Ops = slices.Clone(s.Ops)
			candidate.Ops[i] = plainer
			if fails(candidate) {
				s = candidate
				break
			}
		}
	}
	return s
}

// ConnectFirst moves connections before what the connected users posted, where the story still
// fails: only if none does is it the earlier events that a feed lacks.
func ConnectFirst(s Story, fails func(Story) bool) Story {
	for i, o := range s.Ops {
		if !o.Kind.Action().Connects || o.AtOnce || i > 0 && s.Ops[i-1].AtOnce {
			continue
		}
		before := slices.IndexFunc(s.Ops[:i], func(each Op) bool { return each.Kind == Post && (each.Actor == o.Actor || each.Actor == o.Other) })
		if before < 0 {
			continue
		}
		candidate := s
		candidate.Ops = slices.Concat(s.Ops[:before], []Op{o}, s.Ops[before:i], s.Ops[i+1:])
		if fails(candidate) {
			s = candidate
		}
	}
	return s
}

// UpTo returns the story up to an operation, with those that are sent at once with it.
func (s Story) UpTo(step int) Story {
	if step < len(s.Ops) {
		for step < len(s.Ops) && s.Ops[step].AtOnce {
			step++
		}
		s.Ops = s.Ops[:min(step+1, len(s.Ops))]
	}
	return s
}

// Among returns the story reduced to what the users in some slots do, alone and with each
// other, and to its audits and rests.
func (s Story) Among(slots []int) Story {
	kept := s
	kept.Ops = nil
	for _, o := range s.Ops {
		if o.Kind == Audit || o.Kind == Wait || slices.Contains(slots, o.Actor) && (!o.Kind.Action().OfTwo || slices.Contains(slots, o.Other)) {
			kept.Ops = append(kept.Ops, o)
		} else if n := len(kept.Ops); n > 0 {
			kept.Ops[n-1].AtOnce = kept.Ops[n-1].AtOnce && o.AtOnce // if the one after it was dropped
		}
	}
	return kept
}

// WithoutRests returns the story without its Rest operations.
func (s Story) WithoutRests() Story {
	s.Ops = slices.DeleteFunc(slices.Clone(s.Ops), func(o Op) bool { return o.Kind == Wait })
	return s
}
