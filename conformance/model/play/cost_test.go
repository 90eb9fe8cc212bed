package play

import (
	"testing"

	"github.com/socialfeed/conform/conformance/model/draw"
	"github.com/socialfeed/conform/conformance/model/story"
)

// TestCost keeps the estimated costs of stories near the actual ones.
func TestCost(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine, and slow with the race detector: it runs without it")
	}
	total := map[string]story.Cost{}
	real := map[string]story.Cost{}
	for _, s := range draw.Deep(1) {
		if s.Name == "random" {
			break
		}
		c := &counting{fake: newFake(dialect{}, "")}
		if _, err := NewPlayer(c, Options{Choices: dialect{}.choices(), Pause: noPause}).Play(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		cost := s.Cost()
		total[s.Name] = total[s.Name].Minus(story.Cost{Writes: -cost.Writes, Reads: -cost.Reads, Deletes: -cost.Deletes})
		real[s.Name] = real[s.Name].Minus(story.Cost{Writes: -c.w, Reads: -c.r, Deletes: -c.d - len(c.users)})
	}
	for name, cost := range total {
		t.Logf("%s: estimated %+v, took %+v", name, cost, real[name])
		if !real[name].Within(story.Cost{Writes: cost.Writes * 5 / 4, Reads: cost.Reads*5/4 + 5, Deletes: cost.Deletes*5/4 + 5}) {
			t.Errorf("%s takes %+v, more than the %+v estimated", name, real[name], cost)
		}
	}
}
