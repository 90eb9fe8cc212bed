package model

// longLists draws a story with more users, events and connections than servers keep in one page,
// batch or cache. Some lists are so long that a server may truncate them, others are just short
// of that.
func longLists(seed uint64) Story {
	const followsMany, popular, socialFollower, late, first = 0, 1, 2, 3, 4
	const followers, followed, friends, posts = 34, promisedLength - 2, promisedLength - 3, 55
	const firstFriend = first + followers
	d := newGenerator(seed, "multitude")
	s := Story{Values: d.values(), Name: "long lists", Slots: firstFriend + friends, SharedNames: promisedLength - 3, ShortAudit: true}
	add := func(ops ...Op) { s.Ops = append(s.Ops, ops...) }
	for i := range followers {
		who := first + i
		add(Op{Kind: Follow, Actor: who, Other: popular})
		if page := 10; (i+1)%page == 0 { // as servers cut lists into
			add(Op{Kind: Audit, Actor: popular, Extent: AuditOwnFollowers})
		}
		if i < followed {
			add(Op{Kind: Post, Actor: who, Values: d.values()}, Op{Kind: Follow, Actor: followsMany, Other: who})
		}
	}
	for i := range friends {
		add(Op{Kind: RequestMutually, Actor: popular, Other: firstFriend + i}, Op{Kind: Follow, Actor: firstFriend + i, Other: followsMany}, Op{Kind: Post, Actor: firstFriend + i, Values: d.values()}, Op{Kind: Audit, Actor: firstFriend + i, Extent: AuditOwnFriends})
	}
	both := Op{Kind: Audit, Actor: followsMany, Other: popular, Extent: AuditPair}
	add(Op{Kind: Follow, Actor: popular, Other: first}, Op{Kind: Follow, Actor: popular, Other: first + 1}, Op{Kind: Audit, Extent: AuditSharedName}, both)
	for range posts {
		add(Op{Kind: Post, Actor: popular, Values: d.values()})
	}
	const reader = first + followers - 2 // of the star alone
	add(Op{Kind: Follow, Actor: late, Other: popular}, Op{Kind: Audit, Actor: reader, Other: late, Extent: AuditPair}, Op{Kind: Follow, Actor: followsMany, Other: popular}, Op{Kind: ConnectAllBySocialID, Actor: socialFollower}, both, Op{Kind: Post, Actor: popular, Values: d.values()},
		Op{Kind: Change, Actor: popular, Event: posts / 2, Values: d.values()}, Op{Kind: Change, Actor: popular, Event: posts - 2, Values: d.values()}, Op{Kind: Remove, Actor: popular, Event: posts - 1}, Op{Kind: Remove, Actor: popular},
		Op{Kind: Audit, Actor: followsMany, Other: late, Extent: AuditPair})
	for range posts / 4 {
		add(Op{Kind: Remove, Actor: popular, Event: 2})
	}
	add(Op{Kind: Audit, Actor: reader, Other: late, Extent: AuditPair}, Op{Kind: End, Actor: followsMany, Other: first + followed - 1}, Op{Kind: End, Actor: firstFriend - 1, Other: popular}, both, Op{Kind: Audit, Extent: AuditFeeds},
		Op{Kind: DeleteUser, Actor: first + 2}, Op{Kind: DeleteUser, Actor: popular}, Op{Kind: Audit, Actor: followsMany, Other: socialFollower, Extent: AuditPair},
		Op{Kind: DeleteUser, Actor: followsMany}, Op{Kind: Audit, Actor: first, Extent: AuditOwnFollowers}, Op{Kind: Audit, Actor: first + followed - 2, Extent: AuditOwnFollowers})
	return s
}

// manyConnections draws a story of a user who follows many and one who has many followers,
// friends and events, audited before and after small changes.
func manyConnections(seed uint64, size int) Story {
	d := newGenerator(seed, "crowd")
	const followsMany, popular = 0, 1
	s := Story{Values: d.values(), Name: "many connections", Slots: size + 2, ShortAudit: true}
	for i := 2; i < size+2; i++ {
		s.Ops = append(s.Ops, Op{Kind: Follow, Actor: followsMany, Other: i}, Op{Kind: Follow, Actor: i, Other: popular})
		if i < 2+promisedLength {
			s.Ops = append(s.Ops, Op{Kind: Post, Actor: i, Values: d.values()})
		}
		if i%3 == 0 {
			s.Ops = append(s.Ops, Op{Kind: RequestMutually, Actor: popular, Other: i})
		}
	}
	for range size {
		s.Ops = append(s.Ops, Op{Kind: Post, Actor: popular, Values: d.values()})
	}
	s.Ops = append(s.Ops, Op{Kind: Follow, Actor: followsMany, Other: popular}) // whose many events must not displace those of others
	both := Op{Kind: Audit, Actor: followsMany, Other: popular, Extent: AuditPair}
	s.Ops = append(s.Ops, both, Op{Kind: Remove, Actor: popular, Event: size - 1}, Op{Kind: Remove, Actor: popular},
		Op{Kind: Change, Actor: popular, Event: size / 2, Values: d.values()}, Op{Kind: End, Actor: followsMany, Other: 3}, Op{Kind: End, Actor: size + 1, Other: popular},
		Op{Kind: DeleteUser, Actor: 2 + d.IntN(size)}, both, Op{Kind: DeleteUser, Actor: popular})
	return s
}
