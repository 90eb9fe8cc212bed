package faults

func transport() []Fault { return nil }
