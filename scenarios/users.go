package scenarios

import . "github.com/socialfeed/conform/conformance"

func users(s *Suite) {}
