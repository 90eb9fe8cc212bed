package model

import "slices"

// interruptions draws stories of what takes two steps (to ask and be asked to be friends, to follow
// and see what is posted, to post and change or delete): in each story one thing happens between them.
func interruptions(seed uint64) []Story {
	const reader, author, friend, other, slots = 0, 1, 2, 3, 4
	d := newDrawer(seed, "interruptions")
	one := func(kind Kind, who int) Op { return Op{Kind: kind, A: who, V: d.values()} }
	var stories []Story
	for _, interruption := range d.between(reader, author, friend, other) {
		ops := []Op{{Kind: Follow, A: reader, B: author}, {Kind: Befriend, A: friend, B: author}, {Kind: Ask, A: reader, B: friend}, {Kind: Ask, A: other, B: author},
			{Kind: Follow, A: other, B: reader}, {Kind: Social, A: friend, B: other}, one(Post, author), one(Post, author), one(Post, reader), one(Post, other), {Kind: Audit, V: auditFeeds}}
		ops = append(ops, interruption...)
		ops = append(ops, Op{Kind: Audit, V: auditFeeds}, Op{Kind: Ask, A: friend, B: reader}, Op{Kind: Ask, A: author, B: other}, one(Post, author), one(Change, author), Op{Kind: Remove, A: author, C: 1},
			one(Post, reader), Op{Kind: Follow, A: friend, B: other}, one(Edit, author), Op{Kind: Audit, V: auditThoroughly},
			Op{Kind: End, A: reader, B: author}, Op{Kind: Part, A: friend, B: author}, Op{Kind: Follow, A: reader, B: author}, one(Post, author),
			Op{Kind: LogOut, A: reader}, one(UseEnded, reader), Op{Kind: Leave, A: author})
		stories = append(stories, Story{Values: d.values(), Name: "sequences with something in between", Slots: slots, Ops: ops})
	}
	d.Shuffle(len(stories), func(i, j int) { stories[i], stories[j] = stories[j], stories[i] })
	return stories
}

// between returns what happens between two steps, in turns by the one who reads and by the one
// who is read.
func (d drawer) between(reader, author, friend, other int) [][]Op {
	var all [][]Op
	for _, sides := range [][2]int{{reader, author}, {author, reader}} {
		who, with := sides[0], sides[1]
		for _, kind := range []Kind{LogIn, LogOut, Edit, Rename, Repassword, Tweak, Change, Remove, Post, Gather, Defect} {
			all = append(all, []Op{{Kind: kind, A: who, V: d.values()}})
		}
		all = append(all,
			[]Op{{Kind: LogIn, A: who}, {Kind: LogOut, A: who}},
			[]Op{{Kind: LogIn, A: who, C: 1}, {Kind: LogOut, A: who, C: 1}},
			[]Op{{Kind: Edit, A: who, V: d.values()}, {Kind: Revert, A: who}},
			[]Op{{Kind: Change, A: who, V: d.values()}, {Kind: ChangeBack, A: who}},
			[]Op{{Kind: Remove, A: who}, {Kind: UseDeleted, A: who}, {Kind: UseDeleted, A: who, V: 1}},
			[]Op{{Kind: Trespass, A: with, B: who, V: trespassChange}}, []Op{{Kind: Trespass, A: with, B: who, V: trespassRemove}},
			[]Op{{Kind: Follow, A: who, B: with}, {Kind: End, A: who, B: with}},
			[]Op{{Kind: Ask, A: who, B: with}, {Kind: End, A: who, B: with}})
	}
	return slices.Concat(all, [][]Op{
		{{Kind: End, A: reader, B: friend}, {Kind: Ask, A: reader, B: friend}},
		{{Kind: End, A: reader, B: author}, {Kind: End, A: reader, B: author}, {Kind: Follow, A: reader, B: author}},
		{{Kind: Part, A: friend, B: author}, {Kind: Befriend, A: friend, B: author}},
		{{Kind: Leave, A: friend}, {Kind: Return, A: friend}}, {{Kind: Leave, A: other}},
		{{Kind: Rename, A: other, V: d.values()}, {Kind: Leave, A: other}},
		{{Kind: Social, A: reader, B: other}, {Kind: Leave, A: other}},
		{{Kind: Social, A: other, B: author}, {Kind: Follow, A: other, B: author}},
	})
}
