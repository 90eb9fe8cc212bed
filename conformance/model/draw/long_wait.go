package draw

import "github.com/socialfeed/conform/conformance/model/story"

// AfterLongWait draws a story that compares everything only after a long wait, which shows what
// expires, comes back or is written late.
func AfterLongWait(seed uint64) story.Story {
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
	post := func(who int) story.Op { return story.Op{Kind: story.Post, Actor: who, Values: d.values()} }
	return story.Story{Values: d.values(), Name: "long wait", Slots: slots, ShortAudit: true, Ops: []story.Op{
		post(deleted), post(author), post(author), {Kind: story.Join, Actor: renamed}, {Kind: story.Join, Actor: loggedOut},
		{Kind: story.Follow, Actor: follower, Other: author}, {Kind: story.Follow, Actor: follower, Other: deleted}, {Kind: story.RequestMutually, Actor: friend, Other: author}, {Kind: story.RequestMutually, Actor: friend, Other: deleted},
		{Kind: story.Follow, Actor: unfollowed, Other: author}, {Kind: story.Follow, Actor: unfollowed, Other: deleted}, {Kind: story.RequestMutually, Actor: friendThenFollower, Other: author}, {Kind: story.Follow, Actor: loggedOut, Other: renamed},
		post(author), post(deleted), post(author), post(renamed), {Kind: story.Follow, Actor: deleted, Other: author},
		{Kind: story.Change, Actor: author, Values: d.values()}, {Kind: story.Change, Actor: author, Event: 1, Values: d.values()}, {Kind: story.Remove, Actor: author, Event: 2},
		{Kind: story.End, Actor: unfollowed, Other: author}, {Kind: story.DisconnectBoth, Actor: friendThenFollower, Other: author}, {Kind: story.Follow, Actor: friendThenFollower, Other: author},
		{Kind: story.Edit, Actor: author, Values: d.values()}, {Kind: story.Edit, Actor: renamed, NewToken: true, Values: d.values()}, {Kind: story.Rename, Actor: renamed, Values: d.values()},
		{Kind: story.LogIn, Actor: loggedOut}, {Kind: story.LogOut, Actor: loggedOut}, {Kind: story.ChangePassword, Actor: follower}, {Kind: story.DeleteUser, Actor: deleted}, post(author),
		{Kind: story.Wait, Long: true}, {Kind: story.Audit, Extent: story.AuditThoroughly}, {Kind: story.LogIn, Actor: renamed}, {Kind: story.LogIn, Actor: renamed, ByEmail: true}, {Kind: story.LogIn, Actor: friend, ByEmail: true}, {Kind: story.UseEnded, Actor: loggedOut, Variant: d.values()},
		{Kind: story.UseDeleted, Actor: author}, {Kind: story.Change, Actor: author, Values: story.VerbAlone}, {Kind: story.Remove, Actor: author}, {Kind: story.End, Actor: follower, Other: author}, {Kind: story.Edit, Actor: friend, Values: d.values()}, {Kind: story.WriteForeign, Actor: loggedOut, Other: author}, {Kind: story.WriteForeign, Actor: friend, Other: author, Event: 1, Write: story.DeleteForeignEvent}, {Kind: story.Audit, Extent: story.AuditFeeds},
	}}
}
