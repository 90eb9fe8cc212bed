package testkit

import (
	"os"
	"strconv"
	"testing"
)

// Number is the number, of one or more, that a variable of the environment holds; otherwise if it is not set.
func Number(t *testing.T, variable string, otherwise int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s: %q is not a number from 1 on", variable, text)
	}
	return n
}
