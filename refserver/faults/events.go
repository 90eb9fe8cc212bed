package faults

func events() []Fault { return nil }
