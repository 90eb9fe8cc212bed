package model

import "testing"

// TestAuditsOfUsersWhoLeft plays each audit where one of its users has left: a story may be drawn so,
// and what becomes of a user before an audit is no reason to blame anybody.
func TestAuditsOfUsersWhoLeft(t *testing.T) {
	const one, other = 0, 1
	for kind := range auditOthers + 1 {
		for _, leaver := range []int{one, other} {
			for _, often := range []int{0, 1} {
				story := Story{Name: "audit of who left", Slots: 3, Ops: []Op{{Kind: Follow, A: one, B: other}, {Kind: Post, A: other}, {Kind: Leave, A: leaver}, {Kind: Audit, A: one, B: other, C: often, V: kind}}}
				played, err := NewPlayer(newFake(dialect{}, ""), Options{Choices: dialect{}.choices(), Pause: noPause}).Play(t.Context(), story)
				if err != nil {
					t.Fatal(err)
				}
				for _, found := range played.Differences {
					t.Errorf("audit %d with C %d, user %d left: %s: expected %s, got %s", kind, often, leaver, found.Rule, found.Expected, found.Actual)
				}
			}
		}
	}
}
