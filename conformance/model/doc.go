// Package model tests a target by its contract as a state machine (model-based testing).
// It knows the contract alone: no server, no wire.
//
//   - State is the model's state: users, sessions, connections and events, deleted ones
//     included. Where the contract leaves an answer open, it holds the set of lawful answers.
//   - A Story is a test case: a list of operations (Op). Each is a tuple of small numbers
//     that are resolved against the state, so that every subset of a story can be played.
//   - DeepStories, PlainStories and ApplicationStories generate the stories of a seed, with
//     the generators in draw_*.go; Grid generates inputs with a defect.
//   - A Player plays stories on a Target: perform_*.go sends the requests, transitions.go
//     changes the state, judge_*.go compares views of the target with the state. Each
//     Difference is blamed on a rule at an endpoint.
//   - Confirm repeats a failing story and shrinks it. A CorpusEntry is one that is saved.
//   - Payloads generate the bodies of users and events, of awkward values.
//   - A Shadow checks the traffic of scenarios: whether users and events are shown as they
//     were written.
package model
