package faults

func connections() []Fault { return nil }
