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
	d := newDrawer(seed, "later")
	post := func(who int) Op { return Op{Kind: Post, A: who, V: d.values()} }
	return Story{Values: d.values(), Name: "long wait", Slots: slots, Brief: true, Ops: []Op{
		post(deleted), post(author), post(author), {Kind: Join, A: renamed}, {Kind: Join, A: loggedOut},
		{Kind: Follow, A: follower, B: author}, {Kind: Follow, A: follower, B: deleted}, {Kind: Befriend, A: friend, B: author}, {Kind: Befriend, A: friend, B: deleted},
		{Kind: Follow, A: unfollowed, B: author}, {Kind: Follow, A: unfollowed, B: deleted}, {Kind: Befriend, A: friendThenFollower, B: author}, {Kind: Follow, A: loggedOut, B: renamed},
		post(author), post(deleted), post(author), post(renamed), {Kind: Follow, A: deleted, B: author},
		{Kind: Change, A: author, C: 0, V: d.values()}, {Kind: Change, A: author, C: 1, V: d.values()}, {Kind: Remove, A: author, C: 2},
		{Kind: End, A: unfollowed, B: author}, {Kind: Part, A: friendThenFollower, B: author}, {Kind: Follow, A: friendThenFollower, B: author},
		{Kind: Edit, A: author, V: d.values()}, {Kind: Edit, A: renamed, C: 1, V: d.values()}, {Kind: Rename, A: renamed, V: d.values()},
		{Kind: LogIn, A: loggedOut}, {Kind: LogOut, A: loggedOut}, {Kind: Repassword, A: follower}, {Kind: Leave, A: deleted}, post(author),
		{Kind: Rest, V: 1}, {Kind: Audit, V: auditThoroughly}, {Kind: LogIn, A: renamed}, {Kind: LogIn, A: renamed, V: 1}, {Kind: LogIn, A: friend, V: 1}, {Kind: UseEnded, A: loggedOut, V: d.values()},
		{Kind: UseDeleted, A: author}, {Kind: Change, A: author, V: verbAlone}, {Kind: Remove, A: author}, {Kind: End, A: follower, B: author}, {Kind: Edit, A: friend, V: d.values()}, {Kind: Trespass, A: loggedOut, B: author, V: trespassChange}, {Kind: Trespass, A: friend, B: author, C: 1, V: trespassRemove}, {Kind: Audit, V: auditFeeds},
	}}
}
