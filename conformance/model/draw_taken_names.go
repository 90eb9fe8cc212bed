package model

// takenNames draws a story of a user who takes the name and the email that another one gave up,
// tries what is that one's, and is deleted: nothing of either must be taken for the other's.
func takenNames(seed uint64) Story {
	const owner, taker, follower, friend, slots = 0, 1, 2, 3, 4
	d := newGenerator(seed, "taken names")
	return Story{Values: d.values(), Name: "taken names", Slots: slots, Compare: CompareAfterEach, ShortAudit: true, Ops: []Op{
		{Kind: Follow, Actor: follower, Other: owner}, {Kind: RequestMutually, Actor: friend, Other: owner}, {Kind: Post, Actor: owner, Values: d.values()}, {Kind: Rename, Actor: owner, Values: d.values()},
		{Kind: Post, Actor: owner, Values: d.values()}, {Kind: TakeNames, Actor: taker, Other: owner}, {Kind: WriteForeign, Actor: taker, Other: owner}, {Kind: WriteForeign, Actor: taker, Other: owner, Write: DeleteForeignEvent},
		{Kind: Change, Actor: owner, Values: d.values()}, {Kind: LogIn, Actor: taker}, {Kind: LogIn, Actor: taker, ByEmail: true}, {Kind: LogIn, Actor: owner, ByEmail: true}, {Kind: Follow, Actor: follower, Other: taker}, {Kind: Post, Actor: taker, Values: d.values()},
		{Kind: DeleteUser, Actor: taker}, {Kind: Audit, Extent: AuditFeedsAndLists}, {Kind: Recreate, Actor: taker, Values: d.values() | 1, WithoutLogin: true}, {Kind: LogIn, Actor: taker}, {Kind: Post, Actor: owner, Values: d.values()}, {Kind: DeleteUser, Actor: owner},
	}}
}
