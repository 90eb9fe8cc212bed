// Package observed has what a run sees of its target in the exchanges of all scenarios: which endpoints serve anybody,
// what sign-ups and logins cost, and whether several servers take turns behind the address.
package observed
