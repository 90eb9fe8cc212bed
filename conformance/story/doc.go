// Package story tests a target against the contract as a state machine (model-based testing). It knows
// the contract alone: no server, no wire.
//
// One table of actions (actions.go, actions_*.go) has all that is known of each operation of the
// contract, reads too: what request it is, what is to be expected of the answer, how it changes the
// World (world*.go), which views may then show something else. Everything else derives from the table:
//
//   - Playing. A Story (story.go) is a list of steps, each an action with its arguments: plain data
//     that reads as JSON. A Player (player.go, play.go, sessions.go, reading.go, bodies.go) sends them
//     one by one. The answer must be one that some world explains; those that do not are dropped.
//   - Racing. Steps at the same time (race.go) must be answered as if they had come in some order: the
//     worlds after each such order are kept, and what is read later tells them apart.
//   - Expecting. What must be refused whatever it asks for (an ended session, another application, a
//     missing field) is decided in one place for all actions (Action.expected).
//   - Blaming. A Diff (diff*.go) holds values. One ordered table (blame*.go) says which rule is broken:
//     the first row that fits.
//   - Generating. A Generator (generate.go, moves.go, plans.go, endings.go) plays each step that it
//     considers on an imaginary target (cost.go), so that it knows what the step would meet, what is new
//     about it (coverage.go) and what it takes; of many it chooses what is newest for its requests.
//     pools*.go and bodies_drawn.go have awkward values; similar.go has values that are nearly the same.
//   - Shrinking. Confirm (confirm.go) repeats a failing story and makes it short (shrink.go). Dropping a
//     step never changes what the others do. A Saved story (corpus.go) can be replayed.
//
// Where the contract is silent, Choices (choices.go) say what a target was seen to do (learn.go). A step
// whose outcome is open is skipped; fields hold sets of allowed values (values.go).
//
// To add an operation, add a row to the table of actions and, if it can show something new, rows to the
// table of blame.
package story
