package model

// takenNames draws a story of a user who takes the name and the email that another one gave up,
// tries what is that one's, and is deleted: nothing of either must be taken for the other's.
func takenNames(seed uint64) Story {
	const owner, taker, follower, friend, slots = 0, 1, 2, 3, 4
	d := newDrawer(seed, "taken names")
	return Story{Values: d.values(), Name: "taken names", Slots: slots, Compare: CompareAfterEach, Brief: true, Ops: []Op{
		{Kind: Follow, A: follower, B: owner}, {Kind: Befriend, A: friend, B: owner}, {Kind: Post, A: owner, V: d.values()}, {Kind: Rename, A: owner, V: d.values()},
		{Kind: Post, A: owner, V: d.values()}, {Kind: TakeNames, A: taker, B: owner}, {Kind: Trespass, A: taker, B: owner, V: trespassChange}, {Kind: Trespass, A: taker, B: owner, V: trespassRemove},
		{Kind: Change, A: owner, V: d.values()}, {Kind: LogIn, A: taker}, {Kind: LogIn, A: taker, V: 1}, {Kind: LogIn, A: owner, V: 1}, {Kind: Follow, A: follower, B: taker}, {Kind: Post, A: taker, V: d.values()},
		{Kind: Leave, A: taker}, {Kind: Audit, V: auditFeedsAndLists}, {Kind: Return, A: taker, V: d.values() | 1}, {Kind: LogIn, A: taker}, {Kind: Post, A: owner, V: d.values()}, {Kind: Leave, A: owner},
	}}
}
