package model

import "slices"

// concurrentPairs draws rounds of two operations that are sent concurrently and may take effect in
// either order. All rounds use the same few users, except those in which one is deleted. Once each
// pair has had its round, the pairs are sent the other way round.
func concurrentPairs(seed uint64, rounds int) []Story {
	d := newDrawer(seed, "at once")
	begin := []Op{{Kind: Follow, A: 2, B: 1}, {Kind: Post, A: 1, V: d.values()}}
	pairs, undeleted := pairsAtOnce(), Story{Values: d.values(), Name: "at once", Slots: 3, Ops: slices.Clone(begin), Brief: true}
	for i := range rounds {
		pair := pairs[i%len(pairs)]
		if pair[0].AtOnce, pair[1].V = true, d.values(); pair[0].Kind != Audit {
			pair[0].V = d.values()
		}
		before := d.before(pair)
		if i/len(pairs)%2 == 1 {
			pair[0], pair[1] = pair[1], pair[0]
			pair[0].AtOnce, pair[1].AtOnce = true, false
		}
		undeleted.Ops = slices.Concat(undeleted.Ops, before, pair[:])
	}
	undeleted.Ops = append(undeleted.Ops, Op{Kind: Audit, A: 2, V: auditOthers})
	stories := append([]Story{undeleted}, d.atOnceWithDeletion(begin)...)
	return append(stories, Story{Values: d.values(), Name: "at once at creation", Slots: 4, Ops: []Op{
		{Kind: Join, A: 0, V: 1, AtOnce: true}, {Kind: Join, A: 1, V: 1}, {Kind: Join, A: 2, AtOnce: true}, {Kind: Join, A: 3},
		{Kind: LogIn, A: 0}, {Kind: LogIn, A: 1}, {Kind: LogIn, A: 2}, {Kind: LogIn, A: 3}}})
}

// pairsAtOnce are operations that are sent concurrently, by kinds and users.
func pairsAtOnce() [][2]Op {
	return [][2]Op{
		{{Kind: Change, A: 1}, {Kind: Change, A: 1}},
		{{Kind: Edit, A: 1}, {Kind: Edit, A: 1}},
		{{Kind: Follow, A: 0, B: 1}, {Kind: End, A: 0, B: 1}},
		{{Kind: Follow, A: 0, B: 1}, {Kind: Post, A: 1}},
		{{Kind: Follow, A: 0, B: 1}, {Kind: Follow, A: 0, B: 1}},
		{{Kind: Post, A: 1}, {Kind: Post, A: 1}},
		{{Kind: Change, A: 1}, {Kind: Remove, A: 1}},
		{{Kind: Ask, A: 0, B: 2}, {Kind: Ask, A: 2, B: 0}},
		{{Kind: End, A: 2, B: 1}, {Kind: Post, A: 1}},
		{{Kind: Remove, A: 1}, {Kind: Remove, A: 1}},
		{{Kind: LogOut, A: 1}, {Kind: Post, A: 1}},
		{{Kind: LogOut, A: 1}, {Kind: LogOut, A: 1}},
		{{Kind: LogIn, A: 0}, {Kind: LogIn, A: 1}},
		{{Kind: End, A: 2, B: 1}, {Kind: End, A: 2, B: 0}},
		{{Kind: Follow, A: 0, B: 1}, {Kind: Follow, A: 2, B: 1}},
		{{Kind: LogOut, A: 1}, {Kind: LogOut, A: 1, C: 1}},
		{{Kind: Audit, A: 2, V: auditOwnFeed}, {Kind: Post, A: 1}},
		{{Kind: Audit, A: 1, V: auditOwnRecord}, {Kind: Edit, A: 1}},
		{{Kind: LogIn, A: 1}, {Kind: Edit, A: 1}},
		{{Kind: Edit, A: 1}, {Kind: Follow, A: 1, B: 2}},
		{{Kind: Follow, A: 0, B: 1}, {Kind: Follow, A: 0, B: 2}},
		{{Kind: Follow, A: 0, B: 1}, {Kind: Follow, A: 1, B: 0}},
		{{Kind: End, A: 2, B: 1}, {Kind: Follow, A: 2, B: 0}},
		{{Kind: End, A: 2, B: 1}, {Kind: Edit, A: 2}},
		{{Kind: Edit, A: 1}, {Kind: Follow, A: 0, B: 1}},
		{{Kind: Post, A: 1}, {Kind: Remove, A: 1}},
		{{Kind: Follow, A: 0, B: 1}, {Kind: Remove, A: 1}},
		{{Kind: Follow, A: 0, B: 1}, {Kind: Change, A: 1}},
		{{Kind: Remove, A: 1}, {Kind: Edit, A: 1}},
		{{Kind: End, A: 2, B: 1}, {Kind: Change, A: 1}},
	}
}

// before draws the operations that a pair needs to have happened.
func (d drawer) before(pair [2]Op) []Op {
	switch {
	case pair[0].Kind == Ask:
		return []Op{{Kind: Part, A: 0, B: 2}}
	case pair[0].Kind == Follow && pair[1].Kind == Remove: // by who does not follow yet
		return []Op{{Kind: End, A: 0, B: 1}, {Kind: Post, A: 1, V: d.values()}}
	case pair[1].Kind == Remove:
		return []Op{{Kind: Post, A: 1, V: d.values()}} // so that there is one
	case pair[0].Kind == Follow && pair[1].Kind == Change:
		return []Op{{Kind: End, A: 0, B: 1}}
	case pair[0].Kind == End && pair[1].Kind == Follow:
		return []Op{{Kind: Follow, A: 2, B: 1}, {Kind: End, A: 2, B: 0}}
	case pair[1].Kind == Follow: // so that it is a new one
		return []Op{{Kind: End, A: 0, B: 1}, {Kind: End, A: pair[1].A, B: pair[1].B}}
	case pair[1].Kind == End && pair[0].Kind == End:
		return []Op{{Kind: Follow, A: 2, B: 1}, {Kind: Follow, A: 2, B: 0}}
	case pair[0].Kind == End:
		return []Op{{Kind: Follow, A: 2, B: 1}}
	case pair[1].Kind == LogOut && pair[1].C > 0:
		return []Op{{Kind: LogIn, A: 1}, {Kind: LogIn, A: 1}}
	}
	return nil
}

// atOnceWithDeletion draws stories in which an operation and the deletion of a user are sent concurrently.
func (d drawer) atOnceWithDeletion(begin []Op) []Story {
	beforeDeletion := []Op{{Kind: Post, A: 1, V: d.values()}, {Kind: Follow, A: 0, B: 1}, {Kind: Change, A: 1, V: d.values()}, {Kind: LogIn, A: 1}, {Kind: Leave, A: 0},
		{Kind: Leave, A: 1}, {Kind: Edit, A: 1}, {Kind: Audit, A: 0, V: auditOwnFeed}}
	d.Shuffle(len(beforeDeletion), func(i, j int) { beforeDeletion[i], beforeDeletion[j] = beforeDeletion[j], beforeDeletion[i] })
	var stories []Story
	for _, op := range beforeDeletion {
		before := slices.Clone(begin)
		if op.Kind == Leave { // with events that one reader has in its feed, too
			before = append(before, Op{Kind: Follow, A: 2, B: op.A}, Op{Kind: Post, A: op.A, V: d.values()})
		}
		op.AtOnce = true
		stories = append(stories, Story{Values: d.values(), Name: "at once with a deletion", Slots: 3, Brief: true, Ops: append(before, op, Op{Kind: Leave, A: 1})})
	}
	return stories
}
