package draw

import "github.com/socialfeed/conform/conformance/model/story"

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

// Applications draws stories of two applications of a target, which must be isolated from
// each other. Those that find most come first.
func Applications(seed uint64) []story.Story {
	const length = 40
	d := newGenerator(seed, "applications")
	stories := []story.Story{d.sameNames(), d.deletions(), d.foreignRequests(), d.renames()}
	for i := range stories {
		s := &stories[i]
		s.Values, s.Slots, s.Apps, s.Compare, s.ShortAudit = d.values(), twoAppSlots, 2, story.CompareAfterEach, true
	}
	stories = append(stories, d.randomTwoApps(length))
	tries := d.values()
	for _, s := range stories { // one endpoint after the other
		for i := range s.Ops {
			if s.Ops[i].Kind == story.UseElsewhere {
				s.Ops[i].Variant = tries
				tries++
			}
		}
	}
	return stories
}

// sameNamesSetup returns operations that give each application a user with the same names, one
// reader and one followed user.
func (d generator) sameNamesSetup() []story.Op {
	return []story.Op{{Kind: story.Post, Actor: owner, Values: d.values()}, {Kind: story.Follow, Actor: reader, Other: owner}, {Kind: story.TakeNames, Actor: otherOwner, Other: owner, WithPassword: (2*d.values()+d.IntN(2))%2 != 0},
		{Kind: story.Follow, Actor: otherReader, Other: otherOwner}, {Kind: story.Post, Actor: otherOwner, Values: d.values()}, {Kind: story.Follow, Actor: owner, Other: stranger},
		{Kind: story.Post, Actor: stranger, Values: d.values()}, {Kind: story.Follow, Actor: otherOwner, Other: otherStranger}, {Kind: story.Post, Actor: otherStranger, Values: d.values()}}
}

// sameNames draws a story of a user in each application with the same names.
func (d generator) sameNames() story.Story {
	ops := append(d.sameNamesSetup(),
		story.Op{Kind: story.LookFor, Actor: stranger, Other: otherOwner}, story.Op{Kind: story.LookFor, Actor: otherStranger, Other: owner, Variant: 1}, story.Op{Kind: story.LookFor, Actor: otherStranger, Other: reader, Variant: 2},
		story.Op{Kind: story.LogIn, Actor: owner}, story.Op{Kind: story.LogIn, Actor: otherOwner, ByEmail: true}, story.Op{Kind: story.LogIn, Actor: owner, ByEmail: true}, story.Op{Kind: story.LogInElsewhere, Actor: reader, Other: otherOwner}, story.Op{Kind: story.LogInElsewhere, Actor: otherReader, Other: owner, ByEmail: true},
		story.Op{Kind: story.LogInElsewhere, Actor: owner, Other: otherOwner}, story.Op{Kind: story.LogInElsewhere, Actor: otherOwner, Other: owner, ByEmail: true},
		story.Op{Kind: story.UseElsewhere, Actor: owner, Other: otherOwner}, story.Op{Kind: story.UseElsewhere, Actor: otherOwner, Other: owner, Session: 1, Event: 1},
		story.Op{Kind: story.UseElsewhere, Actor: reader, Other: otherReader}, story.Op{Kind: story.LogIn, Actor: reader}, story.Op{Kind: story.UseElsewhere, Actor: reader, Other: otherReader},
		story.Op{Kind: story.Edit, Actor: owner, Values: d.values()}, story.Op{Kind: story.Change, Actor: otherOwner, Values: d.values()}, story.Op{Kind: story.ConnectBySocialID, Actor: stranger, Other: owner}, story.Op{Kind: story.ConnectBySocialID, Actor: otherStranger, Other: otherOwner, AsFriend: true},
		story.Op{Kind: story.LogOut, Actor: owner}, story.Op{Kind: story.UseElsewhere, Actor: owner, Other: otherOwner}, story.Op{Kind: story.LogOut, Actor: otherOwner}, story.Op{Kind: story.ChangePassword, Actor: otherOwner}, story.Op{Kind: story.LogIn, Actor: owner},
		story.Op{Kind: story.Remove, Actor: owner}, story.Op{Kind: story.End, Actor: reader, Other: owner}, story.Op{Kind: story.LookFor, Actor: stranger, Other: otherReader, Variant: 3})
	return story.Story{Name: "same names in two applications", Ops: ops}
}

// deletions draws a story of users with the same names of whom one is deleted: the other must
// stay.
func (d generator) deletions() story.Story {
	ops := append(d.sameNamesSetup(),
		story.Op{Kind: story.DeleteUser, Actor: owner}, story.Op{Kind: story.LogInElsewhere, Actor: owner, Other: otherOwner}, story.Op{Kind: story.UseElsewhere, Actor: owner, Other: otherOwner},
		story.Op{Kind: story.Post, Actor: otherOwner, Values: d.values()}, story.Op{Kind: story.LogIn, Actor: otherOwner}, story.Op{Kind: story.LookFor, Actor: otherReader, Other: owner},
		story.NewOp(story.Recreate, owner, 0, 0, d.values()), story.Op{Kind: story.Post, Actor: owner, Values: d.values()}, story.Op{Kind: story.DeleteUser, Actor: otherOwner}, story.Op{Kind: story.LogInElsewhere, Actor: otherOwner, Other: owner, ByEmail: true},
		story.Op{Kind: story.LogIn, Actor: owner}, story.Op{Kind: story.Follow, Actor: reader, Other: owner}, story.Op{Kind: story.DeleteUser, Actor: otherReader}, story.Op{Kind: story.TakeNames, Actor: stranger, Other: otherReader, WithPassword: (2*d.values()+1)%2 != 0},
		story.Op{Kind: story.UseElsewhere, Actor: otherReader, Other: stranger}, story.Op{Kind: story.LogInElsewhere, Actor: otherReader, Other: reader})
	return story.Story{Name: "deletions in two applications", Ops: ops}
}

// foreignRequests draws a story of users who try to reach users of the other application.
func (d generator) foreignRequests() story.Story {
	return story.Story{Name: "requests across applications", Ops: []story.Op{{Kind: story.Post, Actor: owner, Values: d.values()}, {Kind: story.Post, Actor: otherOwner, Values: d.values()}, {Kind: story.Follow, Actor: otherReader, Other: otherOwner},
		{Kind: story.Follow, Actor: reader, Other: otherOwner}, {Kind: story.WriteForeign, Actor: reader, Other: otherOwner}, {Kind: story.ConnectBySocialID, Actor: reader, Other: otherOwner}, {Kind: story.ConnectBySocialID, Actor: reader, Other: otherReader, AsFriend: true},
		{Kind: story.RequestFriend, Actor: otherOwner, Other: owner}, {Kind: story.Follow, Actor: reader, Other: owner}, {Kind: story.End, Actor: otherStranger, Other: owner}, {Kind: story.End, Actor: owner, Other: otherReader}, {Kind: story.WriteForeign, Actor: otherOwner, Other: owner, Write: story.DeleteForeignEvent},
		{Kind: story.ConnectBySocialID, Actor: owner, Other: reader}, {Kind: story.ConnectBySocialID, Actor: otherStranger, Other: owner}, {Kind: story.ConnectAllBySocialID, Actor: stranger}, {Kind: story.Post, Actor: reader, Values: d.values()}, {Kind: story.RequestMutually, Actor: stranger, Other: reader},
		{Kind: story.RequestMutually, Actor: otherStranger, Other: stranger}, {Kind: story.UseElsewhere, Actor: stranger, Other: otherOwner}, {Kind: story.WriteForeign, Actor: reader, Other: otherOwner, Write: story.DeleteForeignEvent}, {Kind: story.LookFor, Actor: reader, Other: otherOwner, Variant: d.values()}}}
}

// renames draws a story of users who take the names of a user of the other application, and give
// them up again.
func (d generator) renames() story.Story {
	return story.Story{Name: "renames in two applications", Ops: []story.Op{{Kind: story.Post, Actor: owner, Values: d.values()}, {Kind: story.Post, Actor: otherOwner, Values: d.values()}, {Kind: story.Follow, Actor: reader, Other: owner}, {Kind: story.Follow, Actor: otherReader, Other: otherOwner},
		{Kind: story.Rename, Actor: owner, Values: d.values()}, {Kind: story.TakeNames, Actor: otherOwner, Other: owner, WithPassword: (2*d.values()+d.IntN(2))%2 != 0}, {Kind: story.LogIn, Actor: otherOwner}, {Kind: story.LogIn, Actor: owner, ByEmail: true}, {Kind: story.Edit, Actor: owner, Values: d.values()},
		{Kind: story.LookFor, Actor: stranger, Other: otherOwner}, {Kind: story.Rename, Actor: owner, Values: d.values()}, {Kind: story.LogInElsewhere, Actor: otherOwner, Other: owner}, {Kind: story.LogInElsewhere, Actor: owner, Other: otherOwner, ByEmail: true},
		{Kind: story.LookFor, Actor: otherStranger, Other: owner, Variant: 1}, {Kind: story.Revert, Actor: otherOwner}, {Kind: story.TakeNames, Actor: otherStranger, Other: owner, WithPassword: (2*d.values())%2 != 0}, {Kind: story.Revert, Actor: owner}, {Kind: story.LogIn, Actor: owner},
		{Kind: story.Rename, Actor: otherStranger, Values: d.values()}, {Kind: story.TakeNames, Actor: stranger, Other: otherStranger, WithPassword: (2*d.values()+1)%2 != 0}, {Kind: story.LogIn, Actor: stranger}, {Kind: story.LogIn, Actor: otherStranger}}}
}

// randomTwoApps draws a story of random operations in and across two applications, half of which
// act on the users of the one before.
func (d generator) randomTwoApps(length int) story.Story {
	s := story.Story{Values: d.values(), Name: "random in two applications", Slots: twoAppSlots, Apps: 2, Compare: story.CompareEvery, Every: 4}
	drawn := []story.Kind{story.TakeNames, story.TakeNames, story.LookFor, story.UseElsewhere, story.UseElsewhere, story.LogInElsewhere, story.Follow, story.Follow, story.RequestMutually, story.ConnectBySocialID, story.WriteForeign, story.End,
		story.Post, story.Post, story.Change, story.Remove, story.Edit, story.Rename, story.ChangePassword, story.LogIn, story.LogOut, story.DeleteUser, story.Recreate}
	s.Ops = d.withSameUsers(length, twoAppSlots, func(actor, other int) story.Op {
		return story.NewOp(drawn[d.IntN(len(drawn))], actor, other, d.IntN(4), d.values())
	})
	return s
}
