package model

// Slots of stories of two applications: the even ones are in the first, the odd ones in the
// second.
const (
	owner       = iota // of events
	otherOwner         // has the names of owner
	reader             // follows owner
	otherReader        // follows otherOwner
	stranger           // not connected to owner
	otherStranger
	twoAppSlots
)

// ApplicationStories draws stories of two applications of a target, which must be isolated from
// each other. Those that find most come first.
func ApplicationStories(seed uint64) []Story {
	const length = 40
	d := newDrawer(seed, "applications")
	stories := []Story{d.sameNames(), d.deletions(), d.foreignRequests(), d.renames()}
	for i := range stories {
		s := &stories[i]
		s.Values, s.Slots, s.Apps, s.Compare, s.Brief = d.values(), twoAppSlots, 2, CompareAfterEach, true
	}
	stories = append(stories, d.randomTwoApps(length))
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

// sameNamesSetup returns operations that give each application a user with the same names, one
// reader and one followed user.
func (d drawer) sameNamesSetup() []Op {
	return []Op{{Kind: Post, A: owner, V: d.values()}, {Kind: Follow, A: reader, B: owner}, {Kind: TakeNames, A: otherOwner, B: owner, V: 2*d.values() + d.IntN(2)},
		{Kind: Follow, A: otherReader, B: otherOwner}, {Kind: Post, A: otherOwner, V: d.values()}, {Kind: Follow, A: owner, B: stranger},
		{Kind: Post, A: stranger, V: d.values()}, {Kind: Follow, A: otherOwner, B: otherStranger}, {Kind: Post, A: otherStranger, V: d.values()}}
}

// sameNames draws a story of a user in each application with the same names.
func (d drawer) sameNames() Story {
	ops := append(d.sameNamesSetup(),
		Op{Kind: LookFor, A: stranger, B: otherOwner}, Op{Kind: LookFor, A: otherStranger, B: owner, V: 1}, Op{Kind: LookFor, A: otherStranger, B: reader, V: 2},
		Op{Kind: LogIn, A: owner}, Op{Kind: LogIn, A: otherOwner, V: 1}, Op{Kind: LogIn, A: owner, V: 1}, Op{Kind: LogInElsewhere, A: reader, B: otherOwner}, Op{Kind: LogInElsewhere, A: otherReader, B: owner, V: 1},
		Op{Kind: LogInElsewhere, A: owner, B: otherOwner}, Op{Kind: LogInElsewhere, A: otherOwner, B: owner, V: 1},
		Op{Kind: UseElsewhere, A: owner, B: otherOwner}, Op{Kind: UseElsewhere, A: otherOwner, B: owner, C: 1},
		Op{Kind: UseElsewhere, A: reader, B: otherReader}, Op{Kind: LogIn, A: reader}, Op{Kind: UseElsewhere, A: reader, B: otherReader},
		Op{Kind: Edit, A: owner, V: d.values()}, Op{Kind: Change, A: otherOwner, V: d.values()}, Op{Kind: Social, A: stranger, B: owner}, Op{Kind: Social, A: otherStranger, B: otherOwner, V: 1},
		Op{Kind: LogOut, A: owner}, Op{Kind: UseElsewhere, A: owner, B: otherOwner}, Op{Kind: LogOut, A: otherOwner}, Op{Kind: Repassword, A: otherOwner}, Op{Kind: LogIn, A: owner},
		Op{Kind: Remove, A: owner}, Op{Kind: End, A: reader, B: owner}, Op{Kind: LookFor, A: stranger, B: otherReader, V: 3})
	return Story{Name: "same names in two applications", Ops: ops}
}

// deletions draws a story of users with the same names of whom one is deleted: the other must
// stay.
func (d drawer) deletions() Story {
	ops := append(d.sameNamesSetup(),
		Op{Kind: Leave, A: owner}, Op{Kind: LogInElsewhere, A: owner, B: otherOwner}, Op{Kind: UseElsewhere, A: owner, B: otherOwner},
		Op{Kind: Post, A: otherOwner, V: d.values()}, Op{Kind: LogIn, A: otherOwner}, Op{Kind: LookFor, A: otherReader, B: owner},
		Op{Kind: Return, A: owner, V: d.values()}, Op{Kind: Post, A: owner, V: d.values()}, Op{Kind: Leave, A: otherOwner}, Op{Kind: LogInElsewhere, A: otherOwner, B: owner, V: 1},
		Op{Kind: LogIn, A: owner}, Op{Kind: Follow, A: reader, B: owner}, Op{Kind: Leave, A: otherReader}, Op{Kind: TakeNames, A: stranger, B: otherReader, V: 2*d.values() + 1},
		Op{Kind: UseElsewhere, A: otherReader, B: stranger}, Op{Kind: LogInElsewhere, A: otherReader, B: reader})
	return Story{Name: "deletions in two applications", Ops: ops}
}

// foreignRequests draws a story of users who try to reach users of the other application.
func (d drawer) foreignRequests() Story {
	return Story{Name: "requests across applications", Ops: []Op{{Kind: Post, A: owner, V: d.values()}, {Kind: Post, A: otherOwner, V: d.values()}, {Kind: Follow, A: otherReader, B: otherOwner},
		{Kind: Follow, A: reader, B: otherOwner}, {Kind: Trespass, A: reader, B: otherOwner}, {Kind: Social, A: reader, B: otherOwner}, {Kind: Social, A: reader, B: otherReader, V: 1},
		{Kind: Ask, A: otherOwner, B: owner}, {Kind: Follow, A: reader, B: owner}, {Kind: End, A: otherStranger, B: owner}, {Kind: End, A: owner, B: otherReader}, {Kind: Trespass, A: otherOwner, B: owner, V: 1},
		{Kind: Social, A: owner, B: reader}, {Kind: Social, A: otherStranger, B: owner}, {Kind: Gather, A: stranger}, {Kind: Post, A: reader, V: d.values()}, {Kind: Befriend, A: stranger, B: reader},
		{Kind: Befriend, A: otherStranger, B: stranger}, {Kind: UseElsewhere, A: stranger, B: otherOwner}, {Kind: Trespass, A: reader, B: otherOwner, V: 1}, {Kind: LookFor, A: reader, B: otherOwner, V: d.values()}}}
}

// renames draws a story of users who take the names of a user of the other application, and give
// them up again.
func (d drawer) renames() Story {
	return Story{Name: "renames in two applications", Ops: []Op{{Kind: Post, A: owner, V: d.values()}, {Kind: Post, A: otherOwner, V: d.values()}, {Kind: Follow, A: reader, B: owner}, {Kind: Follow, A: otherReader, B: otherOwner},
		{Kind: Rename, A: owner, V: d.values()}, {Kind: TakeNames, A: otherOwner, B: owner, V: 2*d.values() + d.IntN(2)}, {Kind: LogIn, A: otherOwner}, {Kind: LogIn, A: owner, V: 1}, {Kind: Edit, A: owner, V: d.values()},
		{Kind: LookFor, A: stranger, B: otherOwner}, {Kind: Rename, A: owner, V: d.values()}, {Kind: LogInElsewhere, A: otherOwner, B: owner}, {Kind: LogInElsewhere, A: owner, B: otherOwner, V: 1},
		{Kind: LookFor, A: otherStranger, B: owner, V: 1}, {Kind: Revert, A: otherOwner}, {Kind: TakeNames, A: otherStranger, B: owner, V: 2 * d.values()}, {Kind: Revert, A: owner}, {Kind: LogIn, A: owner},
		{Kind: Rename, A: otherStranger, V: d.values()}, {Kind: TakeNames, A: stranger, B: otherStranger, V: 2*d.values() + 1}, {Kind: LogIn, A: stranger}, {Kind: LogIn, A: otherStranger}}}
}

// randomTwoApps draws a story of random operations in and across two applications, half of which
// act on the users of the one before.
func (d drawer) randomTwoApps(length int) Story {
	s := Story{Values: d.values(), Name: "random in two applications", Slots: twoAppSlots, Apps: 2, Compare: CompareEvery, Every: 4}
	drawn := []Kind{TakeNames, TakeNames, LookFor, UseElsewhere, UseElsewhere, LogInElsewhere, Follow, Follow, Befriend, Social, Trespass, End,
		Post, Post, Change, Remove, Edit, Rename, Repassword, LogIn, LogOut, Leave, Return}
	s.Ops = d.withSameUsers(length, twoAppSlots, func() Op { return Op{Kind: drawn[d.IntN(len(drawn))], C: d.IntN(4), V: d.values()} })
	return s
}
