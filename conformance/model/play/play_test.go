package play

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/model/draw"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/story"
)

// stories returns all stories of a seed.
func stories(seed uint64) []story.Story {
	all := draw.Purges(seed, 100)
	all = append(all, draw.Purges(seed, 4)...)
	all = append(append(all, draw.ShortSequences(seed, 24)...), draw.Interruptions(seed)...)
	all = append(all, draw.ConcurrentPairs(seed, 18)...)
	all = append(all, draw.ManyConnections(seed, 21), draw.Random(seed, 60, 4), draw.AfterLongWait(seed), draw.RepeatedReads(seed, 3))
	all = append(append(append(all, draw.AllValues(seed)...), draw.RepeatedWrites(seed)...), draw.ForbiddenWrites(seed), draw.LongLists(seed))
	return all
}

func noPause(context.Context, time.Duration) error { return nil }

func played(t *testing.T, f *fake, s story.Story, c leeway.Choices) *Outcome {
	t.Helper()
	o, err := NewPlayer(f, Options{Choices: c, Pause: noPause}).Play(t.Context(), s)
	if err != nil {
		t.Fatalf("%s: %v", s.Name, err)
	}
	return o
}

func randomDialect(r *rand.Rand) dialect {
	b := func() bool { return r.IntN(3) == 0 }
	return dialect{mutual: b(), oneKind: b(), endsHalf: b(), single: b(), logoutAll: b(), updateEnds: b(), clears: b(), merges: b(), unique: b(),
		strict: b(), ownEvents: b(), friendsFollow: b(), stringIDs: b(), conflict: b(), noSocial: b(), noURL: b(), hidesEmail: b(), hidesProfile: b(),
		wholeSeconds: b(), lowerCaseTimes: b(), fillsIn: b(), backless: b(), unknownIsGone: b(), directional: b(), omitsZeros: b(), cap: []int{0, 0, 20, 50}[r.IntN(4)], socialConfirms: b()}
}

func TestValidServersAreNotBlamed(t *testing.T) {
	seeds := uint64(100)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		d := randomDialect(rand.New(rand.NewPCG(seed, 1)))
		if seed == 0 {
			d = dialect{}
		}
		choices := d.choices()
		if seed%5 == 4 {
			choices = leeway.Choices{Defaults: choices.Defaults, Hidden: choices.Hidden} // nothing else is known
		}
		for i, s := range stories(seed) {
			const all, share = 10, 5 // of the seeds, and of the stories of each other seed
			if seed >= all && (uint64(i)+seed)%share != 0 {
				continue
			}
			o := played(t, newFake(d, ""), s, choices)
			for _, diff := range o.Differences {
				t.Errorf("seed %d, dialect %+v, story %s: step %d: %s", seed, d, s.Name, diff.Step, diff)
			}
			if t.Failed() {
				for _, line := range o.Log[max(0, len(o.Log)-9):] {
					t.Log(line)
				}
				return
			}
		}
	}
}
