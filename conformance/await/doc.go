// Package await says how long to wait for what a target shows late: the pauses between reads, and what a run has
// learned of the target's lag.
package await
