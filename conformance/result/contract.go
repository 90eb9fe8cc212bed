package result

import "github.com/socialfeed/conform/conformance/rules"

// quoteContract adds the contract's text to every rule that did not pass.
func (r *Report) quoteContract() {
	contract := rules.ReadContract()
	for i := range r.Rules {
		if rule := &r.Rules[i]; rule.Status != Pass && rule.Status != Observed && rule.Status != Skipped {
			rule.Contract = contract.Quotes(rule.Source)
		}
	}
}
