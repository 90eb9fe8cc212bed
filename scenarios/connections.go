package scenarios

import . "github.com/socialfeed/conform/conformance"

func connections(s *Suite) {}
