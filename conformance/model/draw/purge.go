package draw

import (
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/story"
)

// connectionHistory is how a reader gets connected to a user before that one is deleted;
// connect is nil for a reader who connects after all events.
type connectionHistory struct {
	name    string
	connect func(reader int) []story.Op
}

// connectionHistories returns the ways to be, or to have been, connected to a user who is then
// deleted.
func connectionHistories() []connectionHistory {
	with := func(kinds ...story.Kind) func(int) []story.Op {
		return func(reader int) []story.Op {
			var ops []story.Op
			for _, k := range kinds {
				ops = append(ops, story.Op{Kind: k, Actor: reader, Other: deletedUser})
			}
			return ops
		}
	}
	leftAsFriend := func(r int, ops ...story.Op) []story.Op { // both ask, whether or not one request suffices, and the user who will be deleted ends it
		asked := append([]story.Op{{Kind: story.RequestFriend, Actor: r, Other: deletedUser}, {Kind: story.RequestFriend, Actor: deletedUser, Other: r}}, ops...)
		return append(asked, story.Op{Kind: story.End, Actor: deletedUser, Other: r})
	}
	return []connectionHistory{
		{name: "follow", connect: with(story.Follow)},
		{name: "friend", connect: with(story.RequestMutually)},
		{name: "follow, then friend", connect: with(story.Follow, story.RequestMutually)},
		{name: "friend, then follow, and a friend no more", connect: func(r int) []story.Op {
			return leftAsFriend(r, story.Op{Kind: story.Follow, Actor: r, Other: deletedUser})
		}},
		{name: "follow by social id", connect: with(story.ConnectBySocialID)},
		{name: "friend by social id", connect: func(r int) []story.Op {
			return []story.Op{{Kind: story.ConnectBySocialID, Actor: r, Other: deletedUser, AsFriend: true}, {Kind: story.RequestFriend, Actor: deletedUser, Other: r}}
		}},
		{name: "ended and made again", connect: with(story.Follow, story.End, story.Follow)},
		{name: "friends again", connect: with(story.RequestMutually, story.DisconnectBoth, story.RequestMutually)},
		{name: "friends no more, then follow", connect: with(story.RequestMutually, story.DisconnectBoth, story.Follow)},
		{name: "friend whom the leaver left, then follow", connect: func(r int) []story.Op {
			return append(leftAsFriend(r), story.Op{Kind: story.Follow, Actor: r, Other: deletedUser})
		}},
		{name: "both ways", connect: func(r int) []story.Op {
			return []story.Op{{Kind: story.Follow, Actor: r, Other: deletedUser}, {Kind: story.Follow, Actor: deletedUser, Other: r}}
		}},
		{name: "both ways, then friends", connect: func(r int) []story.Op {
			return []story.Op{{Kind: story.Follow, Actor: r, Other: deletedUser}, {Kind: story.Follow, Actor: deletedUser, Other: r}, {Kind: story.RequestMutually, Actor: r, Other: deletedUser}}
		}},
		{name: "asked by the leaver", connect: func(r int) []story.Op {
			return []story.Op{{Kind: story.RequestMutually, Actor: deletedUser, Other: r}}
		}},
		{name: "logged out since", connect: func(r int) []story.Op {
			return []story.Op{{Kind: story.Follow, Actor: r, Other: deletedUser}, {Kind: story.LogOut, Actor: r}}
		}},
		{name: "followed twice, back too, and ended", connect: func(r int) []story.Op {
			return append([]story.Op{{Kind: story.Follow, Actor: deletedUser, Other: r}}, with(story.Follow, story.Follow, story.End)(r)...)
		}},
		{name: "followed twice", connect: with(story.Follow, story.Follow)},
		{name: "late follower"},
	}
}

// connectOps returns the operations that connect a reader to the user who will be deleted first.
func (h connectionHistory) connectOps(c leeway.Choices, reader int) []story.Op {
	var ops []story.Op
	if h.connect != nil {
		if ops = h.connect(reader); h.name != "friend" { // where both ask, concurrently
			ops = withoutSecondRequests(c, ops)
		}
	}
	return repeatsConcurrently(ops)
}

// repeatsConcurrently makes two users' requests to each other, and repeated requests, concurrent.
func repeatsConcurrently(ops []story.Op) []story.Op {
	var all []story.Op
	for i, o := range ops {
		if o.Kind == story.RequestMutually {
			all = append(all, AtOnce(story.Op{Kind: story.RequestFriend, Actor: o.Actor, Other: o.Other}, story.Op{Kind: story.RequestFriend, Actor: o.Other, Other: o.Actor})...)
			continue
		}
		o.AtOnce = o.Kind == story.Follow && i+1 < len(ops) && ops[i+1].Kind == story.Follow && (ops[i+1] == o || len(ops) == 2) // or both of each other
		all = append(all, o)
	}
	return all
}

// withoutSecondRequests drops the second request of a friendship if the target needs only one.
func withoutSecondRequests(c leeway.Choices, ops []story.Op) []story.Op {
	for i := range ops {
		if ops[i].Kind == story.RequestMutually && c.FriendsAtOnce == leeway.Yes {
			ops[i].Kind = story.RequestFriend
		}
	}
	return ops
}

// Purges draws stories of users that are deleted: one reader for each connection history, all
// kinds of events, an audit before and after, then a second deletion. If few is below the
// number of histories, each story has that many of them, and several stories cover them all.
func Purges(seed uint64, few int) []story.Story {
	d := newGenerator(seed, "purges")
	all := connectionHistories()
	d.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var stories []story.Story
	for len(all) > 0 {
		n := min(few, len(all))
		stories = append(stories, d.purge(all[:n]))
		all = all[n:]
	}
	return stories
}

func (d generator) purge(all []connectionHistory) story.Story {
	s := story.Story{Values: d.values(), Name: "purge", Slots: firstReader + len(all), SharedNames: firstReader, ShortAudit: true}
	add := func(ops ...story.Op) { s.Ops = append(s.Ops, ops...) }
	post := func(who int) { add(story.Op{Kind: story.Post, Actor: who, Values: d.values()}) }
	post(deletedUser)
	for i, h := range all {
		if h.connect != nil {
			add(h.connect(firstReader + i)...)
		}
		if i == len(all)/2 {
			add(story.Op{Kind: story.Rename, Actor: deletedUser, Values: d.values()})
		}
		add(story.Op{Kind: story.Follow, Actor: firstReader + i, Other: []int{secondDeletedUser, keptUser}[i%2]})
	}
	away := firstReader + len(all) - 1 // is logged out while others post, and at the deletion
	add(story.Op{Kind: story.LogOut, Actor: away}, story.Op{Kind: story.LogOut, Actor: firstReader})
	post(keptUser)
	post(secondDeletedUser)
	post(deletedUser)
	post(deletedUser)
	add(story.Op{Kind: story.Change, Actor: deletedUser, Values: d.values()}, story.Op{Kind: story.Change, Actor: deletedUser, Event: 2, Values: d.values()}, story.Op{Kind: story.Remove, Actor: deletedUser, Event: 1})
	post(deletedUser)
	for i, h := range all {
		if h.connect == nil {
			add(story.Op{Kind: story.Follow, Actor: firstReader + i, Other: deletedUser})
		}
	}
	add(story.Op{Kind: story.Follow, Actor: deletedUser, Other: keptUser}, story.Op{Kind: story.Follow, Actor: firstReader + 2, Other: keptUser}, // whose name begins with that of another whom the reader follows
		story.Op{Kind: story.Follow, Actor: firstReader, Other: firstReader + 1}, story.Op{Kind: story.Post, Actor: firstReader + 1, Values: d.values()})
	add(story.Op{Kind: story.Audit, Extent: story.AuditFeeds}, story.Op{Kind: story.LogIn, Actor: deletedUser}, story.Op{Kind: story.LogOut, Actor: away}, story.Op{Kind: story.LogOut, Actor: firstReader + 1}, story.Op{Kind: story.DeleteUser, Actor: deletedUser},
		story.Op{Kind: story.LogIn, Actor: firstReader, ByEmail: d.values()%2 != 0}, story.Op{Kind: story.LogIn, Actor: firstReader + 2}, story.Op{Kind: story.Audit, Extent: story.AuditFeedsAndLists})
	add(story.Op{Kind: story.UseEnded, Actor: deletedUser, Variant: d.values()}, story.Op{Kind: story.Post, Actor: keptUser, Values: d.values()}, story.Op{Kind: story.DeleteUser, Actor: secondDeletedUser}, story.NewOp(story.Recreate, deletedUser, 0, 0, d.values()),
		story.Op{Kind: story.Follow, Actor: deletedUser, Other: keptUser}, story.Op{Kind: story.Audit, Actor: keptUser, Extent: story.AuditOwnFollowers})
	post(deletedUser)
	return s
}

// Slots of a story about a purge. The readers come after them.
const (
	deletedUser = iota
	secondDeletedUser
	keptUser
	firstReader
)
