package model

// afterLongWait draws a story that compares everything only after a long wait, which shows what
// expires, comes back or is written late.
func afterLongWait(seed uint64) Story {
	// The slots.
	const (
		deleted = iota // leaves
		author
		follower           // follows both
		friend             // befriends both
		unfollowed         // followed both, and ended it
		friendThenFollower // was a friend and followed again
		renamed            // is called otherwise since
		loggedOut          // has ended sessions
		slots              // how many there are
	)
	d := newGenerator(seed, "later")
	post := func(who int) Op { return Op{Kind: Post, Actor: who, Values: d.values()} }
	return Story{Values: d.values(), Name: "long wait", Slots: slots, ShortAudit: true, Ops: []Op{
		post(deleted), post(author), post(author), {Kind: Join, Actor: renamed}, {Kind: Join, Actor: loggedOut},
		{Kind: Follow, Actor: follower, Other: author}, {Kind: Follow, Actor: follower, Other: deleted}, {Kind: RequestMutually, Actor: friend, Other: author}, {Kind: RequestMutually, Actor: friend, Other: deleted},
		{Kind: Follow, Actor: unfollowed, Other: author}, {Kind: Follow, Actor: unfollowed, Other: deleted}, {Kind: RequestMutually, Actor: friendThenFollower, Other: author}, {Kind: Follow, Actor: loggedOut, Other: renamed},
		post(author), post(deleted), post(author), post(renamed), {Kind: Follow, Actor: deleted, Other: author},
		{Kind: Change, Actor: author, Values: d.values()}, {Kind: Change, Actor: author, Event: 1, Values: d.values()}, {Kind: Remove, Actor: author, Event: 2},
		{Kind: End, Actor: unfollowed, Other: author}, {Kind: DisconnectBoth, Actor: friendThenFollower, Other: author}, {Kind: Follow, Actor: friendThenFollower, Other: author},
		{Kind: Edit, Actor: author, Values: d.values()}, {Kind: Edit, Actor: renamed, NewToken: true, Values: d.values()}, {Kind: Rename, Actor: renamed, Values: d.values()},
		{Kind: LogIn, Actor: loggedOut}, {Kind: LogOut, Actor: loggedOut}, {Kind: ChangePassword, Actor: follower}, {Kind: DeleteUser, Actor: deleted}, post(author),
		{Kind: Wait, Long: true}, {Kind: Audit, Extent: AuditThoroughly}, {Kind: LogIn, Actor: renamed}, {Kind: LogIn, Actor: renamed, ByEmail: true}, {Kind: LogIn, Actor: friend, ByEmail: true}, {Kind: UseEnded, Actor: loggedOut, Variant: d.values()},
		{Kind: UseDeleted, Actor: author}, {Kind: Change, Actor: author, Values: verbAlone}, {Kind: Remove, Actor: author}, {Kind: End, Actor: follower, Other: author}, {Kind: Edit, Actor: friend, Values: d.values()}, {Kind: WriteForeign, Actor: loggedOut, Other: author}, {Kind: WriteForeign, Actor: friend, Other: author, Event: 1, Write: DeleteForeignEvent}, {Kind: Audit, Extent: AuditFeeds},
	}}
}
