// Package leeway knows what the contract leaves to a target. Choices are what a target was seen to do where the
// contract is silent, Lengths how long its lists are, a Form how it may keep texts. Sent, Replaced and Omitted
// return the values that a field may have after a write.
package leeway
