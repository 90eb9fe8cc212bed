package traffic

import (
	"fmt"
	"maps"
	"slices"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// judgeList compares a list of connections with those that are known.
func (s *facts) judgeList(x Observation, objects []value.Fields) {
	id := x.ID
	if x.Endpoint.OwnList() == x.Endpoint {
		id = s.userOf(x)
	}
	owner := s.person(x.App, id)
	if !s.presumed.AllTraffic || owner == nil || !s.stands(owner, x) {
		return
	}
	there := map[string]bool{}
	for _, o := range objects {
		other := value.ID(o["id"])
		there[other] = true
		if them := s.person(x.App, other); other != "" && (them == nil || them.gone.never()) {
			rule, at := blame.List(x.Endpoint)
			s.judgeConnected(x, id, owner, other, rule, at, "connections.delete.removes")
		}
	}
	if !s.keepsTies(owner) || s.checker.lengths.MayBeCut(x.Endpoint, len(objects)) {
		return
	}
	for _, other := range s.mustList(x, id, owner) {
		rule, at := blame.List(x.Endpoint)
		t := owner.asked[other]
		if x.Endpoint.OwnList() == rules.MyFollowers {
			t = s.person(x.App, other).asked[id]
		}
		if !s.keeps(there[other], rule, at) {
			s.blame(rule, at, x, fmt.Sprintf("user %s in the %s of user %s", other, blame.ListName(x.Endpoint), id),
				fmt.Sprintf("a list of %d users without it", len(objects)), t.last)
		}
	}
}

// mustList returns the users who a list certainly has to show.
func (s *facts) mustList(x Observation, id string, owner *knownUser) (listed []string) {
	candidates := maps.Keys(owner.asked)
	if x.Endpoint.OwnList() == rules.MyFollowers {
		candidates = maps.Keys(owner.askedBy)
	}
	for _, other := range slices.Sorted(candidates) {
		them := s.person(x.App, other)
		if other == id || !s.stands(them, x) || !s.keepsTies(them) {
			continue
		}
		asked, back := owner.asked[other], them.asked[id]
		is := false
		switch x.Endpoint.OwnList() {
		case rules.MyFollows:
			is = s.standing(asked, false, x) && ofOneSide(back)
		case rules.MyFollowers:
			is = s.standing(back, false, x) && ofOneSide(asked)
		case rules.MyFriends:
			is = s.standing(asked, true, x) && s.standing(back, true, x) && asked.ended.never() && back.ended.never()
		}
		if is {
			listed = append(listed, other)
		}
	}
	return listed
}

// ofOneSide reports whether a connection leaves alone the one in the other direction: whether the end of a
// friendship is one for both sides is open.
func ofOneSide(t *knownTie) bool { return t == nil || !t.friend && !t.unclear }
