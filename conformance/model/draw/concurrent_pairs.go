package draw

import (
	"slices"

	"github.com/socialfeed/conform/conformance/model/story"
)

// ConcurrentPairs draws rounds of two operations that are sent concurrently and may take effect in
// either order. All rounds use the same few users, except those in which one is deleted. Once each
// pair has had its round, the pairs are sent the other way round.
func ConcurrentPairs(seed uint64, rounds int) []story.Story {
	d := newGenerator(seed, "at once")
	begin := []story.Op{{Kind: story.Follow, Actor: 2, Other: 1}, {Kind: story.Post, Actor: 1, Values: d.values()}}
	pairs, undeleted := pairsAtOnce(), story.Story{Values: d.values(), Name: "at once", Slots: 3, Ops: slices.Clone(begin), ShortAudit: true}
	for i := range rounds {
		pair := pairs[i%len(pairs)]
		pair[1] = d.varied(pair[1])
		if pair[0].Kind != story.Audit {
			pair[0] = d.varied(pair[0])
		}
		pair[0].AtOnce = true
		before := d.before(pair)
		if i/len(pairs)%2 == 1 {
			pair[0], pair[1] = pair[1], pair[0]
			pair[0].AtOnce, pair[1].AtOnce = true, false
		}
		undeleted.Ops = slices.Concat(undeleted.Ops, before, pair[:])
	}
	undeleted.Ops = append(undeleted.Ops, story.Op{Kind: story.Audit, Actor: 2, Extent: story.AuditOthers})
	stories := append([]story.Story{undeleted}, d.atOnceWithDeletion(begin)...)
	return append(stories, story.Story{Values: d.values(), Name: "at once at creation", Slots: 4, Ops: []story.Op{
		{Kind: story.Join, Actor: 0, WithoutLogin: true, AtOnce: true}, {Kind: story.Join, Actor: 1, WithoutLogin: true}, {Kind: story.Join, Actor: 2, AtOnce: true}, {Kind: story.Join, Actor: 3},
		{Kind: story.LogIn, Actor: 0}, {Kind: story.LogIn, Actor: 1}, {Kind: story.LogIn, Actor: 2}, {Kind: story.LogIn, Actor: 3}}})
}

// varied returns an operation with values of its own.
func (d generator) varied(o story.Op) story.Op {
	return story.NewOp(o.Kind, o.Actor, o.Other, o.Session, d.values())
}

// pairsAtOnce are operations that are sent concurrently, by kinds and users.
func pairsAtOnce() [][2]story.Op {
	return [][2]story.Op{
		{{Kind: story.Change, Actor: 1}, {Kind: story.Change, Actor: 1}},
		{{Kind: story.Edit, Actor: 1}, {Kind: story.Edit, Actor: 1}},
		{{Kind: story.Follow, Actor: 0, Other: 1}, {Kind: story.End, Actor: 0, Other: 1}},
		{{Kind: story.Follow, Actor: 0, Other: 1}, {Kind: story.Post, Actor: 1}},
		{{Kind: story.Follow, Actor: 0, Other: 1}, {Kind: story.Follow, Actor: 0, Other: 1}},
		{{Kind: story.Post, Actor: 1}, {Kind: story.Post, Actor: 1}},
		{{Kind: story.Change, Actor: 1}, {Kind: story.Remove, Actor: 1}},
		{{Kind: story.RequestFriend, Actor: 0, Other: 2}, {Kind: story.RequestFriend, Actor: 2, Other: 0}},
		{{Kind: story.End, Actor: 2, Other: 1}, {Kind: story.Post, Actor: 1}},
		{{Kind: story.Remove, Actor: 1}, {Kind: story.Remove, Actor: 1}},
		{{Kind: story.LogOut, Actor: 1}, {Kind: story.Post, Actor: 1}},
		{{Kind: story.LogOut, Actor: 1}, {Kind: story.LogOut, Actor: 1}},
		{{Kind: story.LogIn, Actor: 0}, {Kind: story.LogIn, Actor: 1}},
		{{Kind: story.End, Actor: 2, Other: 1}, {Kind: story.End, Actor: 2, Other: 0}},
		{{Kind: story.Follow, Actor: 0, Other: 1}, {Kind: story.Follow, Actor: 2, Other: 1}},
		{{Kind: story.LogOut, Actor: 1}, {Kind: story.LogOut, Actor: 1, Session: 1}},
		{{Kind: story.Audit, Actor: 2, Extent: story.AuditOwnFeed}, {Kind: story.Post, Actor: 1}},
		{{Kind: story.Audit, Actor: 1, Extent: story.AuditOwnRecord}, {Kind: story.Edit, Actor: 1}},
		{{Kind: story.LogIn, Actor: 1}, {Kind: story.Edit, Actor: 1}},
		{{Kind: story.Edit, Actor: 1}, {Kind: story.Follow, Actor: 1, Other: 2}},
		{{Kind: story.Follow, Actor: 0, Other: 1}, {Kind: story.Follow, Actor: 0, Other: 2}},
		{{Kind: story.Follow, Actor: 0, Other: 1}, {Kind: story.Follow, Actor: 1, Other: 0}},
		{{Kind: story.End, Actor: 2, Other: 1}, {Kind: story.Follow, Actor: 2, Other: 0}},
		{{Kind: story.End, Actor: 2, Other: 1}, {Kind: story.Edit, Actor: 2}},
		{{Kind: story.Edit, Actor: 1}, {Kind: story.Follow, Actor: 0, Other: 1}},
		{{Kind: story.Post, Actor: 1}, {Kind: story.Remove, Actor: 1}},
		{{Kind: story.Follow, Actor: 0, Other: 1}, {Kind: story.Remove, Actor: 1}},
		{{Kind: story.Follow, Actor: 0, Other: 1}, {Kind: story.Change, Actor: 1}},
		{{Kind: story.Remove, Actor: 1}, {Kind: story.Edit, Actor: 1}},
		{{Kind: story.End, Actor: 2, Other: 1}, {Kind: story.Change, Actor: 1}},
	}
}

// before draws the operations that a pair needs to have happened.
func (d generator) before(pair [2]story.Op) []story.Op {
	switch {
	case pair[0].Kind == story.RequestFriend:
		return []story.Op{{Kind: story.DisconnectBoth, Actor: 0, Other: 2}}
	case pair[0].Kind == story.Follow && pair[1].Kind == story.Remove: // by who does not follow yet
		return []story.Op{{Kind: story.End, Actor: 0, Other: 1}, {Kind: story.Post, Actor: 1, Values: d.values()}}
	case pair[1].Kind == story.Remove:
		return []story.Op{{Kind: story.Post, Actor: 1, Values: d.values()}} // so that there is one
	case pair[0].Kind == story.Follow && pair[1].Kind == story.Change:
		return []story.Op{{Kind: story.End, Actor: 0, Other: 1}}
	case pair[0].Kind == story.End && pair[1].Kind == story.Follow:
		return []story.Op{{Kind: story.Follow, Actor: 2, Other: 1}, {Kind: story.End, Actor: 2, Other: 0}}
	case pair[1].Kind == story.Follow: // so that it is a new one
		return []story.Op{{Kind: story.End, Actor: 0, Other: 1}, {Kind: story.End, Actor: pair[1].Actor, Other: pair[1].Other}}
	case pair[1].Kind == story.End && pair[0].Kind == story.End:
		return []story.Op{{Kind: story.Follow, Actor: 2, Other: 1}, {Kind: story.Follow, Actor: 2, Other: 0}}
	case pair[0].Kind == story.End:
		return []story.Op{{Kind: story.Follow, Actor: 2, Other: 1}}
	case pair[1].Kind == story.LogOut && pair[1].Session > 0:
		return []story.Op{{Kind: story.LogIn, Actor: 1}, {Kind: story.LogIn, Actor: 1}}
	}
	return nil
}

// atOnceWithDeletion draws stories in which an operation and the deletion of a user are sent concurrently.
func (d generator) atOnceWithDeletion(begin []story.Op) []story.Story {
	beforeDeletion := []story.Op{{Kind: story.Post, Actor: 1, Values: d.values()}, {Kind: story.Follow, Actor: 0, Other: 1}, {Kind: story.Change, Actor: 1, Values: d.values()}, {Kind: story.LogIn, Actor: 1}, {Kind: story.DeleteUser, Actor: 0},
		{Kind: story.DeleteUser, Actor: 1}, {Kind: story.Edit, Actor: 1}, {Kind: story.Audit, Actor: 0, Extent: story.AuditOwnFeed}}
	d.Shuffle(len(beforeDeletion), func(i, j int) { beforeDeletion[i], beforeDeletion[j] = beforeDeletion[j], beforeDeletion[i] })
	var stories []story.Story
	for _, op := range beforeDeletion {
		before := slices.Clone(begin)
		if op.Kind == story.DeleteUser { // with events that one reader has in its feed, too
			before = append(before, story.Op{Kind: story.Follow, Actor: 2, Other: op.Actor}, story.Op{Kind: story.Post, Actor: op.Actor, Values: d.values()})
		}
		op.AtOnce = true
		stories = append(stories, story.Story{Values: d.values(), Name: "at once with a deletion", Slots: 3, ShortAudit: true, Ops: append(before, op, story.Op{Kind: story.DeleteUser, Actor: 1})})
	}
	return stories
}
