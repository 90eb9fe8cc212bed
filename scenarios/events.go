package scenarios

import . "github.com/socialfeed/conform/conformance"

func events(s *Suite) {}
