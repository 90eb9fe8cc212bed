package rules

// Input is a class of values that drawn stories send in a field of an endpoint's body.
type Input struct {
	Endpoint Endpoint `json:"endpoint"`
	// Field is where the value stands, nested parts after a dot; "" for the body itself.
	Field string `json:"field,omitempty"`
	Class string `json:"class"` // of values
	// Rule requires the target to refuse it, or not to fail over it (errors.no-5xx); "" where
	// the value has to come back.
	Rule string `json:"rule,omitempty"`
}
