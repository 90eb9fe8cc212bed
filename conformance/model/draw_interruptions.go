package model

import "slices"

// interruptions draws stories of what takes two steps (to ask and be asked to be friends, to follow
// and see what is posted, to post and change or delete): in each story one thing happens between them.
func interruptions(seed uint64) []Story {
	const reader, author, friend, other, slots = 0, 1, 2, 3, 4
	d := newGenerator(seed, "interruptions")
	one := func(kind Kind, who int) Op { return newOp(kind, who, 0, 0, d.values()) }
	var stories []Story
	for _, interruption := range d.between(reader, author, friend, other) {
		ops := []Op{{Kind: Follow, Actor: reader, Other: author}, {Kind: RequestMutually, Actor: friend, Other: author}, {Kind: RequestFriend, Actor: reader, Other: friend}, {Kind: RequestFriend, Actor: other, Other: author},
			{Kind: Follow, Actor: other, Other: reader}, {Kind: ConnectBySocialID, Actor: friend, Other: other}, one(Post, author), one(Post, author), one(Post, reader), one(Post, other), {Kind: Audit, Extent: AuditFeeds}}
		ops = append(ops, interruption...)
		ops = append(ops, Op{Kind: Audit, Extent: AuditFeeds}, Op{Kind: RequestFriend, Actor: friend, Other: reader}, Op{Kind: RequestFriend, Actor: author, Other: other}, one(Post, author), one(Change, author), Op{Kind: Remove, Actor: author, Event: 1},
			one(Post, reader), Op{Kind: Follow, Actor: friend, Other: other}, one(Edit, author), Op{Kind: Audit, Extent: AuditThoroughly},
			Op{Kind: End, Actor: reader, Other: author}, Op{Kind: DisconnectBoth, Actor: friend, Other: author}, Op{Kind: Follow, Actor: reader, Other: author}, one(Post, author),
			Op{Kind: LogOut, Actor: reader}, one(UseEnded, reader), Op{Kind: DeleteUser, Actor: author})
		stories = append(stories, Story{Values: d.values(), Name: "sequences with something in between", Slots: slots, Ops: ops})
	}
	d.Shuffle(len(stories), func(i, j int) { stories[i], stories[j] = stories[j], stories[i] })
	return stories
}

// between returns what happens between two steps, in turns by the one who reads and by the one
// who is read.
func (d generator) between(reader, author, friend, other int) [][]Op {
	var all [][]Op
	for _, sides := range [][2]int{{reader, author}, {author, reader}} {
		who, with := sides[0], sides[1]
		for _, kind := range []Kind{LogIn, LogOut, Edit, Rename, ChangePassword, UpdateSimilar, Change, Remove, Post, ConnectAllBySocialID, SendDefect} {
			all = append(all, []Op{newOp(kind, who, 0, 0, d.values())})
		}
		all = append(all,
			[]Op{{Kind: LogIn, Actor: who}, {Kind: LogOut, Actor: who}},
			[]Op{{Kind: LogIn, Actor: who, WithDetails: true}, {Kind: LogOut, Actor: who, Session: 1}},
			[]Op{{Kind: Edit, Actor: who, Values: d.values()}, {Kind: Revert, Actor: who}},
			[]Op{{Kind: Change, Actor: who, Values: d.values()}, {Kind: ChangeBack, Actor: who}},
			[]Op{{Kind: Remove, Actor: who}, {Kind: UseDeleted, Actor: who}, {Kind: UseDeleted, Actor: who, Delete: true}},
			[]Op{{Kind: WriteForeign, Actor: with, Other: who}}, []Op{{Kind: WriteForeign, Actor: with, Other: who, Write: DeleteForeignEvent}},
			[]Op{{Kind: Follow, Actor: who, Other: with}, {Kind: End, Actor: who, Other: with}},
			[]Op{{Kind: RequestFriend, Actor: who, Other: with}, {Kind: End, Actor: who, Other: with}})
	}
	return slices.Concat(all, [][]Op{
		{{Kind: End, Actor: reader, Other: friend}, {Kind: RequestFriend, Actor: reader, Other: friend}},
		{{Kind: End, Actor: reader, Other: author}, {Kind: End, Actor: reader, Other: author}, {Kind: Follow, Actor: reader, Other: author}},
		{{Kind: DisconnectBoth, Actor: friend, Other: author}, {Kind: RequestMutually, Actor: friend, Other: author}},
		{{Kind: DeleteUser, Actor: friend}, {Kind: Recreate, Actor: friend}}, {{Kind: DeleteUser, Actor: other}},
		{{Kind: Rename, Actor: other, Values: d.values()}, {Kind: DeleteUser, Actor: other}},
		{{Kind: ConnectBySocialID, Actor: reader, Other: other}, {Kind: DeleteUser, Actor: other}},
		{{Kind: ConnectBySocialID, Actor: other, Other: author}, {Kind: Follow, Actor: other, Other: author}},
	})
}
