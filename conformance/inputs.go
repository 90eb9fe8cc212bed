package conformance

import (
	"github.com/socialfeed/conform/conformance/model/body"
	"github.com/socialfeed/conform/conformance/rules"
)

// Inputs lists the values that drawn stories send in bodies, by endpoint and field.
func Inputs() []rules.Input { return body.Inputs() }
