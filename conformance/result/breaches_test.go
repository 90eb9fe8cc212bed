package result

import "testing"

// TestAPartOfTheBreachesIsNoScore tries some of ten breaches: there is a verdict on the score only where the
// others cannot change it.
func TestAPartOfTheBreachesIsNoScore(t *testing.T) {
	for name, tt := range map[string]struct {
		tried, noticed, unmet, untried int
		want                           Verdict
		endedBy                        string
	}{
		"all were tried, and enough noticed":      {tried: 10, noticed: 8, want: Conformant},
		"all were tried, and too few noticed":     {tried: 10, noticed: 7, want: NonConformant},
		"the others decide":                       {tried: 4, noticed: 4, untried: 6, want: Incomplete, endedBy: "4 of 10 breaches were tried in the budget: no verdict on the score"},
		"one that changed no answer was tried":    {tried: 3, noticed: 3, unmet: 1, untried: 6, want: Incomplete, endedBy: "4 of 10 breaches were tried in the budget: no verdict on the score"},
		"none was tried":                          {untried: 10, want: Incomplete, endedBy: "0 of 10 breaches were tried in the budget: no verdict on the score"},
		"enough are noticed whatever the others":  {tried: 9, noticed: 8, untried: 1, want: Conformant},
		"too many are unseen whatever the others": {tried: 4, noticed: 1, untried: 6, want: NonConformant},
	} {
		b := &Breaches{Met: tt.tried, Noticed: tt.noticed, NotMet: tt.unmet, Untried: make([]string, tt.untried), MinScore: 80}
		r := &Report{Client: &Client{}, Rules: []Rule{{ID: "feed.order", Level: "must", Checks: []Check{{Status: Warn}}}}}
		if r.SetBreaches(b); r.Verdict != tt.want || r.EndedBy != tt.endedBy {
			t.Errorf("%s: %s, ended by %q; want %s, %q", name, r.Verdict, r.EndedBy, tt.want, tt.endedBy)
		}
		b.MinScore = 0
		r = &Report{Client: &Client{}}
		if r.SetBreaches(b); r.Verdict != Conformant {
			t.Errorf("%s, without a wanted score: %s", name, r.Verdict)
		}
	}
}
