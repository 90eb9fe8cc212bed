package model

import "slices"

// concurrentPairs draws rounds of two operations that are sent concurrently and may take effect in
// either order. All rounds use the same few users, except those in which one is deleted. Once each
// pair has had its round, the pairs are sent the other way round.
func concurrentPairs(seed uint64, rounds int) []Story {
	d := newGenerator(seed, "at once")
	begin := []Op{{Kind: Follow, Actor: 2, Other: 1}, {Kind: Post, Actor: 1, Values: d.values()}}
	pairs, undeleted := pairsAtOnce(), Story{Values: d.values(), Name: "at once", Slots: 3, Ops: slices.Clone(begin), ShortAudit: true}
	for i := range rounds {
		pair := pairs[i%len(pairs)]
		pair[1] = d.varied(pair[1])
		if pair[0].Kind != Audit {
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
	undeleted.Ops = append(undeleted.Ops, Op{Kind: Audit, Actor: 2, Extent: AuditOthers})
	stories := append([]Story{undeleted}, d.atOnceWithDeletion(begin)...)
	return append(stories, Story{Values: d.values(), Name: "at once at creation", Slots: 4, Ops: []Op{
		{Kind: Join, Actor: 0, WithoutLogin: true, AtOnce: true}, {Kind: Join, Actor: 1, WithoutLogin: true}, {Kind: Join, Actor: 2, AtOnce: true}, {Kind: Join, Actor: 3},
		{Kind: LogIn, Actor: 0}, {Kind: LogIn, Actor: 1}, {Kind: LogIn, Actor: 2}, {Kind: LogIn, Actor: 3}}})
}

// varied returns an operation with values of its own.
func (d generator) varied(o Op) Op { return newOp(o.Kind, o.Actor, o.Other, o.Session, d.values()) }

// pairsAtOnce are operations that are sent concurrently, by kinds and users.
func pairsAtOnce() [][2]Op {
	return [][2]Op{
		{{Kind: Change, Actor: 1}, {Kind: Change, Actor: 1}},
		{{Kind: Edit, Actor: 1}, {Kind: Edit, Actor: 1}},
		{{Kind: Follow, Actor: 0, Other: 1}, {Kind: End, Actor: 0, Other: 1}},
		{{Kind: Follow, Actor: 0, Other: 1}, {Kind: Post, Actor: 1}},
		{{Kind: Follow, Actor: 0, Other: 1}, {Kind: Follow, Actor: 0, Other: 1}},
		{{Kind: Post, Actor: 1}, {Kind: Post, Actor: 1}},
		{{Kind: Change, Actor: 1}, {Kind: Remove, Actor: 1}},
		{{Kind: RequestFriend, Actor: 0, Other: 2}, {Kind: RequestFriend, Actor: 2, Other: 0}},
		{{Kind: End, Actor: 2, Other: 1}, {Kind: Post, Actor: 1}},
		{{Kind: Remove, Actor: 1}, {Kind: Remove, Actor: 1}},
		{{Kind: LogOut, Actor: 1}, {Kind: Post, Actor: 1}},
		{{Kind: LogOut, Actor: 1}, {Kind: LogOut, Actor: 1}},
		{{Kind: LogIn, Actor: 0}, {Kind: LogIn, Actor: 1}},
		{{Kind: End, Actor: 2, Other: 1}, {Kind: End, Actor: 2, Other: 0}},
		{{Kind: Follow, Actor: 0, Other: 1}, {Kind: Follow, Actor: 2, Other: 1}},
		{{Kind: LogOut, Actor: 1}, {Kind: LogOut, Actor: 1, Session: 1}},
		{{Kind: Audit, Actor: 2, Extent: AuditOwnFeed}, {Kind: Post, Actor: 1}},
		{{Kind: Audit, Actor: 1, Extent: AuditOwnRecord}, {Kind: Edit, Actor: 1}},
		{{Kind: LogIn, Actor: 1}, {Kind: Edit, Actor: 1}},
		{{Kind: Edit, Actor: 1}, {Kind: Follow, Actor: 1, Other: 2}},
		{{Kind: Follow, Actor: 0, Other: 1}, {Kind: Follow, Actor: 0, Other: 2}},
		{{Kind: Follow, Actor: 0, Other: 1}, {Kind: Follow, Actor: 1, Other: 0}},
		{{Kind: End, Actor: 2, Other: 1}, {Kind: Follow, Actor: 2, Other: 0}},
		{{Kind: End, Actor: 2, Other: 1}, {Kind: Edit, Actor: 2}},
		{{Kind: Edit, Actor: 1}, {Kind: Follow, Actor: 0, Other: 1}},
		{{Kind: Post, Actor: 1}, {Kind: Remove, Actor: 1}},
		{{Kind: Follow, Actor: 0, Other: 1}, {Kind: Remove, Actor: 1}},
		{{Kind: Follow, Actor: 0, Other: 1}, {Kind: Change, Actor: 1}},
		{{Kind: Remove, Actor: 1}, {Kind: Edit, Actor: 1}},
		{{Kind: End, Actor: 2, Other: 1}, {Kind: Change, Actor: 1}},
	}
}

// before draws the operations that a pair needs to have happened.
func (d generator) before(pair [2]Op) []Op {
	switch {
	case pair[0].Kind == RequestFriend:
		return []Op{{Kind: DisconnectBoth, Actor: 0, Other: 2}}
	case pair[0].Kind == Follow && pair[1].Kind == Remove: // by who does not follow yet
		return []Op{{Kind: End, Actor: 0, Other: 1}, {Kind: Post, Actor: 1, Values: d.values()}}
	case pair[1].Kind == Remove:
		return []Op{{Kind: Post, Actor: 1, Values: d.values()}} // so that there is one
	case pair[0].Kind == Follow && pair[1].Kind == Change:
		return []Op{{Kind: End, Actor: 0, Other: 1}}
	case pair[0].Kind == End && pair[1].Kind == Follow:
		return []Op{{Kind: Follow, Actor: 2, Other: 1}, {Kind: End, Actor: 2, Other: 0}}
	case pair[1].Kind == Follow: // so that it is a new one
		return []Op{{Kind: End, Actor: 0, Other: 1}, {Kind: End, Actor: pair[1].Actor, Other: pair[1].Other}}
	case pair[1].Kind == End && pair[0].Kind == End:
		return []Op{{Kind: Follow, Actor: 2, Other: 1}, {Kind: Follow, Actor: 2, Other: 0}}
	case pair[0].Kind == End:
		return []Op{{Kind: Follow, Actor: 2, Other: 1}}
	case pair[1].Kind == LogOut && pair[1].Session > 0:
		return []Op{{Kind: LogIn, Actor: 1}, {Kind: LogIn, Actor: 1}}
	}
	return nil
}

// atOnceWithDeletion draws stories in which an operation and the deletion of a user are sent concurrently.
func (d generator) atOnceWithDeletion(begin []Op) []Story {
	beforeDeletion := []Op{{Kind: Post, Actor: 1, Values: d.values()}, {Kind: Follow, Actor: 0, Other: 1}, {Kind: Change, Actor: 1, Values: d.values()}, {Kind: LogIn, Actor: 1}, {Kind: DeleteUser, Actor: 0},
		{Kind: DeleteUser, Actor: 1}, {Kind: Edit, Actor: 1}, {Kind: Audit, Actor: 0, Extent: AuditOwnFeed}}
	d.Shuffle(len(beforeDeletion), func(i, j int) { beforeDeletion[i], beforeDeletion[j] = beforeDeletion[j], beforeDeletion[i] })
	var stories []Story
	for _, op := range beforeDeletion {
		before := slices.Clone(begin)
		if op.Kind == DeleteUser { // with events that one reader has in its feed, too
			before = append(before, Op{Kind: Follow, Actor: 2, Other: op.Actor}, Op{Kind: Post, Actor: op.Actor, Values: d.values()})
		}
		op.AtOnce = true
		stories = append(stories, Story{Values: d.values(), Name: "at once with a deletion", Slots: 3, ShortAudit: true, Ops: append(before, op, Op{Kind: DeleteUser, Actor: 1})})
	}
	return stories
}
