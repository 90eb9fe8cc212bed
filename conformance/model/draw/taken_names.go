package draw

import "github.com/socialfeed/conform/conformance/model/story"

// takenNames draws a story of a user who takes the name and the email that another one gave up,
// tries what is that one's, and is deleted: nothing of either must be taken for the other's.
func takenNames(seed uint64) story.Story {
	const owner, taker, follower, friend, slots = 0, 1, 2, 3, 4
	d := newGenerator(seed, "taken names")
	return story.Story{Values: d.values(), Name: "taken names", Slots: slots, Compare: story.CompareAfterEach, ShortAudit: true, Ops: []story.Op{
		{Kind: story.Follow, Actor: follower, Other: owner}, {Kind: story.RequestMutually, Actor: friend, Other: owner}, {Kind: story.Post, Actor: owner, Values: d.values()}, {Kind: story.Rename, Actor: owner, Values: d.values()},
		{Kind: story.Post, Actor: owner, Values: d.values()}, {Kind: story.TakeNames, Actor: taker, Other: owner}, {Kind: story.WriteForeign, Actor: taker, Other: owner}, {Kind: story.WriteForeign, Actor: taker, Other: owner, Write: story.DeleteForeignEvent},
		{Kind: story.Change, Actor: owner, Values: d.values()}, {Kind: story.LogIn, Actor: taker}, {Kind: story.LogIn, Actor: taker, ByEmail: true}, {Kind: story.LogIn, Actor: owner, ByEmail: true}, {Kind: story.Follow, Actor: follower, Other: taker}, {Kind: story.Post, Actor: taker, Values: d.values()},
		{Kind: story.DeleteUser, Actor: taker}, {Kind: story.Audit, Extent: story.AuditFeedsAndLists}, {Kind: story.Recreate, Actor: taker, Values: d.values() | 1, WithoutLogin: true}, {Kind: story.LogIn, Actor: taker}, {Kind: story.Post, Actor: owner, Values: d.values()}, {Kind: story.DeleteUser, Actor: owner},
	}}
}
