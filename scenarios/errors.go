package scenarios

import . "github.com/socialfeed/conform/conformance"

func errorResponses(s *Suite) {}
