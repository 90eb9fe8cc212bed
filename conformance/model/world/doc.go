// Package world is the contract as a state machine. A State holds the users, connections and events that a target
// must have, transitions.go applies the effects of requests to it, and where the contract leaves an answer open, it
// holds a set of lawful values.
//
// A View is one way to read a target. Judge compares an answer with the state (judge_*.go); each difference is
// blamed on a rule by what happened before.
package world
