package scenarios

import . "github.com/socialfeed/conform/conformance"

func sessions(s *Suite) {}
