package faults

func errorResponses() []Fault { return nil }
