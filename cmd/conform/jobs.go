package main

import (
	"fmt"
	"strconv"
)

// jobs is the value of --jobs: a number, or auto, which is 0.
type jobs int

const (
	autoJobs = "auto"
	jobsType = "jobs"
	maxJobs  = 64
)

// Set takes a number in range, or auto.
func (j *jobs) Set(text string) error {
	if text == autoJobs {
		*j = 0
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxJobs {
		return fmt.Errorf("not %s", kindOfJobs())
	}
	*j = jobs(n)
	return nil
}

func (j *jobs) String() string {
	if *j == 0 {
		return autoJobs
	}
	return strconv.Itoa(int(*j))
}

// Type tells the flag's kind from others.
func (*jobs) Type() string { return jobsType }

func kindOfJobs() string {
	return fmt.Sprintf("whole number from 1 to %d, or %s", maxJobs, autoJobs)
}
