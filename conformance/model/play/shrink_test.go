package play

import (
	"math/rand/v2"
	"testing"

	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/story"
)

// TestShortenedStoriesBlameNoValidServer shortens each story of a seed, on a target that does what it
// should, in ways that chance chooses: a story that fails only because it was shortened would be told,
// and kept, and fail on the target that was mended after it.
func TestShortenedStoriesBlameNoValidServer(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine, and slow with the race detector: it runs without it")
	}
	const seeds, candidates = 4, 30
	for seed := range uint64(seeds) {
		chance := rand.New(rand.NewPCG(seed, 2))
		d := randomDialect(chance)
		if seed == 0 {
			d = dialect{}
		}
		choices := d.choices()
		if seed%2 == 1 {
			choices = leeway.Choices{Defaults: choices.Defaults, Hidden: choices.Hidden} // nothing else is known
		}
		fails := func(s story.Story) bool {
			for _, difference := range played(t, newFake(d, ""), s, choices).Differences {
				t.Errorf("seed %d, dialect %+v, story %s of %v: %s", seed, d, s.Name, s.Ops, difference)
			}
			return !t.Failed() && chance.IntN(2) == 0
		}
		for _, s := range stories(seed) {
			story.Shrink(story.PlainerValues(s, func(story.Story) bool { return true }), candidates, fails)
			if t.Failed() {
				return
			}
		}
	}
}
