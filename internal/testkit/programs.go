// Package testkit is what the tests of several packages need of the machine and of
// others' formats. It knows nothing of the contract: what judge and reference server
// shared of that would be a mistake they shared.
package testkit

import (
	"os/exec"
	"testing"
)

// Needs skips the test where a program is not installed.
func Needs(t testing.TB, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("there is no %s here", program)
		}
	}
}
