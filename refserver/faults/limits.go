package faults

func limits() []Fault { return nil }
