package scenarios

import . "github.com/socialfeed/conform/conformance"

func versions(s *Suite) {}
