package draw

import (
	"slices"

	"github.com/socialfeed/conform/conformance/model/story"
)

// Interruptions draws stories of what takes two steps (to ask and be asked to be friends, to follow
// and see what is posted, to post and change or delete): in each story one thing happens between them.
func Interruptions(seed uint64) []story.Story {
	const reader, author, friend, other, slots = 0, 1, 2, 3, 4
	d := newGenerator(seed, "interruptions")
	one := func(kind story.Kind, who int) story.Op { return story.NewOp(kind, who, 0, 0, d.values()) }
	var stories []story.Story
	for _, interruption := range d.between(reader, author, friend, other) {
		ops := []story.Op{{Kind: story.Follow, Actor: reader, Other: author}, {Kind: story.RequestMutually, Actor: friend, Other: author}, {Kind: story.RequestFriend, Actor: reader, Other: friend}, {Kind: story.RequestFriend, Actor: other, Other: author},
			{Kind: story.Follow, Actor: other, Other: reader}, {Kind: story.ConnectBySocialID, Actor: friend, Other: other}, one(story.Post, author), one(story.Post, author), one(story.Post, reader), one(story.Post, other), {Kind: story.Audit, Extent: story.AuditFeeds}}
		ops = append(ops, interruption...)
		ops = append(ops, story.Op{Kind: story.Audit, Extent: story.AuditFeeds}, story.Op{Kind: story.RequestFriend, Actor: friend, Other: reader}, story.Op{Kind: story.RequestFriend, Actor: author, Other: other}, one(story.Post, author), one(story.Change, author), story.Op{Kind: story.Remove, Actor: author, Event: 1},
			one(story.Post, reader), story.Op{Kind: story.Follow, Actor: friend, Other: other}, one(story.Edit, author), story.Op{Kind: story.Audit, Extent: story.AuditThoroughly},
			story.Op{Kind: story.End, Actor: reader, Other: author}, story.Op{Kind: story.DisconnectBoth, Actor: friend, Other: author}, story.Op{Kind: story.Follow, Actor: reader, Other: author}, one(story.Post, author),
			story.Op{Kind: story.LogOut, Actor: reader}, one(story.UseEnded, reader), story.Op{Kind: story.DeleteUser, Actor: author})
		stories = append(stories, story.Story{Values: d.values(), Name: "sequences with something in between", Slots: slots, Ops: ops})
	}
	d.Shuffle(len(stories), func(i, j int) { stories[i], stories[j] = stories[j], stories[i] })
	return stories
}

// between returns what happens between two steps, in turns by the one who reads and by the one
// who is read.
func (d generator) between(reader, author, friend, other int) [][]story.Op {
	var all [][]story.Op
	for _, sides := range [][2]int{{reader, author}, {author, reader}} {
		who, with := sides[0], sides[1]
		for _, kind := range []story.Kind{story.LogIn, story.LogOut, story.Edit, story.Rename, story.ChangePassword, story.UpdateSimilar, story.Change, story.Remove, story.Post, story.ConnectAllBySocialID, story.SendDefect} {
			all = append(all, []story.Op{story.NewOp(kind, who, 0, 0, d.values())})
		}
		all = append(all,
			[]story.Op{{Kind: story.LogIn, Actor: who}, {Kind: story.LogOut, Actor: who}},
			[]story.Op{{Kind: story.LogIn, Actor: who, WithDetails: true}, {Kind: story.LogOut, Actor: who, Session: 1}},
			[]story.Op{{Kind: story.Edit, Actor: who, Values: d.values()}, {Kind: story.Revert, Actor: who}},
			[]story.Op{{Kind: story.Change, Actor: who, Values: d.values()}, {Kind: story.ChangeBack, Actor: who}},
			[]story.Op{{Kind: story.Remove, Actor: who}, {Kind: story.UseDeleted, Actor: who}, {Kind: story.UseDeleted, Actor: who, Delete: true}},
			[]story.Op{{Kind: story.WriteForeign, Actor: with, Other: who}}, []story.Op{{Kind: story.WriteForeign, Actor: with, Other: who, Write: story.DeleteForeignEvent}},
			[]story.Op{{Kind: story.Follow, Actor: who, Other: with}, {Kind: story.End, Actor: who, Other: with}},
			[]story.Op{{Kind: story.RequestFriend, Actor: who, Other: with}, {Kind: story.End, Actor: who, Other: with}})
	}
	return slices.Concat(all, [][]story.Op{
		{{Kind: story.End, Actor: reader, Other: friend}, {Kind: story.RequestFriend, Actor: reader, Other: friend}},
		{{Kind: story.End, Actor: reader, Other: author}, {Kind: story.End, Actor: reader, Other: author}, {Kind: story.Follow, Actor: reader, Other: author}},
		{{Kind: story.DisconnectBoth, Actor: friend, Other: author}, {Kind: story.RequestMutually, Actor: friend, Other: author}},
		{{Kind: story.DeleteUser, Actor: friend}, {Kind: story.Recreate, Actor: friend}}, {{Kind: story.DeleteUser, Actor: other}},
		{{Kind: story.Rename, Actor: other, Values: d.values()}, {Kind: story.DeleteUser, Actor: other}},
		{{Kind: story.ConnectBySocialID, Actor: reader, Other: other}, {Kind: story.DeleteUser, Actor: other}},
		{{Kind: story.ConnectBySocialID, Actor: other, Other: author}, {Kind: story.Follow, Actor: other, Other: author}},
	})
}
