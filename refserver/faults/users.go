package faults

func users() []Fault { return nil }
