package model

import "testing"

// TestCostOfPlainStories keeps the estimated writes of the stories that plain runs fill up with from being
// exceeded: a run must stay below the contract's limits.
func TestCostOfPlainStories(t *testing.T) {
	choices := dialect{}.choices()
	for seed := range uint64(3) {
		for _, s := range PlainStories(seed, choices)[:len(CombinedSizes())+4] { // and the purges
			c := &counting{fake: newFake(dialect{}, "")}
			if _, err := NewPlayer(c, Options{Choices: choices, Pause: noPause}).Play(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			if estimated := s.Cost(); c.w > estimated.Writes {
				t.Errorf("seed %d, %s of %d users: %d writes, %d estimated", seed, s.Name, s.UserCount(), c.w, estimated.Writes)
			}
		}
	}
}
