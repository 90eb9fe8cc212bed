package faults

func social() []Fault { return nil }
