package draw

import (
	"slices"
	"testing"

	"github.com/socialfeed/conform/conformance/model/leeway"
)

// TestOperationsOfATownCommute draws towns: concurrent operations there are compared later,
// which needs an outcome that does not depend on their order.
func TestOperationsOfATownCommute(t *testing.T) {
	for seed := range uint64(20) {
		town, together := Combined(seed, leeway.Choices{FriendsAtOnce: leeway.Yes}, Sizes()[0]), 0
		for i := 0; i < len(town.Ops); i++ {
			whole := 1
			for town.Ops[i+whole-1].AtOnce {
				whole++
			}
			ops := town.ConcurrentWith(i)
			if len(ops) != whole {
				t.Errorf("seed %d: of %d operations at once %d are sent together: %v", seed, whole, len(ops), town.Ops[i:i+whole])
			}
			if whole > 1 {
				together++
			}
			i += whole - 1
		}
		const fewest = 8
		if together < fewest {
			t.Errorf("seed %d: %d times operations are sent together, want %d at least", seed, together, fewest)
		}
	}
}

func TestDeBruijnHasEachWordOnce(t *testing.T) {
	for _, k := range []int{2, 3, 6} {
		const order = 3
		sequence := deBruijn(k, order)
		seen := map[[order]int]int{}
		for i := range sequence {
			seen[[order]int{sequence[i], sequence[(i+1)%len(sequence)], sequence[(i+2)%len(sequence)]}]++
		}
		if len(seen) != k*k*k || len(sequence) != k*k*k {
			t.Errorf("%d letters: %d words in %d letters, want %d", k, len(seen), len(sequence), k*k*k)
		}
	}
}

func TestStoriesComeFromTheirSeed(t *testing.T) {
	texts := func(seed uint64) (all []string) {
		for _, s := range slices.Concat(Deep(seed), Plain(seed, leeway.Choices{}), Applications(seed)) {
			all = append(all, s.String())
		}
		return all
	}
	if !slices.Equal(texts(5), texts(5)) {
		t.Error("one seed draws two lots of stories")
	}
	if slices.Equal(texts(5), texts(6)) {
		t.Error("two seeds draw the same stories")
	}
}
