package passive

import (
	"testing"

	"github.com/socialfeed/conform/conformance/rules"
)

// What judges passively and what the catalogue calls passive are the same, but
// for the choices, which are read off the traits.
func TestPassiveRulesAreThoseOfTheCatalogue(t *testing.T) {
	c := rules.Load()
	judged := map[string]bool{}
	for _, rule := range rulesWith("mark") {
		judged[rule.id] = true
		if found, ok := c.Rule(rule.id); !ok || !found.Passive {
			t.Errorf("%s is judged passively and not passive in the catalogue", rule.id)
		}
	}
	for _, rule := range c.Rules() {
		if rule.Passive && rule.Level != rules.Choice && !judged[rule.ID] {
			t.Errorf("%s is passive and nothing judges it", rule.ID)
		}
	}
}
