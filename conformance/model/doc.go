// Package model is the contract as a state machine, and the stories that are
// drawn from it. It knows the contract alone: no server, no wire.
//
//   - World is the state that a target must be in: users, sessions, connections,
//     events, and a graveyard of what was deleted. Where the contract leaves an
//     answer open, it holds the set of lawful answers.
//   - A Story is a list of operations, each a tuple of small numbers that are
//     resolved against the world, so that any part of a story can be played too.
//   - Program and Small are the stories of a seed, of the kinds that the files draw_*.go
//     draw; Applications are those of two applications, and Grid inputs with a defect.
//     A playthrough is one story being played.
//   - Payloads make the bodies of users and events, of awkward values; a payload is
//     those of one of them.
//   - A Shadow follows what others write to the target, and sees that it is shown so.
//   - A Player plays a story on a Target, and compares what the target shows with
//     the world. Each Difference is blamed on a rule at an endpoint.
//   - Confirm makes a failing story short.
package model
