package control_test

import (
	"testing"

	"github.com/socialfeed/conform/refserver/control"
	"github.com/socialfeed/conform/refserver/faults"
)

// TestEveryFaultCanBeHadFromTheStart validates each fault as a command line's is, before
// there is an application.
func TestEveryFaultCanBeHadFromTheStart(t *testing.T) {
	for _, fault := range append(faults.All(), faults.SecondOrder()...) {
		if fault.Listen != nil {
			continue // of the connection, which the command has served
		}
		if err := (control.Settings{Faults: []string{fault.Name}}).Validate(); err != nil {
			t.Errorf("%s: %v", fault.Name, err)
		}
	}
}
