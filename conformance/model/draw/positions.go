package draw

import "github.com/socialfeed/conform/conformance/model/story"

// positions draws a story of users who have several events, follows, friends, followers and sessions, of
// which the first, one in the middle and the last are taken away in turns: the others must stay, and stay usable.
func positions(seed uint64) story.Story {
	const owner, reader, first, several, slots = 0, 1, 2, 3, 5
	d := newGenerator(seed, "positions")
	s := story.Story{Values: d.values(), Name: "first, middle and last", Slots: slots, Compare: story.CompareAfterEach, ShortAudit: true}
	add := func(ops ...story.Op) { s.Ops = append(s.Ops, ops...) }
	add(story.Op{Kind: story.Follow, Actor: reader, Other: owner})
	for range several {
		add(story.Op{Kind: story.Post, Actor: owner, Values: d.values()})
	}
	for which := range several {
		add(story.Op{Kind: story.Remove, Actor: owner, Event: which}, story.Op{Kind: story.Change, Actor: owner, Event: 1, Values: d.values()}, story.Op{Kind: story.Change, Actor: owner, Values: d.values()}, story.Op{Kind: story.Post, Actor: owner, Values: d.values()})
	}
	of := [several]int{first, first + 2, first + 2} // whoever is added again is the last then
	for _, connection := range []func(other int) (made, ended story.Op){
		func(other int) (story.Op, story.Op) {
			return story.Op{Kind: story.Follow, Actor: owner, Other: other}, story.Op{Kind: story.End, Actor: owner, Other: other}
		},
		func(other int) (story.Op, story.Op) {
			return story.Op{Kind: story.Follow, Actor: other, Other: reader}, story.Op{Kind: story.End, Actor: other, Other: reader}
		},
		func(other int) (story.Op, story.Op) {
			return story.Op{Kind: story.RequestMutually, Actor: reader, Other: other}, story.Op{Kind: story.DisconnectBoth, Actor: reader, Other: other}
		},
	} {
		for other := first; other < first+several; other++ {
			made, _ := connection(other)
			add(made)
		}
		for _, other := range of {
			made, ended := connection(other)
			add(ended, story.Op{Kind: story.Audit, Actor: owner, Other: reader, Extent: story.AuditPair}, made)
		}
	}
	for which := range several {
		add(story.Op{Kind: story.LogIn, Actor: owner}, story.Op{Kind: story.LogIn, Actor: owner, ByEmail: true}, story.Op{Kind: story.LogOut, Actor: owner, Session: which}, story.Op{Kind: story.UseEnded, Actor: owner, Variant: d.values()})
	}
	return s
}
