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
	SkippedGroups int // how many operation groups are left out
	Readers       int // of the deleted user
	Sessions      int // of the deleted user besides the first
}

const usualPage = 20 // how many entries servers like to show at once

// CombinedSizes returns the sizes of combined stories, first the largest, which exceed the usual page.
func CombinedSizes() []CombinedSize {
	const many, few, one = 4, 2, 1 // sessions
	var all []CombinedSize
	for _, posts := range []int{usualPage + 1, 16, 12} {
		for without := range 3 {
			all = append(all, CombinedSize{posts, without, 15, many})
		}
	}
	return append(all, CombinedSize{12, 3, 15, many}, CombinedSize{12, 1, 12, many}, CombinedSize{12, 2, 12, many}, CombinedSize{12, 3, 12, many}, CombinedSize{12, 3, 9, many}, CombinedSize{8, 2, 9, many}, CombinedSize{8, 3, 9, many},
		CombinedSize{8, 3, 7, many}, CombinedSize{8, 4, 7, many}, CombinedSize{8, 5, 7, many}, CombinedSize{8, 5, 6, many}, CombinedSize{8, 5, 5, many}, CombinedSize{6, 5, 5, many}, CombinedSize{6, 5, 4, many},
		CombinedSize{5, 5, 4, few}, CombinedSize{4, 5, 4, one}, CombinedSize{3, 5, 4, one}, CombinedSize{3, 5, 3, one}, CombinedSize{2, 5, 2, one}, CombinedSize{2, 5, 1, one})
}

// CombinedStory draws the one story that finds most for its requests: a purge with many readers,
// a popular user whose events fill a page, and a user with every other kind of operation. Some
// operations are sent concurrently, which takes no more requests.
func CombinedStory(seed uint64, c Choices, size CombinedSize) Story {
	d := newDrawer(seed, "town")
	readers := connectionHistories()
	d.Shuffle(len(readers), func(i, j int) { readers[i], readers[j] = readers[j], readers[i] })
	const place = 3 // of the one who connects late, whom few sizes leave out
	late := slices.IndexFunc(readers, func(h connectionHistory) bool { return h.connect == nil })
	readers[place], readers[late] = readers[late], readers[place]
	readers = readers[:min(size.Readers, len(readers))]
	s := combined{drawer: d, size: size, readers: readers, last: firstCombinedReader + len(readers) - 1}
	story := Story{Values: d.values(), Name: "combined", Slots: firstCombinedReader + len(readers), Brief: true, Late: true}
	s.posts()
	s.connections(c)
	s.groups()
	s.changes()
	s.takenNames()
	s.endings()
	s.deletion()
	s.deletions()
	story.Ops = s.ops
	return story
}

// combined is a combined story being drawn, part by part.
type combined struct {
	drawer
	size    CombinedSize
	readers []connectionHistory
	last    int // the slot of the last reader
	ops     []Op
}

func (s *combined) add(ops ...Op) { s.ops = append(s.ops, ops...) }

func (s *combined) post(who int) { s.add(Op{Kind: Post, A: who, V: s.values()}) }

func (s *combined) concurrently(ops ...Op) { s.add(concurrent(ops...)...) }

// otherThanVerb returns a number that chooses a single field of an event, not the verb.
func (s *combined) otherThanVerb() int {
	v := s.values()
	for v%3 != verbAlone || eventFields()[v/3%len(eventFields())] != "priority" || !hasOptional(v, 1) {
		v++
	}
	return v
}

// posts has the popular user fill a page with events.
func (s *combined) posts() {
	s.post(keptUser) // older than all that will be purged
	s.concurrently(Op{Kind: Post, A: popular}, Op{Kind: Post, A: popular, V: 1})
	const inARow = 3 // alike, and as many events all the same
	for i := range s.size.Events - 2 - inARow {
		if s.post(popular); i == 0 {
			alike := Op{Kind: Post, A: popular, V: s.values()}
			s.add(alike, alike, alike)
		}
	}
	s.post(deletedUser)
}

// connections connects the readers to the user who will be deleted, each in its own way, and two
// at once to the popular one.
func (s *combined) connections(c Choices) {
	for i, h := range s.readers {
		who := firstCombinedReader + i
		s.add(h.connectOps(c, who)...)
		switch {
		case i%2 == 1:
			s.concurrently(Op{Kind: Follow, A: who - 1, B: popular}, Op{Kind: Follow, A: who, B: popular})
		case i+1 == len(s.readers):
			s.add(Op{Kind: Follow, A: who, B: popular})
		}
		if i == 0 {
			s.add(Op{Kind: Follow, A: who, B: keptUser})
		}
		if i+1 == usualPage/2 { // a page may be as short
			s.add(Op{Kind: Audit, A: popular, V: auditOwnFollowers})
		}
		if i == len(s.readers)/2 {
			s.add(Op{Kind: Rename, A: deletedUser, V: s.values()})
		}
	}
}

// groups adds the groups of operations that fit, and users who connect by social ids.
func (s *combined) groups() {
	groups := s.operationGroups(keptUser, firstCombinedReader)
	s.Shuffle(len(groups), func(i, j int) { groups[i], groups[j] = groups[j], groups[i] }) // each seed leaves out others
	s.add(slices.Concat(groups[s.size.SkippedGroups:]...)...)
	s.add(Op{Kind: LogIn, A: popular}, Op{Kind: LogIn, A: firstCombinedReader + 2}, // whose sessions take turns
		Op{Kind: Gather, A: socialFollower}, Op{Kind: Gather, A: socialFriend, V: 1})
	s.concurrently(Op{Kind: Edit, A: socialFollower}, Op{Kind: Follow, A: socialFollower, B: popular})
	s.concurrently(Op{Kind: Post, A: keptUser}, Op{Kind: Audit, A: socialFollower, V: auditOwnFeed})
	s.concurrently(Op{Kind: Audit, A: socialFollower, V: auditOwnFeed}, Op{Kind: Post, A: popular}, Op{Kind: Remove, A: popular, C: s.size.Events - 1})
}

// changes changes and removes events, the oldest too, some by the same request as others, while
// one reader is logged out. Some readers follow their owner only after that one has logged out.
func (s *combined) changes() {
	s.add(Op{Kind: LogOut, A: firstCombinedReader})
	again, same := s.values(), s.values()
	record := Op{Kind: Audit, A: deletedUser, V: auditOwnRecord}
	s.add(Op{Kind: LogIn, A: deletedUser}, Op{Kind: Post, A: deletedUser, V: again}, record, Op{Kind: Change, A: deletedUser, C: 0, V: same}, record) // in turns of two sessions
	s.concurrently(Op{Kind: Remove, A: deletedUser, C: 1}, Op{Kind: Change, A: deletedUser, C: 1})
	s.add(Op{Kind: Post, A: deletedUser, V: again}, record, // an event like one that was deleted
		Op{Kind: UseDeleted, A: deletedUser}, Op{Kind: UseDeleted, A: deletedUser, V: 1}, Op{Kind: Change, A: deletedUser, C: 1, V: same},
		Op{Kind: LogOut, A: deletedUser}, // the session in which it posted first
		Op{Kind: Edit, A: deletedUser, V: s.values(), B: 1})
	for i, h := range s.readers {
		if h.connect == nil {
			s.add(Op{Kind: Follow, A: firstCombinedReader + i, B: deletedUser})
		}
	}
}

// takenNames has the last reader take the names that the user who will be deleted gave up, and try
// what is that user's; then it is deleted at once with another.
func (s *combined) takenNames() {
	s.post(s.last)
	s.post(s.last - 1)
	s.concurrently(Op{Kind: Follow, A: deletedUser, B: keptUser}, Op{Kind: Follow, A: deletedUser, B: socialFollower}) // the latter is then a mere follower
	s.add(Op{Kind: TakeNames, A: s.last, B: deletedUser}, Op{Kind: Trespass, A: s.last, B: deletedUser, V: trespassChange},
		Op{Kind: Change, A: deletedUser, V: s.otherThanVerb()}, Op{Kind: LogIn, A: s.last}, Op{Kind: LogIn, A: s.last, V: 1})
	s.concurrently(Op{Kind: Leave, A: s.last}, Op{Kind: Leave, A: s.last}, Op{Kind: Leave, A: s.last - 1}) // which must remove nothing of the users that they followed
	s.add(Op{Kind: Audit, V: auditFeeds}, Op{Kind: Audit, A: popular, V: auditOwnFollowers})
}

// endings ends connections, reads repeatedly, and tries what must be refused.
func (s *combined) endings() {
	s.concurrently(Op{Kind: Remove, A: popular, C: s.size.Events / 3}, Op{Kind: Remove, A: popular}) // which must remove no other event
	s.concurrently(Op{Kind: Remove, A: popular, C: 1}, Op{Kind: Remove, A: popular, C: 1})
	s.add(Op{Kind: Change, A: popular, C: s.size.Events - 4, V: s.values()}) // the newest
	s.concurrently(Op{Kind: End, A: socialFollower, B: popular}, Op{Kind: End, A: socialFollower, B: deletedUser})
	s.add(Op{Kind: Follow, A: popular, B: socialFollower}, Op{Kind: End, A: socialFollower, B: popular}, Op{Kind: End, A: socialFollower, B: deletedUser}, // again, where the other follows
		Op{Kind: Audit, A: socialFollower, V: auditOwnFollowers},
		Op{Kind: Audit, A: socialFollower, B: socialFriend, V: auditRepeatedly}, Op{Kind: End, A: firstCombinedReader + 1, B: popular, AtOnce: true}, Op{Kind: End, A: firstCombinedReader + 1, B: popular},
		Op{Kind: Part, A: socialFriend, B: firstCombinedReader}, Op{Kind: Trespass, A: socialFriend, B: firstCombinedReader, V: trespassRemove})
	for i := range s.readers { // however they are or were connected to the leaver
		s.add(Op{Kind: Trespass, A: firstCombinedReader + i, B: deletedUser, V: trespassRemove})
	}
}

// deletion deletes the user whom the readers are connected to, who has many sessions, and sees
// that nothing of it comes back when a reader logs in, or connects to somebody else.
func (s *combined) deletion() {
	for range s.size.Sessions {
		s.add(Op{Kind: LogIn, A: deletedUser})
	}
	s.concurrently(Op{Kind: LogOut, A: deletedUser}, Op{Kind: LogOut, A: deletedUser}, Op{Kind: LogOut, A: deletedUser, C: s.size.Sessions})
	const away = firstCombinedReader + 1 // is logged out meanwhile
	s.add(Op{Kind: LogOut, A: away})
	s.concurrently(Op{Kind: Leave, A: deletedUser}, Op{Kind: Edit, A: deletedUser}, Op{Kind: Follow, A: firstCombinedReader + 2, B: keptUser}, Op{Kind: Audit, A: firstCombinedReader + 2, V: auditOwnFeed})
	s.add(Op{Kind: []Kind{Edit, Rename}[s.IntN(2)], A: firstCombinedReader}, Op{Kind: Follow, A: firstCombinedReader, B: keptUser}, Op{Kind: Audit, A: keptUser, V: auditOwnFollowers},
		Op{Kind: LogIn, A: firstCombinedReader + 2}, Op{Kind: Audit, V: auditFeeds}, Op{Kind: Post, A: firstCombinedReader + 1}, Op{Kind: Follow, A: firstCombinedReader + 1, B: popular}, Op{Kind: Audit, A: firstCombinedReader + 1, V: auditOwnFeed},
		Op{Kind: UseEnded, A: deletedUser, V: s.values()})
}

// deletions ends a follow during a post, deletes the popular user during other writes, and
// creates the first deleted one anew.
func (s *combined) deletions() {
	unfollow, post := Op{Kind: End, A: socialFollower, B: keptUser}, Op{Kind: Post, A: keptUser}
	if s.IntN(2) == 0 {
		unfollow, post = post, unfollow
	}
	s.concurrently(unfollow, post)
	const stay = 4
	for range s.size.Events - stay - stay { // deletions, of which a run may send more than it needs
		s.add(Op{Kind: Remove, A: popular, C: 1})
	}
	s.add(Op{Kind: Audit, A: firstCombinedReader, V: auditOwnFeed})
	s.concurrently(Op{Kind: Leave, A: popular}, Op{Kind: LogIn, A: popular}, Op{Kind: Post, A: popular}, Op{Kind: Follow, A: keptUser, B: popular}, Op{Kind: Audit, A: firstCombinedReader, V: auditOwnFeed})
	s.add(Op{Kind: Return, A: deletedUser, V: s.values() | 1}, Op{Kind: LogIn, A: deletedUser}, Op{Kind: Follow, A: deletedUser, B: keptUser}, Op{Kind: Audit, A: keptUser, V: auditOwnFollowers})
	s.post(deletedUser)
	if s.size.Sessions == 1 {
		return // few requests are left
	}
	// The newest user is deleted: the next one must not have its followers.
	s.add(Op{Kind: Follow, A: keptUser, B: deletedUser}, Op{Kind: Leave, A: deletedUser}, Op{Kind: Return, A: deletedUser}, Op{Kind: Audit, A: deletedUser, V: auditOwnFollowers},
		Op{Kind: Audit, A: keptUser, V: auditSharedName})
}

// concurrent marks operations to be sent concurrently, in their order.
func concurrent(ops ...Op) []Op {
	for i := range ops[1:] {
		ops[i].AtOnce = true
	}
	return ops
}

// operationGroupCount is how many groups drawer.operationGroups returns.
const operationGroupCount = 5

// operationGroups returns, in groups, operations by and on a user, each followed by its undoing or
// a repetition. A story can leave out some groups.
func (d drawer) operationGroups(who, reader int) [operationGroupCount][]Op {
	record, feed := Op{Kind: Audit, A: who, V: auditOwnRecord}, Op{Kind: Audit, A: reader, V: auditOwnFeed}
	return [operationGroupCount][]Op{
		{{Kind: Repassword, A: who}, {Kind: Edit, A: who, V: d.values(), B: 1}, {Kind: Edit, A: who, V: d.values()}, {Kind: LogIn, A: who}, record, {Kind: Revert, A: who}, record, {Kind: Tweak, A: who}},
		{{Kind: Post, A: who, V: d.values()}, {Kind: Change, A: who, V: d.values()}, {Kind: Change, A: who, V: d.values()}, feed, {Kind: ChangeBack, A: who}, feed, {Kind: Tweak, A: who, V: 1}, feed,
			{Kind: Remove, A: who, AtOnce: true}, {Kind: Remove, A: who}, {Kind: Post, A: who, V: d.values()}},
		{{Kind: Rename, A: who, V: d.values()}, {Kind: Audit, A: who, V: auditNames}, {Kind: Revert, A: who}, {Kind: Audit, A: who, V: auditNames}, {Kind: LogIn, A: who, V: d.values()}},
		{{Kind: LogIn, A: who, AtOnce: true}, {Kind: Edit, A: who, V: d.values(), B: 1}, record, {Kind: LogOut, A: who}, record,
			{Kind: LogOut, A: who, AtOnce: true}, {Kind: Audit, A: who, V: auditOwnRecord}, {Kind: LogOut, A: who, AtOnce: true}, {Kind: LogOut, A: who}},
		{{Kind: End, A: reader, B: who}, {Kind: Follow, A: reader, B: who}, {Kind: End, A: reader, B: who}, {Kind: Trespass, A: reader, B: who, V: 1}},
	}
}
