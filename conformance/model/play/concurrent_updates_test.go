package play

import (
	"testing"

	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
)

// TestAConcurrentUpdateIsLostWhereNoAnswerShowsBoth has two updates of one user at the same time, of a target that
// may keep emails in lower case: the later answer must show what both changed, in the form in which it is kept.
func TestAConcurrentUpdateIsLostWhereNoAnswerShowsBoth(t *testing.T) {
	sent := [2]value.Fields{{"email": "Ann@Example.com"}, {"first_name": "Ann"}}
	for name, test := range map[string]struct {
		lowers leeway.Tri
		later  value.Fields // what the later answer shows
		lost   bool
	}{
		"as they were sent":               {leeway.No, value.Fields{"email": "Ann@Example.com", "first_name": "Ann"}, false},
		"an email in lower case":          {leeway.Unknown, value.Fields{"email": "ann@example.com", "first_name": "Ann"}, false},
		"an email in lower case, at once": {leeway.No, value.Fields{"email": "ann@example.com", "first_name": "Ann"}, true},
		"without the other's change":      {leeway.Unknown, value.Fields{"email": "old@example.com", "first_name": "Ann"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			play := &run{application: newApplication(0, leeway.Choices{KeepsUser: leeway.Yes, LowersEmails: test.lowers})}
			update := func(changed, shown value.Fields) *concurrentOp {
				return &concurrentOp{op: story.Op{Kind: story.Edit}, write: write{request: exchange.Request{Body: changed}}, answer: exchange.Response{Status: 201, Body: shown}}
			}
			play.judgeLostUpdate(update(sent[0], value.Fields{"email": "Ann@Example.com", "first_name": "old"}), update(sent[1], test.later))
			if play.lost != test.lost {
				t.Errorf("told as lost: %t, want %t", play.lost, test.lost)
			}
		})
	}
}
