//go:build !unix

package main

// memoryVariable has a copy of the test binary measure a program, where that can be done.
const memoryVariable = "TESTED_MEMORY"

func measure(string) int { return 1 }

// saySecrets is not tried where no signal ends a judge of clients.
func saySecrets(string) int { return 1 }
