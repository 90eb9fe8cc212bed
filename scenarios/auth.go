package scenarios

import . "github.com/socialfeed/conform/conformance"

func auth(s *Suite) {}
