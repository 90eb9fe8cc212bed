package model

// connectionHistory is how a reader gets connected to a user before that one is deleted;
// connect is nil for a reader who connects after all events.
type connectionHistory struct {
	name    string
	connect func(reader int) []Op
}

// connectionHistories returns the ways to be, or to have been, connected to a user who is then
// deleted.
func connectionHistories() []connectionHistory {
	with := func(kinds ...Kind) func(int) []Op {
		return func(reader int) []Op {
			var ops []Op
			for _, k := range kinds {
				ops = append(ops, Op{Kind: k, Actor: reader, Other: deletedUser})
			}
			return ops
		}
	}
	leftAsFriend := func(r int, ops ...Op) []Op { // both ask, whether or not one request suffices, and the user who will be deleted ends it
		asked := append([]Op{{Kind: RequestFriend, Actor: r, Other: deletedUser}, {Kind: RequestFriend, Actor: deletedUser, Other: r}}, ops...)
		return append(asked, Op{Kind: End, Actor: deletedUser, Other: r})
	}
	return []connectionHistory{
		{name: "follow", connect: with(Follow)},
		{name: "friend", connect: with(RequestMutually)},
		{name: "follow, then friend", connect: with(Follow, RequestMutually)},
		{name: "friend, then follow, and a friend no more", connect: func(r int) []Op {
			return leftAsFriend(r, Op{Kind: Follow, Actor: r, Other: deletedUser})
		}},
		{name: "follow by social id", connect: with(ConnectBySocialID)},
		{name: "friend by social id", connect: func(r int) []Op {
			return []Op{{Kind: ConnectBySocialID, Actor: r, Other: deletedUser, AsFriend: true}, {Kind: RequestFriend, Actor: deletedUser, Other: r}}
		}},
		{name: "ended and made again", connect: with(Follow, End, Follow)},
		{name: "friends again", connect: with(RequestMutually, DisconnectBoth, RequestMutually)},
		{name: "friends no more, then follow", connect: with(RequestMutually, DisconnectBoth, Follow)},
		{name: "friend whom the leaver left, then follow", connect: func(r int) []Op {
			return append(leftAsFriend(r), Op{Kind: Follow, Actor: r, Other: deletedUser})
		}},
		{name: "both ways", connect: func(r int) []Op {
			return []Op{{Kind: Follow, Actor: r, Other: deletedUser}, {Kind: Follow, Actor: deletedUser, Other: r}}
		}},
		{name: "both ways, then friends", connect: func(r int) []Op {
			return []Op{{Kind: Follow, Actor: r, Other: deletedUser}, {Kind: Follow, Actor: deletedUser, Other: r}, {Kind: RequestMutually, Actor: r, Other: deletedUser}}
		}},
		{name: "asked by the leaver", connect: func(r int) []Op {
			return []Op{{Kind: RequestMutually, Actor: deletedUser, Other: r}}
		}},
		{name: "logged out since", connect: func(r int) []Op {
			return []Op{{Kind: Follow, Actor: r, Other: deletedUser}, {Kind: LogOut, Actor: r}}
		}},
		{name: "followed twice, back too, and ended", connect: func(r int) []Op {
			return append([]Op{{Kind: Follow, Actor: deletedUser, Other: r}}, with(Follow, Follow, End)(r)...)
		}},
		{name: "followed twice", connect: with(Follow, Follow)},
		{name: "late follower"},
	}
}

// connectOps returns the operations that connect a reader to the user who will be deleted first.
func (h connectionHistory) connectOps(c Choices, reader int) []Op {
	var ops []Op
	if h.connect != nil {
		if ops = h.connect(reader); h.name != "friend" { // where both ask, concurrently
			ops = withoutSecondRequests(c, ops)
		}
	}
	return repeatsConcurrently(ops)
}

// repeatsConcurrently makes two users' requests to each other, and repeated requests, concurrent.
func repeatsConcurrently(ops []Op) []Op {
	var all []Op
	for i, o := range ops {
		if o.Kind == RequestMutually {
			all = append(all, concurrent(Op{Kind: RequestFriend, Actor: o.Actor, Other: o.Other}, Op{Kind: RequestFriend, Actor: o.Other, Other: o.Actor})...)
			continue
		}
		o.AtOnce = o.Kind == Follow && i+1 < len(ops) && ops[i+1].Kind == Follow && (ops[i+1] == o || len(ops) == 2) // or both of each other
		all = append(all, o)
	}
	return all
}

// withoutSecondRequests drops the second request of a friendship if the target needs only one.
func withoutSecondRequests(c Choices, ops []Op) []Op {
	for i := range ops {
		if ops[i].Kind == RequestMutually && c.FriendsAtOnce == Yes {
			ops[i].Kind = RequestFriend
		}
	}
	return ops
}

// purges draws stories of users that are deleted: one reader for each connection history, all
// kinds of events, an audit before and after, then a second deletion. If few is below the
// number of histories, each story has that many of them, and several stories cover them all.
func purges(seed uint64, few int) []Story {
	d := newGenerator(seed, "purges")
	all := connectionHistories()
	d.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var stories []Story
	for len(all) > 0 {
		n := min(few, len(all))
		stories = append(stories, d.purge(all[:n]))
		all = all[n:]
	}
	return stories
}

func (d generator) purge(all []connectionHistory) Story {
	s := Story{Values: d.values(), Name: "purge", Slots: firstReader + len(all), SharedNames: firstReader, ShortAudit: true}
	add := func(ops ...Op) { s.Ops = append(s.Ops, ops...) }
	post := func(who int) { add(Op{Kind: Post, Actor: who, Values: d.values()}) }
	post(deletedUser)
	for i, h := range all {
		if h.connect != nil {
			add(h.connect(firstReader + i)...)
		}
		if i == len(all)/2 {
			add(Op{Kind: Rename, Actor: deletedUser, Values: d.values()})
		}
		add(Op{Kind: Follow, Actor: firstReader + i, Other: []int{secondDeletedUser, keptUser}[i%2]})
	}
	away := firstReader + len(all) - 1 // is logged out while others post, and at the deletion
	add(Op{Kind: LogOut, Actor: away}, Op{Kind: LogOut, Actor: firstReader})
	post(keptUser)
	post(secondDeletedUser)
	post(deletedUser)
	post(deletedUser)
	add(Op{Kind: Change, Actor: deletedUser, Values: d.values()}, Op{Kind: Change, Actor: deletedUser, Event: 2, Values: d.values()}, Op{Kind: Remove, Actor: deletedUser, Event: 1})
	post(deletedUser)
	for i, h := range all {
		if h.connect == nil {
			add(Op{Kind: Follow, Actor: firstReader + i, Other: deletedUser})
		}
	}
	add(Op{Kind: Follow, Actor: deletedUser, Other: keptUser}, Op{Kind: Follow, Actor: firstReader + 2, Other: keptUser}, // whose name begins with that of another whom the reader follows
		Op{Kind: Follow, Actor: firstReader, Other: firstReader + 1}, Op{Kind: Post, Actor: firstReader + 1, Values: d.values()})
	add(Op{Kind: Audit, Extent: AuditFeeds}, Op{Kind: LogIn, Actor: deletedUser}, Op{Kind: LogOut, Actor: away}, Op{Kind: LogOut, Actor: firstReader + 1}, Op{Kind: DeleteUser, Actor: deletedUser},
		Op{Kind: LogIn, Actor: firstReader, ByEmail: d.values()%2 != 0}, Op{Kind: LogIn, Actor: firstReader + 2}, Op{Kind: Audit, Extent: AuditFeedsAndLists})
	add(Op{Kind: UseEnded, Actor: deletedUser, Variant: d.values()}, Op{Kind: Post, Actor: keptUser, Values: d.values()}, Op{Kind: DeleteUser, Actor: secondDeletedUser}, newOp(Recreate, deletedUser, 0, 0, d.values()),
		Op{Kind: Follow, Actor: deletedUser, Other: keptUser}, Op{Kind: Audit, Actor: keptUser, Extent: AuditOwnFollowers})
	post(deletedUser)
	return s
}

// Slots of a story about a purge. The readers come after them.
const (
	deletedUser = iota
	secondDeletedUser
	keptUser
	firstReader
)
