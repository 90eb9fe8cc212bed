package model

import (
	"hash/fnv"
	"strconv"
)

// stableHash returns a number that depends on nothing but the text.
func stableHash(field string) int {
	h := fnv.New32a()
	h.Write([]byte(field))
	return int(h.Sum32() % 1009)
}

// scatter returns a number below 1009 that jumps from one v to the next: what it chooses does
// not go in step with the order within the pools.
func scatter(v int) int { return stableHash(strconv.Itoa(v)) }
