package model

// Slots of stories of two applications: those of the one are even, of the other odd.
const (
	hero        = iota // of the first application
	namesake           // of the second one, called the same
	reader             // of the hero's events
	otherReader        // of the namesake's
	neighbour          // who has nothing to do with either
	otherNeighbour
	inhabitants
)

// ApplicationStories draws stories of two applications of a target, those that find most first.
func ApplicationStories(seed uint64) []Story {
	const length = 40
	d := newDrawer(seed, "applications")
	stories := []Story{d.namesakes(), d.leavers(), d.intruders(), d.renamed()}
	for i := range stories {
		s := &stories[i]
		s.Values, s.Slots, s.Apps, s.Compare, s.Brief = d.values(), inhabitants, 2, CompareAfterEach, true
	}
	stories = append(stories, d.neighbours(length))
	tries := d.values()
	for _, s := range stories { // one endpoint after the other
		for i := range s.Ops {
			if s.Ops[i].Kind == UseElsewhere {
				s.Ops[i].V = tries
				tries++
			}
		}
	}
	return stories
}

// crowded are a hero and a namesake with one reader each.
func (d drawer) crowded() []Op {
	return []Op{{Kind: Post, A: hero, V: d.values()}, {Kind: Follow, A: reader, B: hero}, {Kind: Namesake, A: namesake, B: hero, V: 2*d.values() + d.IntN(2)},
		{Kind: Follow, A: otherReader, B: namesake}, {Kind: Post, A: namesake, V: d.values()}, {Kind: Follow, A: hero, B: neighbour},
		{Kind: Post, A: neighbour, V: d.values()}, {Kind: Follow, A: namesake, B: otherNeighbour}, {Kind: Post, A: otherNeighbour, V: d.values()}}
}

// namesakes draws two users who are called the same and live on, each in its application.
func (d drawer) namesakes() Story {
	ops := append(d.crowded(),
		Op{Kind: Seek, A: neighbour, B: namesake}, Op{Kind: Seek, A: otherNeighbour, B: hero, V: 1}, Op{Kind: Seek, A: otherNeighbour, B: reader, V: 2},
		Op{Kind: LogIn, A: hero}, Op{Kind: LogIn, A: namesake, V: 1}, Op{Kind: LogIn, A: hero, V: 1}, Op{Kind: LogInElsewhere, A: reader, B: namesake}, Op{Kind: LogInElsewhere, A: otherReader, B: hero, V: 1},
		Op{Kind: LogInElsewhere, A: hero, B: namesake}, Op{Kind: LogInElsewhere, A: namesake, B: hero, V: 1},
		Op{Kind: UseElsewhere, A: hero, B: namesake}, Op{Kind: UseElsewhere, A: namesake, B: hero, C: 1},
		Op{Kind: UseElsewhere, A: reader, B: otherReader}, Op{Kind: LogIn, A: reader}, Op{Kind: UseElsewhere, A: reader, B: otherReader},
		Op{Kind: Edit, A: hero, V: d.values()}, Op{Kind: Change, A: namesake, V: d.values()}, Op{Kind: Social, A: neighbour, B: hero}, Op{Kind: Social, A: otherNeighbour, B: namesake, V: 1},
		Op{Kind: LogOut, A: hero}, Op{Kind: UseElsewhere, A: hero, B: namesake}, Op{Kind: LogOut, A: namesake}, Op{Kind: Repassword, A: namesake}, Op{Kind: LogIn, A: hero},
		Op{Kind: Remove, A: hero}, Op{Kind: End, A: reader, B: hero}, Op{Kind: Seek, A: neighbour, B: otherReader, V: 3})
	return Story{Name: "namesakes in two applications", Ops: ops}
}

// leavers draws users who leave one application and are in the other still, or again.
func (d drawer) leavers() Story {
	ops := append(d.crowded(),
		Op{Kind: Leave, A: hero}, Op{Kind: LogInElsewhere, A: hero, B: namesake}, Op{Kind: UseElsewhere, A: hero, B: namesake},
		Op{Kind: Post, A: namesake, V: d.values()}, Op{Kind: LogIn, A: namesake}, Op{Kind: Seek, A: otherReader, B: hero},
		Op{Kind: Return, A: hero, V: d.values()}, Op{Kind: Post, A: hero, V: d.values()}, Op{Kind: Leave, A: namesake}, Op{Kind: LogInElsewhere, A: namesake, B: hero, V: 1},
		Op{Kind: LogIn, A: hero}, Op{Kind: Follow, A: reader, B: hero}, Op{Kind: Leave, A: otherReader}, Op{Kind: Namesake, A: neighbour, B: otherReader, V: 2*d.values() + 1},
		Op{Kind: UseElsewhere, A: otherReader, B: neighbour}, Op{Kind: LogInElsewhere, A: otherReader, B: reader})
	return Story{Name: "leavers of two applications", Ops: ops}
}

// intruders draws users who try to reach those of the other application.
func (d drawer) intruders() Story {
	return Story{Name: "intruders from another application", Ops: []Op{{Kind: Post, A: hero, V: d.values()}, {Kind: Post, A: namesake, V: d.values()}, {Kind: Follow, A: otherReader, B: namesake},
		{Kind: Follow, A: reader, B: namesake}, {Kind: Trespass, A: reader, B: namesake}, {Kind: Social, A: reader, B: namesake}, {Kind: Social, A: reader, B: otherReader, V: 1},
		{Kind: Ask, A: namesake, B: hero}, {Kind: Follow, A: reader, B: hero}, {Kind: End, A: otherNeighbour, B: hero}, {Kind: End, A: hero, B: otherReader}, {Kind: Trespass, A: namesake, B: hero, V: 1},
		{Kind: Social, A: hero, B: reader}, {Kind: Social, A: otherNeighbour, B: hero}, {Kind: Gather, A: neighbour}, {Kind: Post, A: reader, V: d.values()}, {Kind: Befriend, A: neighbour, B: reader},
		{Kind: Befriend, A: otherNeighbour, B: neighbour}, {Kind: UseElsewhere, A: neighbour, B: namesake}, {Kind: Trespass, A: reader, B: namesake, V: 1}, {Kind: Seek, A: reader, B: namesake, V: d.values()}}}
}

// renamed draws users who come to be called the same, and no longer.
func (d drawer) renamed() Story {
	return Story{Name: "renamed in two applications", Ops: []Op{{Kind: Post, A: hero, V: d.values()}, {Kind: Post, A: namesake, V: d.values()}, {Kind: Follow, A: reader, B: hero}, {Kind: Follow, A: otherReader, B: namesake},
		{Kind: Rename, A: hero, V: d.values()}, {Kind: Namesake, A: namesake, B: hero, V: 2*d.values() + d.IntN(2)}, {Kind: LogIn, A: namesake}, {Kind: LogIn, A: hero, V: 1}, {Kind: Edit, A: hero, V: d.values()},
		{Kind: Seek, A: neighbour, B: namesake}, {Kind: Rename, A: hero, V: d.values()}, {Kind: LogInElsewhere, A: namesake, B: hero}, {Kind: LogInElsewhere, A: hero, B: namesake, V: 1},
		{Kind: Seek, A: otherNeighbour, B: hero, V: 1}, {Kind: Revert, A: namesake}, {Kind: Namesake, A: otherNeighbour, B: hero, V: 2 * d.values()}, {Kind: Revert, A: hero}, {Kind: LogIn, A: hero},
		{Kind: Rename, A: otherNeighbour, V: d.values()}, {Kind: Namesake, A: neighbour, B: otherNeighbour, V: 2*d.values() + 1}, {Kind: LogIn, A: neighbour}, {Kind: LogIn, A: otherNeighbour}}}
}

// neighbours draws a story of anything that users of two applications may do and try,
// in which half of the operations go on with the users of the one before.
func (d drawer) neighbours(length int) Story {
	s := Story{Values: d.values(), Name: "two applications", Slots: inhabitants, Apps: 2, Compare: CompareEvery, Every: 4}
	drawn := []Kind{Namesake, Namesake, Seek, UseElsewhere, UseElsewhere, LogInElsewhere, Follow, Follow, Befriend, Social, Trespass, End,
		Post, Post, Change, Remove, Edit, Rename, Repassword, LogIn, LogOut, Leave, Return}
	s.Ops = d.goingOn(length, inhabitants, func() Op { return Op{Kind: drawn[d.IntN(len(drawn))], C: d.IntN(4), V: d.values()} })
	return s
}
