package rules

import "testing"

// TestEverySentenceHasARuleOrAReason sees that no sentence of the contract is forgotten, and that no reason stands
// where a rule judges the sentence after all.
func TestEverySentenceHasARuleOrAReason(t *testing.T) {
	for _, s := range ReadContract().Ledger(LoadAll().Rules()) {
		switch {
		case len(s.Rules) == 0 && s.Why == "":
			t.Errorf("%s: no rule and no reason: %s", s.Part, s.Text)
		case len(s.Rules) > 0 && s.Why != "":
			t.Errorf("%s: a reason beside %v: %s", s.Part, s.Rules, s.Text)
		}
	}
}
