package restarts

import "slices"

// smaller yields the stories that lack one step each, or one interruption, or whose interruption of a
// request comes after it.
func (s Story) smaller(yield func(Story) bool) {
	for n := range s.Steps {
		if !yield(Story{slices.Delete(slices.Clone(s.Steps), n, n+1)}) {
			return
		}
	}
	for n, step := range s.Steps {
		if step.Interrupt == nil {
			continue
		}
		without := slices.Clone(s.Steps)
		without[n].Interrupt = nil
		if !yield(Story{without}) {
			return
		}
		if step.Interrupt.Inside {
			between := slices.Clone(s.Steps)
			between[n].Interrupt = &Interruption{Signal: step.Interrupt.Signal}
			if !yield(Story{between}) {
				return
			}
		}
	}
}
