package story

import (
	"maps"
	"math/bits"
)

// Mark is one thing that stories have exercised: an action or a view, the circumstance that it met,
// and what had happened before.
type Mark struct{ Do, Circumstance, After string }

// Coverage counts what stories have exercised.
type Coverage map[Mark]int

// Merge adds the counts of another Coverage.
func (c Coverage) Merge(o Coverage) {
	for mark, n := range o {
		c[mark] += n
	}
}

// add counts marks.
func (c Coverage) add(marks []Mark) {
	for _, mark := range marks {
		c[mark]++
	}
}

// fresh returns how many of the marks are new.
func (c Coverage) fresh(marks []Mark) int {
	n := 0
	for _, mark := range marks {
		if c[mark] == 0 {
			n++
		}
	}
	return n
}

func (c Coverage) clone() Coverage { return maps.Clone(c) }

// doubled returns the number of times that 1 can be doubled without exceeding n: sizes of the same one
// count as the same.
func doubled(n int) int { return bits.Len(uint(n)) }
