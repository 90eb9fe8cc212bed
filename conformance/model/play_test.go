package model

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"
)

// stories returns all stories of a seed.
func stories(seed uint64) []Story {
	all := purges(seed, 100)
	all = append(all, purges(seed, 4)...)
	all = append(append(all, shortSequences(seed, 24)...), interruptions(seed)...)
	all = append(all, concurrentPairs(seed, 18)...)
	all = append(all, manyConnections(seed, 21), random(seed, 60, 4), afterLongWait(seed), repeatedReads(seed, 3))
	all = append(append(append(all, allValues(seed)...), repeatedWrites(seed)...), forbiddenWrites(seed), longLists(seed))
	return all
}

func noPause(context.Context, time.Duration) error { return nil }

func played(t *testing.T, f *fake, s Story, c Choices) *Outcome {
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
		wholeSeconds: b(), lowerCaseTimes: b(), fillsIn: b(), backless: b(), unknownIsGone: b(), directional: b(), omitsZeros: b(), cap: []int{0, 0, 20, 50}[r.IntN(4)]}
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
			choices = Choices{Defaults: choices.Defaults, Hidden: choices.Hidden} // nothing else is known
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
