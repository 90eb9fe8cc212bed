package conformance

import "github.com/socialfeed/conform/conformance/internal/jsonvalue"

// Fields are the fields of a resource as a scenario sends them.
type Fields = jsonvalue.Fields

// ClockSkew is how far apart the clocks of a service's replicas may be.
const ClockSkew = jsonvalue.ClockSkew

// Record is a resource as the target returned it: numbers keep their digits.
type Record = jsonvalue.Record
