package value

import (
	"hash/fnv"
	"strconv"
)

// Hash returns a number that depends on nothing but the text.
func Hash(field string) int {
	h := fnv.New32a()
	h.Write([]byte(field))
	return int(h.Sum32() % 1009)
}

// Scatter returns a number below 1009 that jumps from one v to the next: what it chooses does
// not go in step with the order within the pools.
func Scatter(v int) int { return Hash(strconv.Itoa(v)) }
