package model

// later draws a story in which everything is compared only after a long wait: this shows what
// expires, is restored or is written late.
func later(seed uint64) Story {
	// The slots.
	const (
		gone = iota // leaves
		author
		fan        // follows both
		companion  // befriends both
		once       // followed both, and ended it
		twice      // was a friend and followed again
		renamed    // is called otherwise since
		loggedOut  // has ended sessions
		laterSlots // how many there are
	)
	d := newDrawer(seed, "later")
	post := func(who int) Op { return Op{Kind: Post, A: who, V: d.values()} }
	return Story{Values: d.values(), Name: "later", Slots: laterSlots, Brief: true, Ops: []Op{
		post(gone), post(author), post(author), {Kind: Join, A: renamed}, {Kind: Join, A: loggedOut},
		{Kind: Follow, A: fan, B: author}, {Kind: Follow, A: fan, B: gone}, {Kind: Befriend, A: companion, B: author}, {Kind: Befriend, A: companion, B: gone},
		{Kind: Follow, A: once, B: author}, {Kind: Follow, A: once, B: gone}, {Kind: Befriend, A: twice, B: author}, {Kind: Follow, A: loggedOut, B: renamed},
		post(author), post(gone), post(author), post(renamed), {Kind: Follow, A: gone, B: author},
		{Kind: Change, A: author, C: 0, V: d.values()}, {Kind: Change, A: author, C: 1, V: d.values()}, {Kind: Remove, A: author, C: 2},
		{Kind: End, A: once, B: author}, {Kind: Part, A: twice, B: author}, {Kind: Follow, A: twice, B: author},
		{Kind: Edit, A: author, V: d.values()}, {Kind: Edit, A: renamed, C: 1, V: d.values()}, {Kind: Rename, A: renamed, V: d.values()},
		{Kind: LogIn, A: loggedOut}, {Kind: LogOut, A: loggedOut}, {Kind: Leave, A: gone}, post(author),
		{Kind: Rest, V: 1}, {Kind: Audit, V: auditThoroughly},
	}}
}
