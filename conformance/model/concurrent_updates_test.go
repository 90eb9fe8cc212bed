package model

import "testing"

// TestAConcurrentUpdateIsLostWhereNoAnswerShowsBoth has two updates of one user at the same time, of a target that
// may keep emails in lower case: the later answer must show what both changed, in the form in which it is kept.
func TestAConcurrentUpdateIsLostWhereNoAnswerShowsBoth(t *testing.T) {
	sent := [2]Fields{{"email": "Ann@Example.com"}, {"first_name": "Ann"}}
	for name, test := range map[string]struct {
		lowers Tri
		later  Fields // what the later answer shows
		lost   bool
	}{
		"as they were sent":               {No, Fields{"email": "Ann@Example.com", "first_name": "Ann"}, false},
		"an email in lower case":          {Unknown, Fields{"email": "ann@example.com", "first_name": "Ann"}, false},
		"an email in lower case, at once": {No, Fields{"email": "ann@example.com", "first_name": "Ann"}, true},
		"without the other's change":      {Unknown, Fields{"email": "old@example.com", "first_name": "Ann"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			play := &run{application: newApplication(0, Choices{KeepsUser: Yes, LowersEmails: test.lowers})}
			update := func(changed, shown Fields) *concurrentOp {
				return &concurrentOp{op: Op{Kind: Edit}, write: write{request: Request{Body: changed}}, answer: Response{Status: 201, Body: shown}}
			}
			play.judgeLostUpdate(update(sent[0], Fields{"email": "Ann@Example.com", "first_name": "old"}), update(sent[1], test.later))
			if play.lost != test.lost {
				t.Errorf("told as lost: %t, want %t", play.lost, test.lost)
			}
		})
	}
}
