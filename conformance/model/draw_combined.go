package model

import "slices"

// Slots of a combined story besides those of a purge story. The readers come after them.
const (
	popular        = secondDeletedUser // has many followers and events, and is deleted in the end
	socialFollower = keptUser + iota   // follows whom it finds by social ids
	socialFriend                       // befriends them
	firstCombinedReader
)

// CombinedSize is the size of a combined story, which must fit into a budget of requests.
type CombinedSize struct {
	Events        int // of the popular user
	SkippedGroups int // how many operation groups are left out, the first ones
	Readers       int // of the deleted user
}

const usualPage = 20 // how many entries servers like to show at once

// CombinedSizes returns the sizes of combined stories, first the largest, which exceed the usual page.
func CombinedSizes() []CombinedSize {
	var all []CombinedSize
	for _, posts := range []int{usualPage + 1, 16, 12} {
		for without := range 3 {
			all = append(all, CombinedSize{posts, without, 15})
		}
	}
	return append(all, CombinedSize{12, 3, 15}, CombinedSize{12, 1, 12}, CombinedSize{12, 2, 12}, CombinedSize{12, 3, 12}, CombinedSize{12, 3, 9}, CombinedSize{12, 5, 9}, CombinedSize{8, 5, 7})
}

// CombinedStory draws the one story that finds most for its requests: a purge with many readers,
// a popular user whose events fill a page, and a user with every other kind of operation. Some
// operations are sent concurrently, which takes no more requests.
func CombinedStory(seed uint64, c Choices, size CombinedSize) Story {
	d := newDrawer(seed, "town")
	readers := connectionHistories()
	d.Shuffle(len(readers), func(i, j int) { readers[i], readers[j] = readers[j], readers[i] })
	readers = readers[:min(size.Readers, len(readers))]
	s := Story{Values: d.values(), Name: "combined", Slots: firstCombinedReader + len(readers), Brief: true, Late: true}
	add := func(ops ...Op) { s.Ops = append(s.Ops, ops...) }
	post := func(who int) { add(Op{Kind: Post, A: who, V: d.values()}) }
	concurrently := func(ops ...Op) { add(concurrent(ops...)...) }
	concurrently(Op{Kind: Post, A: popular}, Op{Kind: Post, A: popular, V: 1})
	for range size.Events - 2 {
		post(popular)
	}
	post(deletedUser)
	for i, h := range readers {
		add(h.connectOps(c, firstCombinedReader+i)...)
		if i == 0 {
			add(Op{Kind: Follow, A: firstCombinedReader, B: keptUser})
		}
		if i+1 == usualPage/2 { // a page may be as short
			add(Op{Kind: Audit, A: popular, V: auditOwnFollowers})
		}
		if i == len(readers)/2 {
			add(Op{Kind: Rename, A: deletedUser, V: d.values()})
		}
	}
	groups := d.operationGroups(keptUser, firstCombinedReader)
	add(slices.Concat(groups[size.SkippedGroups:]...)...)
	add(Op{Kind: Gather, A: socialFollower}, Op{Kind: Gather, A: socialFriend, V: 1}, Op{Kind: Follow, A: socialFollower, B: popular})
	concurrently(Op{Kind: Post, A: keptUser}, Op{Kind: Audit, A: socialFollower})
	concurrently(Op{Kind: Audit, A: socialFollower}, Op{Kind: Post, A: popular})
	post(deletedUser)
	add(Op{Kind: Change, A: deletedUser, C: 0, V: d.values()})
	concurrently(Op{Kind: Remove, A: deletedUser, C: 1}, Op{Kind: Change, A: deletedUser, C: 1})
	add(Op{Kind: Change, A: popular, C: size.Events / 2, V: d.values()}, Op{Kind: Remove, A: popular, C: size.Events - 1})
	post(deletedUser)
	last := s.Slots - 1
	for i, h := range readers {
		if h.connect == nil {
			add(Op{Kind: Follow, A: firstCombinedReader + i, B: deletedUser})
		}
	}
	post(firstCombinedReader)
	add(Op{Kind: Follow, A: deletedUser, B: keptUser},
		Op{Kind: Audit, V: auditFeeds}, Op{Kind: Audit, A: socialFollower, B: popular, V: auditPair}, Op{Kind: Audit, A: socialFriend, B: keptUser, V: auditPair},
		Op{Kind: Remove, A: popular, C: size.Events / 3}, Op{Kind: Remove, A: popular}, // which must remove no other event
		Op{Kind: Follow, A: firstCombinedReader, B: keptUser}, Op{Kind: Audit, A: socialFollower, B: socialFriend, V: auditRepeatedly},
		Op{Kind: End, A: socialFollower, B: last}, Op{Kind: End, A: socialFollower, B: last}, Op{Kind: End, A: firstCombinedReader + 1, B: popular},
		Op{Kind: Part, A: socialFriend, B: firstCombinedReader}, Op{Kind: Trespass, A: socialFriend, B: firstCombinedReader, V: 1},
		Op{Kind: LogIn, A: deletedUser})
	for i := range readers { // however they are or were connected to the leaver
		add(Op{Kind: Trespass, A: firstCombinedReader + i, B: deletedUser, V: trespassRemove})
	}
	add(Op{Kind: Leave, A: deletedUser}, Op{Kind: Audit, V: auditFeeds}, Op{Kind: Post, A: firstCombinedReader + 1}, Op{Kind: Audit, A: firstCombinedReader + 1, V: auditOwnFeed}, Op{Kind: UseEnded, A: deletedUser, V: d.values()})
	concurrently(Op{Kind: End, A: socialFollower, B: keptUser}, Op{Kind: Post, A: keptUser})
	add(Op{Kind: Leave, A: last}) // which must remove nothing of the users that it followed
	concurrently(Op{Kind: Leave, A: popular}, Op{Kind: LogIn, A: popular}, Op{Kind: Post, A: popular}, Op{Kind: Follow, A: keptUser, B: popular})
	add(Op{Kind: Return, A: deletedUser, V: d.values() | 1}, Op{Kind: LogIn, A: deletedUser})
	post(deletedUser)
	return s
}

// connectOps returns the operations that connect a reader to the two users who will be deleted.
func (h connectionHistory) connectOps(c Choices, reader int) []Op {
	var ops []Op
	if h.connect != nil {
		if ops = h.connect(reader); h.name != "friend" { // where both ask, concurrently
			ops = withoutSecondRequests(c, ops)
		}
	}
	return append(repeatsConcurrently(ops), Op{Kind: Follow, A: reader, B: popular})
}

// concurrent marks operations to be sent concurrently, in their order.
func concurrent(ops ...Op) []Op {
	for i := range ops[1:] {
		ops[i].AtOnce = true
	}
	return ops
}

// repeatsConcurrently makes two users' requests to each other, and repeated requests, concurrent.
func repeatsConcurrently(ops []Op) []Op {
	var all []Op
	for i, o := range ops {
		if o.Kind == Befriend {
			all = append(all, concurrent(Op{Kind: Ask, A: o.A, B: o.B}, Op{Kind: Ask, A: o.B, B: o.A})...)
			continue
		}
		o.AtOnce = o.Kind == Follow && i+1 < len(ops) && ops[i+1] == o
		all = append(all, o)
	}
	return all
}

// withoutSecondRequests drops the second request of a friendship if the target needs only one.
func withoutSecondRequests(c Choices, ops []Op) []Op {
	for i := range ops {
		if ops[i].Kind == Befriend && c.FriendsAtOnce == Yes {
			ops[i].Kind = Ask
		}
	}
	return ops
}

// operationGroupCount is how many groups drawer.operationGroups returns.
const operationGroupCount = 5

// operationGroups returns, in groups, operations by and on a user, each followed by its undoing or
// a repetition. A story can leave out the first groups.
func (d drawer) operationGroups(who, reader int) [operationGroupCount][]Op {
	record, feed := Op{Kind: Audit, A: who, V: auditOwnRecord}, Op{Kind: Audit, A: reader, V: auditOwnFeed}
	return [operationGroupCount][]Op{
		{{Kind: Edit, A: who, V: d.values()}, {Kind: Edit, A: who, V: d.values()}, record, {Kind: Revert, A: who}, record, {Kind: Tweak, A: who}},
		{{Kind: Post, A: who, V: d.values()}, {Kind: Change, A: who, V: d.values()}, {Kind: Change, A: who, V: d.values()}, feed, {Kind: ChangeBack, A: who}, feed, {Kind: Tweak, A: who, V: 1}, feed,
			{Kind: Remove, A: who, AtOnce: true}, {Kind: Remove, A: who}, {Kind: Post, A: who, V: d.values()}},
		{{Kind: Rename, A: who, V: d.values()}, {Kind: Audit, A: who, V: auditNames}, {Kind: Revert, A: who}, {Kind: Audit, A: who, V: auditNames}, {Kind: LogIn, A: who, V: d.values()}},
		{{Kind: LogOut, A: who, AtOnce: true}, {Kind: Audit, A: who, V: 1}, {Kind: LogOut, A: who, AtOnce: true}, {Kind: LogOut, A: who}, {Kind: Edit, A: who, V: d.values()}},
		{{Kind: End, A: reader, B: who}, {Kind: Follow, A: reader, B: who}, {Kind: End, A: reader, B: who}, {Kind: Trespass, A: reader, B: who, V: 1}},
	}
}
