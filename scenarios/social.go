package scenarios

import . "github.com/socialfeed/conform/conformance"

func social(s *Suite) {}
