// Package story has test cases as data. A Story is a list of operations by a few users; each Op is an action with
// arguments that are resolved against the state when it is played, so that every subset of a story can be played.
//
// actions.go numbers the kinds of actions, and the table in actions_table.go tells what each is called, what its
// arguments are, which others it conflicts with and what it costs. How it is performed is known to package play.
//
// Shrink makes a failing story short. A CorpusEntry (corpus.go) saves a story for replay.
package story
