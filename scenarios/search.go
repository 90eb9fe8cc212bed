package scenarios

import . "github.com/socialfeed/conform/conformance"

func search(s *Suite) {}
