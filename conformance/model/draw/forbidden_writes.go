package draw

import "github.com/socialfeed/conform/conformance/model/story"

// ForbiddenWrites draws a story in which users with every connection history to an owner try
// what only the owner may do: change or delete its events, and end its follows.
func ForbiddenWrites(seed uint64) story.Story {
	d := newGenerator(seed, "trespasses")
	const owner, friend, follower = 0, 1, 2
	all := append(connectionHistories(), connectionHistory{name: "friends no more", connect: func(who int) []story.Op {
		return []story.Op{{Kind: story.RequestMutually, Actor: who, Other: owner}, {Kind: story.DisconnectBoth, Actor: who, Other: owner}}
	}}, connectionHistory{name: "followed by the owner", connect: func(who int) []story.Op {
		return []story.Op{{Kind: story.Follow, Actor: owner, Other: who}}
	}})
	const others = 3
	s := story.Story{Values: d.values(), Name: "forbidden writes", Slots: others + len(all), Compare: story.CompareAfterEach, ShortAudit: true, Ops: []story.Op{
		{Kind: story.Post, Actor: owner, Values: d.values()}, {Kind: story.RequestMutually, Actor: friend, Other: owner}, {Kind: story.Follow, Actor: follower, Other: owner}, {Kind: story.Post, Actor: owner, Values: d.values()}}}
	for i, h := range all {
		who := others + i
		if h.connect != nil {
			s.Ops = append(s.Ops, h.connect(who)...)
		}
		s.Ops = append(s.Ops, story.Op{Kind: story.WriteForeign, Actor: who, Other: owner, Event: i}, story.Op{Kind: story.WriteForeign, Actor: who, Other: owner, Event: i, Write: story.DeleteForeignEvent}, story.Op{Kind: story.WriteForeign, Actor: who, Other: owner, Write: story.EndForeignFollow})
	}
	return s
}
