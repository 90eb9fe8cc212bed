package story

import (
	"slices"
)

// upTo returns the story up to a step, with those that are sent at the same time.
func (s Story) upTo(step int) Story {
	for step < len(s.Steps) && s.Steps[step].Beside {
		step++
	}
	s.Steps = s.Steps[:min(step+1, len(s.Steps))]
	return s
}

// among returns the story reduced to what some users do, alone and with each other.
func (s Story) among(roles []int) Story {
	return s.without(func(step Step) bool {
		return slices.ContainsFunc(step.roles(), func(role int) bool { return !slices.Contains(roles, role) }) && len(step.Others) == 0
	})
}

// withoutReads returns the story without its reads, but for the last step and those that are sent at
// the same time as others.
func (s Story) withoutReads() Story {
	known := table()
	if len(s.Steps) == 0 {
		return s
	}
	last := s.Steps[len(s.Steps)-1]
	beside := false
	kept := s.without(func(step Step) bool {
		alone := !step.Beside && !beside
		beside = step.Beside
		return known[step.Do].reads() && alone
	})
	if known[last.Do].reads() && !last.Beside && (len(kept.Steps) == 0 || !sameRead(kept.Steps[len(kept.Steps)-1], last)) {
		kept.Steps = append(kept.Steps, last)
	}
	return kept
}

// sameRead reports whether two reads are the same.
func sameRead(a, b Step) bool {
	return a.Do == b.Do && a.User == b.User && a.Other == b.Other && a.By == b.By && a.How == b.How && a.Session == b.Session
}

// withoutWaits returns the story without its waits.
func (s Story) withoutWaits() Story {
	return s.without(func(step Step) bool { return step.Do == "wait" })
}

// without returns the story without some steps.
func (s Story) without(drop func(Step) bool) Story {
	var kept []Step
	for _, step := range s.Steps {
		if !drop(step) {
			kept = append(kept, step)
		} else if n := len(kept); n > 0 {
			kept[n-1].Beside = kept[n-1].Beside && step.Beside // if the one after it was dropped
		}
	}
	s.Steps = kept
	return s
}
