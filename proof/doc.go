// Package proof holds the tests that the verdict rests on: every fault of the
// reference server is blamed on the rule that it breaks and on no other, and no
// dialect of it, that is, no server that the contract allows, is blamed at all.
package proof
