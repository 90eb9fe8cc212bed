package scenarios

import . "github.com/socialfeed/conform/conformance"

func limits(s *Suite) {}
