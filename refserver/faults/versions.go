package faults

func versions() []Fault { return nil }
