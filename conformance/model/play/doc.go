// Package play plays stories on a target and compares the target with the state that the contract asks for
// (model-based testing). It knows the contract alone: no server, no wire.
//
//  1. Playing. A Player (player.go, play*.go) plays a story on a Target (target.go). The table in actions.go tells
//     how each kind of action is performed: perform_*.go send the requests of one operation, concurrent*.go those of
//     several at once, cross_app*.go those that cross applications. probe_*.go find out the target's choices.
//  2. Comparing. audit*.go choose the views of the state, compare.go reads each until it agrees with the state or the
//     settle time is over.
//  3. Confirming. Confirm (confirm.go) repeats a failing story and shrinks it; blame_isolation.go finds out whether it
//     needs two applications.
//
// ReadExisting and GatherExisting (existing_*.go) read and connect users that scenarios have created.
package play
