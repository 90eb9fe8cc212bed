// Package model tests a target against the contract as a state machine (model-based testing). It
// knows the contract alone: no server, no wire.
//
// A Story is a test case: a list of operations (Op), each an action with arguments that are resolved
// against the state when it is played, so that every subset of a story can be played. What the model
// knows of each action stands in one table (Action, actions*.go): how it is performed alone, across
// applications and at once with others, and what it costs.
//
//  1. Drawing. draw_*.go generate stories from a seed, stories.go puts them in order; grid*.go
//     generate inputs with one defect. pools.go has the awkward values of fields, payload*.go
//     make bodies of them.
//  2. Playing. A Player (player.go, play*.go) plays a story on a Target (target.go). perform_*.go
//     send the requests of one operation, concurrent*.go those of several at once, cross_app*.go
//     those that cross applications. transitions.go applies the effects to the State (state.go).
//     Where the contract leaves an answer open, the state holds a set of lawful values (value.go),
//     and Choices (choices.go, probe_*.go) say what the target was seen to do.
//  3. Comparing. A view (view.go) is one way to read the target. audit*.go choose the views,
//     compare.go reads each until it agrees with the state or the settle time is over, and
//     judge_*.go compare the answer. A Difference is blamed on a rule at an endpoint.
//  4. Shrinking. Confirm (confirm.go) repeats a failing story and shrinks it (shrink.go);
//     blame_isolation.go finds out whether it needs two applications. A CorpusEntry (corpus.go)
//     saves a story for replay. cost.go estimates requests, coverage.go counts what was tried.
//
// Two parts check without stories:
//
//   - A TrafficChecker (traffic*.go) checks the exchanges of scenarios: users and events must be
//     shown as they were written. reuse.go finds users that stories need not create.
//   - ReadExisting (existing_reads.go) reads users that scenarios have created.
package model
