package faults

func auth() []Fault { return nil }
