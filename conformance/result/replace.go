package result

// Replace puts checks in the place of those that their rules have, and adds the report up again.
func (r *Report) Replace(checks []CheckResult) {
	byRule := map[string][]Check{}
	for _, c := range checks {
		byRule[c.Rule] = append(byRule[c.Rule], c.Check)
	}
	for i := range r.Rules {
		if mine := byRule[r.Rules[i].ID]; mine != nil && r.Rules[i].Status != Skipped {
			r.Rules[i].Checks = mine
		}
	}
	r.quoteContract()
	r.Summarize()
}
