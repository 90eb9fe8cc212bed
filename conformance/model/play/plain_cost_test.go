package play

import (
	"testing"

	"github.com/socialfeed/conform/conformance/model/draw"
)

// TestCostOfPlainStories keeps the estimated writes of the stories that plain runs fill up with from being
// exceeded: a run must stay below the contract's limits. A combined story must not take many more reads
// than estimated either, or it would be broken off before its end.
func TestCostOfPlainStories(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine, and slow with the race detector: it runs without it")
	}
	const most = 107 // percent of the estimated reads
	choices := dialect{}.choices()
	for seed := range uint64(3) {
		for _, s := range draw.Plain(seed, choices)[:len(draw.Sizes())+4] { // and the purges
			c := &counting{fake: newFake(dialect{}, "")}
			if _, err := NewPlayer(c, Options{Choices: choices, Pause: noPause}).Play(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			estimated := s.Cost()
			if c.w > estimated.Writes {
				t.Errorf("seed %d, %s of %d users: %d writes, %d estimated", seed, s.Name, s.UserCount(), c.w, estimated.Writes)
			}
			if s.Name == "combined" && 100*c.r > most*estimated.Reads {
				t.Errorf("seed %d, %s of %d users: %d reads, %d estimated", seed, s.Name, s.UserCount(), c.r, estimated.Reads)
			}
		}
	}
}
