package play

import (
	"context"
	"testing"

	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/rules"
)

// endingSessions is a target on which connecting by social ids, which may update the user, ends all
// sessions of the user.
type endingSessions struct{ *fake }

func (e endingSessions) Do(ctx context.Context, r exchange.Request) (exchange.Response, error) {
	answer, err := e.fake.Do(ctx, r)
	if r.Endpoint == rules.ConnectSocial && answer.OK() {
		e.fake.mu.Lock()
		defer e.fake.mu.Unlock()
		e.fake.bySession(r.Session).tokens = nil
	}
	return answer, err
}

// TestASessionEndedWithAnotherIsNoFaultOfItsLogin has a session end, unused, with the one that was used.
func TestASessionEndedWithAnotherIsNoFaultOfItsLogin(t *testing.T) {
	choices := dialect{}.choices()
	choices.UpdateKeeps = leeway.No
	s := story.Story{Name: "sessions", Slots: 2, Plain: true, Compare: story.CompareAfterEach,
		Ops: []story.Op{{Kind: story.Post, Actor: 1}, {Kind: story.Audit, Actor: 0, Extent: story.AuditOwnRecord}, {Kind: story.LogIn, Actor: 0, ByEmail: true}, {Kind: story.ConnectBySocialID, Actor: 0, Other: 1, AsFriend: true}, {Kind: story.Audit, Actor: 0, Extent: story.AuditOwnRecord}}}
	for range 4 {
		outcome, err := NewPlayer(endingSessions{newFake(dialect{}, "")}, Options{Choices: choices, Pause: noPause}).Play(t.Context(), s)
		if err != nil || len(outcome.Differences) > 0 {
			t.Errorf("it shows %v (%v)", outcome.Differences, err)
		}
		s.Ops = append([]story.Op{{Kind: story.Post, Actor: 1}}, s.Ops...) // which session is read in depends on the step
	}
}
