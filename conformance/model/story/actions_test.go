package story

import (
	"slices"
	"testing"
)

// TestEachActionHasItsRow checks that the table tells what each operation is called.
func TestEachActionHasItsRow(t *testing.T) {
	named := map[string]Kind{}
	for k := range Kinds {
		action := k.Action()
		if other, taken := named[action.Name]; taken || action.Name == "" {
			t.Errorf("operation %d is called %q, as is %d", k, action.Name, other)
		}
		named[action.Name] = k
		for _, other := range action.Conflicts {
			if !slices.Contains(other.Action().Conflicts, k) {
				t.Errorf("the order of %s and %s matters one way round only", k, other)
			}
		}
	}
}
