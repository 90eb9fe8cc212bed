package story

import (
	"math/bits"
)

// Mark is one thing that stories have exercised: an action or a view, the circumstance that it met,
// and what had happened before.
type Mark struct{ Do, Circumstance, After string }

// weighed is a mark with its weight: how much it is worth to exercise it for the first time.
type weighed struct {
	Mark
	weight float64
}

// The weights of marks. What an action does at all weighs more than after what, and that more than
// after which two things.
const (
	weightOfAction = 4
	weightOfPair   = 2
	weightOfTriple = 1
	weightOfView   = 2
	weightOfValue  = 0.3
	// refusedShare is by how much marks of what must be refused weigh less.
	refusedShare = 0.4
)

// Coverage counts what stories have exercised.
type Coverage map[Mark]int

// Merge adds the counts of another Coverage.
func (c Coverage) Merge(o Coverage) {
	for mark, n := range o {
		c[mark] += n
	}
}

// add counts marks.
func (c Coverage) add(marks []weighed) {
	for _, mark := range marks {
		c[mark.Mark]++
	}
}

// gain returns the weight of the marks that are new.
func (c Coverage) gain(marks []weighed) float64 {
	sum := 0.0
	for _, mark := range marks {
		if c[mark.Mark] == 0 {
			sum += mark.weight
		}
	}
	return sum
}

// doubled returns the number of times that 1 can be doubled without exceeding n: sizes of the same one
// count as the same.
func doubled(n int) int { return bits.Len(uint(n)) }
