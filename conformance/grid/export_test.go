package grid

import "github.com/socialfeed/conform/conformance/rules"

// Plain is a valid message to an endpoint, as groups are made for.
func Plain(at rules.Endpoint) *Message { return sample(at, at.Request()) }
