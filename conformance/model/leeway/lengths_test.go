package leeway

import (
	"testing"

	"github.com/socialfeed/conform/conformance/rules"
)

// TestShortPagesAreNoLosses looks at a list that lacks a user: a target that was never seen to show more
// than a short page may cut it, another may not.
func TestShortPagesAreNoLosses(t *testing.T) {
	for longest, cut := range map[int]bool{0: true, shortPage: true, shortPage + 1: false, PromisedLength + 5: false} {
		l := NewLengths()
		l.Saw(rules.FollowsOf, longest)
		if got := l.MayBeCut(rules.MyFollowers, shortPage); got != cut {
			t.Errorf("after a list of %d, one of %d may be cut: %v", longest, shortPage, got)
		}
		if l.MayBeCut(rules.MyFollowers, shortPage-1) || l.MayBeCut(rules.MyFollowers, shortPage+1) || !l.MayBeCut(rules.MyFollowers, PromisedLength) {
			t.Errorf("after a list of %d, other lists are cut otherwise", longest)
		}
	}
	var none *Lengths
	if none.MayBeCut(rules.Feed, shortPage) || !none.MayBeCut(rules.Feed, PromisedLength) || none.MayPushOut(100) {
		t.Error("without knowledge, a list is cut at more than what is expected of every server")
	}
}
