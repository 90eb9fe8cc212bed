package conformance_test

import (
	"fmt"
	"slices"
	"testing"

	. "github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestAnyActorsHaveNotMet has scenarios whose users all post: who may be anybody is one of them, but
// no two who were together before, and who must be new is.
func TestAnyActorsHaveNotMet(t *testing.T) {
	met := map[[2]string]bool{} // who was in one scenario
	known, again := map[string]bool{}, 0
	together := func(s *T) {
		anybody := []*Actor{s.AnyActor(), s.AnyActor()}
		fresh := s.Actor()
		if known[fresh.ID.String()] {
			t.Error("who must be new is another scenario's user")
		}
		pair := [2]string{anybody[0].ID.String(), anybody[1].ID.String()}
		slices.Sort(pair[:])
		if met[pair] {
			t.Error("two who were together before are so again")
		}
		met[pair] = true
		for _, a := range append(anybody, fresh) {
			if known[a.ID.String()] {
				again++
			}
			known[a.ID.String()] = true
			a.Post(nil)
		}
	}
	config := newFake(t).config()
	config.Jobs = 1
	judged(t, config, func(s *Suite) {
		for i, rule := range []string{"users.me.get", "users.get.other", "users.create.status", "users.create.body", "feed.status", "feed.empty"} {
			s.Scenario(fmt.Sprintf("scenario %d", i), Covers(rule), func(t *T) {
				together(t)
				t.Judge(rule, func(c *Check) { c.Status(t.Send(t.AppOnly(), rules.GetMe), OneOf(401)) })
			})
		}
	})
	if again == 0 {
		t.Error("nobody was used by two scenarios")
	}
}
