package result

import (
	"fmt"
	"slices"
)

// Breaches says which breaches of the contract a client's tests notice. Each is a check: of the rule that
// was broken, at the endpoint where the client first met it, with the fault as its scenario. The
// check passes where the tests failed.
type Breaches struct {
	Met      int      `json:"met"`               // breaches that changed an answer to the client
	Noticed  int      `json:"noticed"`           // of those, how many made the tests fail
	NotMet   int      `json:"not_met"`           // breaches that were there, and changed no answer
	Untried  []string `json:"untried,omitempty"` // faults for which there was no time
	Earlier  int      `json:"earlier"`           // of those noticed, how many an earlier report showed
	MinScore float64  `json:"min_score,omitempty"`
}

// Score is the share of the breaches that were noticed, in percent; 100 where none was met.
func (b *Breaches) Score() float64 {
	if b.Met == 0 {
		return 100
	}
	return 100 * float64(b.Noticed) / float64(b.Met)
}

// bounds are between what the score can be once the breaches are tried for which there was no time: none of them is
// noticed, or all are.
func (b *Breaches) bounds() (lowest, highest float64) {
	all := *b
	all.Met += len(b.Untried)
	lowest = all.Score()
	all.Noticed += len(b.Untried)
	return lowest, all.Score()
}

// String is the result in a sentence.
func (b *Breaches) String() string {
	switch {
	case b.Met == 0 && len(b.Untried) > 0:
		return "no breach was tried: there was no time"
	case b.Met == 0:
		return "no breach changed an answer to the tests"
	}
	breaches := fmt.Sprintf("%d breaches", b.Met)
	if b.Met == 1 {
		breaches = "1 breach"
	}
	said := fmt.Sprintf("of %s that the tests could have met they notice %d: a score of %.0f%%", breaches, b.Noticed, b.Score())
	if len(b.Untried) > 0 {
		said += fmt.Sprintf(" without %d that were not tried", len(b.Untried))
	}
	return said
}

// SetBreaches judges the rules by what was noticed: unseen breaches warn, and fail where the score is too low. There is
// no verdict while breaches that were not tried decide whether it is.
func (r *Report) SetBreaches(b *Breaches) {
	r.Client.Breaches = b
	unseen := Warn
	lowest, highest := b.bounds()
	switch {
	case highest < b.MinScore:
		unseen = Fail
	case lowest < b.MinScore:
		tried := b.Met + b.NotMet
		r.End(fmt.Sprintf("%d of %d breaches were tried in the budget: no verdict on the score", tried, tried+len(b.Untried)), TimeUp)
	}
	for _, check := range r.EachCheck() {
		if check.FoundBroken() {
			check.Status = unseen
		}
	}
	r.Summarize()
}

// Unseen are the rules of which the tests did not notice a breach.
func (r *Report) Unseen() []string {
	var all []string
	for _, rule := range r.Rules {
		if slices.ContainsFunc(rule.Checks, func(c Check) bool { return c.FoundBroken() }) {
			all = append(all, rule.ID)
		}
	}
	return all
}
