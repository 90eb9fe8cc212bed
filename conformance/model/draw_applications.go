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
	d := newGenerator(seed, "applications")
	stories := []Story{d.sameNames(), d.deletions(), d.foreignRequests(), d.renames()}
	for i := range stories {
		s := &stories[i]
		s.Values, s.Slots, s.Apps, s.Compare, s.ShortAudit = d.values(), twoAppSlots, 2, CompareAfterEach, true
	}
	stories = append(stories, d.randomTwoApps(length))
	tries := d.values()
	for _, s := range stories { // one endpoint after the other
		for i := range s.Ops {
			if s.Ops[i].Kind == UseElsewhere {
				s.Ops[i].Variant = tries
				tries++
			}
		}
	}
	return stories
}

// sameNamesSetup returns operations that give each application a user with the same names, one
// reader and one followed user.
func (d generator) sameNamesSetup() []Op {
	return []Op{{Kind: Post, Actor: owner, Values: d.values()}, {Kind: Follow, Actor: reader, Other: owner}, {Kind: TakeNames, Actor: otherOwner, Other: owner, WithPassword: (2*d.values()+d.IntN(2))%2 != 0},
		{Kind: Follow, Actor: otherReader, Other: otherOwner}, {Kind: Post, Actor: otherOwner, Values: d.values()}, {Kind: Follow, Actor: owner, Other: stranger},
		{Kind: Post, Actor: stranger, Values: d.values()}, {Kind: Follow, Actor: otherOwner, Other: otherStranger}, {Kind: Post, Actor: otherStranger, Values: d.values()}}
}

// sameNames draws a story of a user in each application with the same names.
func (d generator) sameNames() Story {
	ops := append(d.sameNamesSetup(),
		Op{Kind: LookFor, Actor: stranger, Other: otherOwner}, Op{Kind: LookFor, Actor: otherStranger, Other: owner, Variant: 1}, Op{Kind: LookFor, Actor: otherStranger, Other: reader, Variant: 2},
		Op{Kind: LogIn, Actor: owner}, Op{Kind: LogIn, Actor: otherOwner, ByEmail: true}, Op{Kind: LogIn, Actor: owner, ByEmail: true}, Op{Kind: LogInElsewhere, Actor: reader, Other: otherOwner}, Op{Kind: LogInElsewhere, Actor: otherReader, Other: owner, ByEmail: true},
		Op{Kind: LogInElsewhere, Actor: owner, Other: otherOwner}, Op{Kind: LogInElsewhere, Actor: otherOwner, Other: owner, ByEmail: true},
		Op{Kind: UseElsewhere, Actor: owner, Other: otherOwner}, Op{Kind: UseElsewhere, Actor: otherOwner, Other: owner, Session: 1, Event: 1},
		Op{Kind: UseElsewhere, Actor: reader, Other: otherReader}, Op{Kind: LogIn, Actor: reader}, Op{Kind: UseElsewhere, Actor: reader, Other: otherReader},
		Op{Kind: Edit, Actor: owner, Values: d.values()}, Op{Kind: Change, Actor: otherOwner, Values: d.values()}, Op{Kind: ConnectBySocialID, Actor: stranger, Other: owner}, Op{Kind: ConnectBySocialID, Actor: otherStranger, Other: otherOwner, AsFriend: true},
		Op{Kind: LogOut, Actor: owner}, Op{Kind: UseElsewhere, Actor: owner, Other: otherOwner}, Op{Kind: LogOut, Actor: otherOwner}, Op{Kind: ChangePassword, Actor: otherOwner}, Op{Kind: LogIn, Actor: owner},
		Op{Kind: Remove, Actor: owner}, Op{Kind: End, Actor: reader, Other: owner}, Op{Kind: LookFor, Actor: stranger, Other: otherReader, Variant: 3})
	return Story{Name: "same names in two applications", Ops: ops}
}

// deletions draws a story of users with the same names of whom one is deleted: the other must
// stay.
func (d generator) deletions() Story {
	ops := append(d.sameNamesSetup(),
		Op{Kind: DeleteUser, Actor: owner}, Op{Kind: LogInElsewhere, Actor: owner, Other: otherOwner}, Op{Kind: UseElsewhere, Actor: owner, Other: otherOwner},
		Op{Kind: Post, Actor: otherOwner, Values: d.values()}, Op{Kind: LogIn, Actor: otherOwner}, Op{Kind: LookFor, Actor: otherReader, Other: owner},
		newOp(Recreate, owner, 0, 0, d.values()), Op{Kind: Post, Actor: owner, Values: d.values()}, Op{Kind: DeleteUser, Actor: otherOwner}, Op{Kind: LogInElsewhere, Actor: otherOwner, Other: owner, ByEmail: true},
		Op{Kind: LogIn, Actor: owner}, Op{Kind: Follow, Actor: reader, Other: owner}, Op{Kind: DeleteUser, Actor: otherReader}, Op{Kind: TakeNames, Actor: stranger, Other: otherReader, WithPassword: (2*d.values()+1)%2 != 0},
		Op{Kind: UseElsewhere, Actor: otherReader, Other: stranger}, Op{Kind: LogInElsewhere, Actor: otherReader, Other: reader})
	return Story{Name: "deletions in two applications", Ops: ops}
}

// foreignRequests draws a story of users who try to reach users of the other application.
func (d generator) foreignRequests() Story {
	return Story{Name: "requests across applications", Ops: []Op{{Kind: Post, Actor: owner, Values: d.values()}, {Kind: Post, Actor: otherOwner, Values: d.values()}, {Kind: Follow, Actor: otherReader, Other: otherOwner},
		{Kind: Follow, Actor: reader, Other: otherOwner}, {Kind: WriteForeign, Actor: reader, Other: otherOwner}, {Kind: ConnectBySocialID, Actor: reader, Other: otherOwner}, {Kind: ConnectBySocialID, Actor: reader, Other: otherReader, AsFriend: true},
		{Kind: RequestFriend, Actor: otherOwner, Other: owner}, {Kind: Follow, Actor: reader, Other: owner}, {Kind: End, Actor: otherStranger, Other: owner}, {Kind: End, Actor: owner, Other: otherReader}, {Kind: WriteForeign, Actor: otherOwner, Other: owner, Write: DeleteForeignEvent},
		{Kind: ConnectBySocialID, Actor: owner, Other: reader}, {Kind: ConnectBySocialID, Actor: otherStranger, Other: owner}, {Kind: ConnectAllBySocialID, Actor: stranger}, {Kind: Post, Actor: reader, Values: d.values()}, {Kind: RequestMutually, Actor: stranger, Other: reader},
		{Kind: RequestMutually, Actor: otherStranger, Other: stranger}, {Kind: UseElsewhere, Actor: stranger, Other: otherOwner}, {Kind: WriteForeign, Actor: reader, Other: otherOwner, Write: DeleteForeignEvent}, {Kind: LookFor, Actor: reader, Other: otherOwner, Variant: d.values()}}}
}

// renames draws a story of users who take the names of a user of the other application, and give
// them up again.
func (d generator) renames() Story {
	return Story{Name: "renames in two applications", Ops: []Op{{Kind: Post, Actor: owner, Values: d.values()}, {Kind: Post, Actor: otherOwner, Values: d.values()}, {Kind: Follow, Actor: reader, Other: owner}, {Kind: Follow, Actor: otherReader, Other: otherOwner},
		{Kind: Rename, Actor: owner, Values: d.values()}, {Kind: TakeNames, Actor: otherOwner, Other: owner, WithPassword: (2*d.values()+d.IntN(2))%2 != 0}, {Kind: LogIn, Actor: otherOwner}, {Kind: LogIn, Actor: owner, ByEmail: true}, {Kind: Edit, Actor: owner, Values: d.values()},
		{Kind: LookFor, Actor: stranger, Other: otherOwner}, {Kind: Rename, Actor: owner, Values: d.values()}, {Kind: LogInElsewhere, Actor: otherOwner, Other: owner}, {Kind: LogInElsewhere, Actor: owner, Other: otherOwner, ByEmail: true},
		{Kind: LookFor, Actor: otherStranger, Other: owner, Variant: 1}, {Kind: Revert, Actor: otherOwner}, {Kind: TakeNames, Actor: otherStranger, Other: owner, WithPassword: (2*d.values())%2 != 0}, {Kind: Revert, Actor: owner}, {Kind: LogIn, Actor: owner},
		{Kind: Rename, Actor: otherStranger, Values: d.values()}, {Kind: TakeNames, Actor: stranger, Other: otherStranger, WithPassword: (2*d.values()+1)%2 != 0}, {Kind: LogIn, Actor: stranger}, {Kind: LogIn, Actor: otherStranger}}}
}

// randomTwoApps draws a story of random operations in and across two applications, half of which
// act on the users of the one before.
func (d generator) randomTwoApps(length int) Story {
	s := Story{Values: d.values(), Name: "random in two applications", Slots: twoAppSlots, Apps: 2, Compare: CompareEvery, Every: 4}
	drawn := []Kind{TakeNames, TakeNames, LookFor, UseElsewhere, UseElsewhere, LogInElsewhere, Follow, Follow, RequestMutually, ConnectBySocialID, WriteForeign, End,
		Post, Post, Change, Remove, Edit, Rename, ChangePassword, LogIn, LogOut, DeleteUser, Recreate}
	s.Ops = d.withSameUsers(length, twoAppSlots, func(actor, other int) Op {
		return newOp(drawn[d.IntN(len(drawn))], actor, other, d.IntN(4), d.values())
	})
	return s
}
