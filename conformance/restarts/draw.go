package restarts

import (
	"math/rand/v2"
	"time"
)

// draw yields the stories of a seed without end: first each operation with a kill after it, a stop and
// a pause, then each with each signal, between requests and during one, in an order that the seed decides, and then
// all again with others around them.
func draw(seed uint64, yield func(Story) bool) {
	rng := rand.New(rand.NewPCG(seed, 0))
	for {
		for _, all := range [][]Step{common(), further()} {
			rng.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
			for _, step := range all {
				if !yield(around(rng, step)) {
					return
				}
			}
		}
	}
}

// common are the interruptions that show most.
func common() []Step {
	all := []Step{
		{Do: Post, Interrupt: &Interruption{Signal: Stop}}, {Do: Post, Interrupt: &Interruption{Signal: Kill, Inside: true}},
		{Do: Post, Interrupt: &Interruption{Signal: Pause}},
	}
	for _, kind := range kinds() {
		all = append(all, Step{Do: kind, Interrupt: &Interruption{Signal: Kill}})
	}
	return all
}

// further are those of each kind.
func further() []Step {
	var all []Step
	for _, kind := range kinds() {
		for _, signal := range []Signal{Kill, Stop, Pause} {
			all = append(all, Step{Do: kind, Interrupt: &Interruption{Signal: signal, Inside: true}})
		}
		all = append(all, Step{Do: kind, Interrupt: &Interruption{Signal: Stop}})
	}
	return all
}

// around is a story with the step in its middle, and a kill at its end: what was undone only
// seemingly comes back with the second start.
func around(rng *rand.Rand, step Step) Story {
	step.Slot, step.Other = rng.IntN(slots), rng.IntN(slots)
	if step.Interrupt.Inside {
		step.Interrupt.After = []time.Duration{0, time.Millisecond / 2, time.Millisecond, 3 * time.Millisecond, 10 * time.Millisecond}[rng.IntN(5)]
	}
	var s Story
	some := func(n int) {
		for range n {
			s.Steps = append(s.Steps, anyStep(rng))
		}
	}
	const before, after = 4, 3 // at most so many more
	some(2 + rng.IntN(before))
	switch step.Do {
	case Edit, Remove: // which need one
		s.Steps = append(s.Steps, Step{Do: Post, Slot: step.Slot, Other: step.Other})
	case Create: // which needs a slot that is free
		s.Steps = append(s.Steps, Step{Do: Delete, Slot: step.Slot})
	case Follow:
		s.Steps = append(s.Steps, Step{Do: Unfollow, Slot: step.Slot, Other: step.Other})
	}
	if !step.Interrupt.Inside { // another write shows that the first one is not only one of the latest
		between := step.Interrupt
		step.Interrupt = nil
		s.Steps = append(s.Steps, step)
		step = Step{Do: Post, Slot: (step.Slot + 1) % slots, Interrupt: between}
	}
	s.Steps = append(s.Steps, step)
	some(1 + rng.IntN(after))
	last := anyStep(rng)
	last.Interrupt = &Interruption{Signal: Kill}
	s.Steps = append(s.Steps, last)
	return s
}

// anyStep is one without an interruption, events more often than others.
func anyStep(rng *rand.Rand) Step {
	all := append(kinds(), Post, Post, Edit, Remove)
	return Step{Do: all[rng.IntN(len(all))], Slot: rng.IntN(slots), Other: rng.IntN(slots)}
}
