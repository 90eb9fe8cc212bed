package passive

import (
	"testing"

	"github.com/socialfeed/conform/conformance/rules"
)

// The same answer is told by the same words, however many of its fields are wrong.
func TestFindingsAreToldInOneOrder(t *testing.T) {
	x := answered(rules.GetMe, 200, `{"id":1,"z":{"b":null,"a":null},"b":null,"c":{"d":null},"a":null}`)
	for range 50 {
		if f := noNull(decode(x)); f.problem != "a = null" {
			t.Fatalf("told as %q", f.problem)
		}
	}
}
