// Package scenarios holds the judge's tests of a target: files named after the parts of the
// contract, one scenario for each thing that can go wrong.
package scenarios

import (
	. "github.com/socialfeed/conform/conformance"
)

// Register adds every scenario of the contract to a suite.
func Register(s *Suite) {
	s.Control(validlyRequested)
	// First those with many refusals, whose users are as new afterwards: the others go on with them.
	transport(s)
	auth(s)
	errorResponses(s)
	versions(s)
	limits(s)
	sessions(s)
	users(s)
	search(s)
	connections(s)
	social(s)
	events(s)
	feed(s)
}
