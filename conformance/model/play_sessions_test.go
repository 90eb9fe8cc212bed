package model

import (
	"context"
	"testing"

	"github.com/socialfeed/conform/conformance/rules"
)

// endingSessions is a target on which connecting by social ids, which may update the user, ends all
// sessions of the user.
type endingSessions struct{ *fake }

func (e endingSessions) Do(ctx context.Context, r Request) (Response, error) {
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
	choices.UpdateKeeps = No
	story := Story{Name: "sessions", Slots: 2, Plain: true, Compare: CompareAfterEach,
		Ops: []Op{{Kind: Post, Actor: 1}, {Kind: Audit, Actor: 0, Extent: AuditOwnRecord}, {Kind: LogIn, Actor: 0, ByEmail: true}, {Kind: ConnectBySocialID, Actor: 0, Other: 1, AsFriend: true}, {Kind: Audit, Actor: 0, Extent: AuditOwnRecord}}}
	for range 4 {
		outcome, err := NewPlayer(endingSessions{newFake(dialect{}, "")}, Options{Choices: choices, Pause: noPause}).Play(t.Context(), story)
		if err != nil || len(outcome.Differences) > 0 {
			t.Errorf("it shows %v (%v)", outcome.Differences, err)
		}
		story.Ops = append([]Op{{Kind: Post, Actor: 1}}, story.Ops...) // which session is read in depends on the step
	}
}
