// Package blame has the Difference between a target and the contract, and the rules to blame for one that do not
// depend on what happened before.
package blame
