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
				ops = append(ops, Op{Kind: k, A: reader, B: deletedUser})
			}
			return ops
		}
	}
	leftAsFriend := func(r int, ops ...Op) []Op { // both ask, whether or not one request suffices, and the user who will be deleted ends it
		asked := append([]Op{{Kind: Ask, A: r, B: deletedUser}, {Kind: Ask, A: deletedUser, B: r}}, ops...)
		return append(asked, Op{Kind: End, A: deletedUser, B: r})
	}
	return []connectionHistory{
		{name: "follow", connect: with(Follow)},
		{name: "friend", connect: with(Befriend)},
		{name: "follow, then friend", connect: with(Follow, Befriend)},
		{name: "friend, then follow, and a friend no more", connect: func(r int) []Op {
			return leftAsFriend(r, Op{Kind: Follow, A: r, B: deletedUser})
		}},
		{name: "follow by social id", connect: with(Social)},
		{name: "friend by social id", connect: func(r int) []Op {
			return []Op{{Kind: Social, A: r, B: deletedUser, V: 1}, {Kind: Ask, A: deletedUser, B: r}}
		}},
		{name: "ended and made again", connect: with(Follow, End, Follow)},
		{name: "friends again", connect: with(Befriend, Part, Befriend)},
		{name: "friends no more, then follow", connect: with(Befriend, Part, Follow)},
		{name: "friend whom the leaver left, then follow", connect: func(r int) []Op {
			return append(leftAsFriend(r), Op{Kind: Follow, A: r, B: deletedUser})
		}},
		{name: "both ways", connect: func(r int) []Op {
			return []Op{{Kind: Follow, A: r, B: deletedUser}, {Kind: Follow, A: deletedUser, B: r}}
		}},
		{name: "both ways, then friends", connect: func(r int) []Op {
			return []Op{{Kind: Follow, A: r, B: deletedUser}, {Kind: Follow, A: deletedUser, B: r}, {Kind: Befriend, A: r, B: deletedUser}}
		}},
		{name: "asked by the leaver", connect: func(r int) []Op {
			return []Op{{Kind: Befriend, A: deletedUser, B: r}}
		}},
		{name: "logged out since", connect: func(r int) []Op {
			return []Op{{Kind: Follow, A: r, B: deletedUser}, {Kind: LogOut, A: r}}
		}},
		{name: "followed twice, back too, and ended", connect: func(r int) []Op {
			return append([]Op{{Kind: Follow, A: deletedUser, B: r}}, with(Follow, Follow, End)(r)...)
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
		if o.Kind == Befriend {
			all = append(all, concurrent(Op{Kind: Ask, A: o.A, B: o.B}, Op{Kind: Ask, A: o.B, B: o.A})...)
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
		if ops[i].Kind == Befriend && c.FriendsAtOnce == Yes {
			ops[i].Kind = Ask
		}
	}
	return ops
}

// purges draws stories of users that are deleted: one reader for each connection history, all
// kinds of events, an audit before and after, then a second deletion. If few is below the
// number of histories, each story has that many of them, and several stories cover them all.
func purges(seed uint64, few int) []Story {
	d := newDrawer(seed, "purges")
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

func (d drawer) purge(all []connectionHistory) Story {
	s := Story{Values: d.values(), Name: "purge", Slots: firstReader + len(all), SharedNames: firstReader, Brief: true}
	add := func(ops ...Op) { s.Ops = append(s.Ops, ops...) }
	post := func(who int) { add(Op{Kind: Post, A: who, V: d.values()}) }
	post(deletedUser)
	for i, h := range all {
		if h.connect != nil {
			add(h.connect(firstReader + i)...)
		}
		if i == len(all)/2 {
			add(Op{Kind: Rename, A: deletedUser, V: d.values()})
		}
		add(Op{Kind: Follow, A: firstReader + i, B: []int{secondDeletedUser, keptUser}[i%2]})
	}
	away := firstReader + len(all) - 1 // is logged out while others post, and at the deletion
	add(Op{Kind: LogOut, A: away}, Op{Kind: LogOut, A: firstReader})
	post(keptUser)
	post(secondDeletedUser)
	post(deletedUser)
	post(deletedUser)
	add(Op{Kind: Change, A: deletedUser, C: 0, V: d.values()}, Op{Kind: Change, A: deletedUser, C: 2, V: d.values()}, Op{Kind: Remove, A: deletedUser, C: 1})
	post(deletedUser)
	for i, h := range all {
		if h.connect == nil {
			add(Op{Kind: Follow, A: firstReader + i, B: deletedUser})
		}
	}
	add(Op{Kind: Follow, A: deletedUser, B: keptUser}, Op{Kind: Follow, A: firstReader + 2, B: keptUser}, // whose name begins with that of another whom the reader follows
		Op{Kind: Follow, A: firstReader, B: firstReader + 1}, Op{Kind: Post, A: firstReader + 1, V: d.values()})
	add(Op{Kind: Audit, V: auditFeeds}, Op{Kind: LogIn, A: deletedUser}, Op{Kind: LogOut, A: away}, Op{Kind: LogOut, A: firstReader + 1}, Op{Kind: Leave, A: deletedUser},
		Op{Kind: LogIn, A: firstReader, V: d.values()}, Op{Kind: LogIn, A: firstReader + 2}, Op{Kind: Audit, V: auditFeedsAndLists})
	add(Op{Kind: UseEnded, A: deletedUser, V: d.values()}, Op{Kind: Post, A: keptUser, V: d.values()}, Op{Kind: Leave, A: secondDeletedUser}, Op{Kind: Return, A: deletedUser, V: d.values()},
		Op{Kind: Follow, A: deletedUser, B: keptUser}, Op{Kind: Audit, A: keptUser, V: auditOwnFollowers})
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
