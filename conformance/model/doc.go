// Package model is the contract as a state machine, and the stories that are
// drawn from it. It knows the contract alone: no server, no wire.
//
//   - World is the state that a target must be in: users, sessions, connections,
//     events, and a graveyard of what was deleted. Where the contract leaves an
//     answer open, it holds the set of lawful answers.
//   - A Story is a list of operations, each a tuple of small numbers that are
//     resolved against the world, so that any part of a story can be played too.
//   - Purges, Walks, Crowds, Multitude, Habits, Tours, Trespasses, Later, AtOnce and
//     Grid draw stories and inputs from a seed.
//   - A Player plays a story on a Target, and compares what the target shows with
//     the world. Each Difference is blamed on a rule at an endpoint.
//   - Shrink makes a failing story short.
package model
