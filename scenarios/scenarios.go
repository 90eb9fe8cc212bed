// Package scenarios is what the judge tries on a target: one file for each part
// of the contract, one scenario for each thing that can go right or wrong.
package scenarios

import (
	. "github.com/socialfeed/conform/conformance"
)

// Register adds every scenario of the contract to a suite.
func Register(s *Suite) {
	s.Control(validlyRequested)
	transport(s)
	auth(s)
	sessions(s)
	users(s)
	search(s)
	connections(s)
	social(s)
	events(s)
	feed(s)
	versions(s)
	errorResponses(s)
	limits(s)
}
