// Package sourcemutants measures how much of what could be wrong with a server the judge
// finds, by faults that nobody wrote: small changes of the reference server's own source,
// made by rule. All of them are compiled into one program, in a temporary folder; a number
// in its environment chooses one. A sample by a seed is judged over the wire, and what no
// rule notices is classified by reading (survivors.yaml).
//
// It measures and is never tuned on: no check of the judge is written for one mutant.
package sourcemutants
