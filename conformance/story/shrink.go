package story

import (
	"encoding/json"
	"maps"
	"slices"
)

// shrinker makes a failing story short.
type shrinker struct {
	fails func(Story) bool // plays a story anew and reports whether it fails in the same way
	left  int              // how often a story may still be played
	tried map[string]bool  // stories that did not fail
}

// shrink makes a failing story short, by at most so many plays. First it plays in turn what is sent at
// the same time, and in one application what is in two; then it drops steps, many at once and then
// fewer; then it lets one user play two roles, and replaces awkward values by plain ones. Reads are
// steps with arguments of their own, so that dropping a step never changes what the others do.
func shrink(s Story, most int, fails func(Story) bool) Story {
	k := &shrinker{fails: fails, left: most, tried: map[string]bool{}}
	for _, candidate := range append([]Story{s.inTurn()}, s.inOneApplication()...) {
		if k.try(candidate) {
			s = candidate
			break
		}
	}
	s = k.dropSteps(s)
	s = k.mergeUsers(s)
	s = k.plainer(s)
	return k.dropSteps(s)
}

// try reports whether a story fails. A story that was tried before is not played again.
func (k *shrinker) try(candidate Story) bool {
	text, err := json.Marshal(candidate)
	if err != nil || k.left <= 0 || k.tried[string(text)] {
		return false
	}
	k.left--
	k.tried[string(text)] = true
	return k.fails(candidate)
}

// inTurn returns the story with one step after the other.
func (s Story) inTurn() Story {
	s.Steps = slices.Clone(s.Steps)
	for i := range s.Steps {
		s.Steps[i].Beside = false
	}
	return s
}

// inOneApplication returns the stories of one application that are most like a story of two: what
// happens in each, and all of it in one.
func (s Story) inOneApplication() []Story {
	if s.Apps() < 2 {
		return nil
	}
	var all []Story
	for app := range s.Apps() {
		alone := s
		alone.Steps = slices.DeleteFunc(slices.Clone(s.Steps), func(step Step) bool {
			return step.In > 0 || slices.ContainsFunc(step.roles(), func(role int) bool { return s.Users[role-1].App != app })
		})
		if len(alone.Steps) > 0 && len(alone.Steps) < len(s.Steps) {
			all = append(all, alone)
		}
	}
	together := s
	together.Users, together.Steps = slices.Clone(s.Users), slices.Clone(s.Steps)
	for i := range together.Users {
		together.Users[i].App = 0
	}
	for i := range together.Steps {
		together.Steps[i].In = 0
		if together.Steps[i].How == sameNames {
			together.Steps[i].How, together.Steps[i].Other = "", 0
		}
	}
	return append(all, together)
}

// dropSteps drops steps, many at once and then fewer.
func (k *shrinker) dropSteps(s Story) Story {
	for size := max(len(s.Steps)/2, 1); size >= 1; size /= 2 {
		for from := len(s.Steps) - size; from >= 0; from -= size {
			candidate := s
			candidate.Steps = slices.Concat(s.Steps[:from], s.Steps[from+size:])
			if k.try(candidate) {
				s = candidate
				from = min(from, len(s.Steps))
			}
		}
	}
	return s
}

// mergeUsers lets one user play two roles. A role that no step names has no user.
func (k *shrinker) mergeUsers(s Story) Story {
	for one := len(s.Users); one > 1; one-- {
		for other := 1; other < one; other++ {
			candidate, named := s.withRole(one, other)
			if !named {
				break
			}
			if k.try(candidate) {
				s = candidate
				break
			}
		}
	}
	return s
}

// withRole returns the story with one role played by another, and whether a step names it.
func (s Story) withRole(one, other int) (Story, bool) {
	named := false
	s.Steps = slices.Clone(s.Steps)
	for i := range s.Steps {
		step := &s.Steps[i]
		named = named || slices.Contains(step.roles(), one)
		if step.User == one {
			step.User = other
		}
		if step.Other == one {
			step.Other = other
		}
		step.Others = slices.Clone(step.Others)
		for j := range step.Others {
			if step.Others[j] == one {
				step.Others[j] = other
			}
		}
	}
	return s, named
}

// plainer replaces awkward values by plain ones: those of users, those of steps, and single fields.
func (k *shrinker) plainer(s Story) Story {
	for i := range s.Users {
		if s.Users[i].Body == nil {
			continue
		}
		candidate := s
		candidate.Users = slices.Clone(s.Users)
		candidate.Users[i].Body, candidate.Users[i].Refusable = nil, nil
		if k.try(candidate) {
			s = candidate
		}
	}
	for i := range s.Steps {
		for _, body := range plainerBodies(s.Steps[i].Body) {
			candidate := s
			candidate.Steps = slices.Clone(s.Steps)
			candidate.Steps[i].Body = body
			candidate.Steps[i].Refusable = slices.DeleteFunc(slices.Clone(s.Steps[i].Refusable), func(field string) bool { return body[field] == nil })
			if k.try(candidate) {
				s = candidate
				break
			}
		}
	}
	return s
}

// plainerBodies returns bodies with less in them: none, each field alone, and all but each field.
func plainerBodies(body Fields) []Fields {
	if len(body) == 0 {
		return nil
	}
	all := []Fields{nil}
	if len(body) == 1 {
		return all
	}
	names := slices.Sorted(maps.Keys(body))
	for _, name := range names {
		all = append(all, Fields{name: body[name]})
	}
	for _, name := range names {
		without := maps.Clone(body)
		delete(without, name)
		all = append(all, without)
	}
	return all
}
