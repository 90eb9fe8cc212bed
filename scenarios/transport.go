package scenarios

import . "github.com/socialfeed/conform/conformance"

func transport(s *Suite) {}
