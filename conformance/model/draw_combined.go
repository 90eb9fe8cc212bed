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
	d := newGenerator(seed, "town")
	readers := connectionHistories()
	d.Shuffle(len(readers), func(i, j int) { readers[i], readers[j] = readers[j], readers[i] })
	const place = 3 // of the one who connects late, whom few sizes leave out
	late := slices.IndexFunc(readers, func(h connectionHistory) bool { return h.connect == nil })
	readers[place], readers[late] = readers[late], readers[place]
	readers = readers[:min(size.Readers, len(readers))]
	s := combined{generator: d, size: size, readers: readers, last: firstCombinedReader + len(readers) - 1}
	story := Story{Values: d.values(), Name: "combined", Slots: firstCombinedReader + len(readers), ShortAudit: true, DeferChecks: true}
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
	generator
	size    CombinedSize
	readers []connectionHistory
	last    int // the slot of the last reader
	ops     []Op
}

func (s *combined) add(ops ...Op) { s.ops = append(s.ops, ops...) }

func (s *combined) post(who int) { s.add(Op{Kind: Post, Actor: who, Values: s.values()}) }

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
	s.concurrently(Op{Kind: Post, Actor: popular}, Op{Kind: Post, Actor: popular, Values: 1})
	const inARow = 3 // alike, and as many events all the same
	for i := range s.size.Events - 2 - inARow {
		if s.post(popular); i == 0 {
			alike := Op{Kind: Post, Actor: popular, Values: s.values()}
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
			s.concurrently(Op{Kind: Follow, Actor: who - 1, Other: popular}, Op{Kind: Follow, Actor: who, Other: popular})
		case i+1 == len(s.readers):
			s.add(Op{Kind: Follow, Actor: who, Other: popular})
		}
		if i == 0 {
			s.add(Op{Kind: Follow, Actor: who, Other: keptUser})
		}
		if i+1 == usualPage/2 { // a page may be as short
			s.add(Op{Kind: Audit, Actor: popular, Extent: AuditOwnFollowers})
		}
		if i == len(s.readers)/2 {
			s.add(Op{Kind: Rename, Actor: deletedUser, Values: s.values()})
		}
	}
}

// groups adds the groups of operations that fit, and users who connect by social ids.
func (s *combined) groups() {
	groups := s.operationGroups(keptUser, firstCombinedReader)
	s.Shuffle(len(groups), func(i, j int) { groups[i], groups[j] = groups[j], groups[i] }) // each seed leaves out others
	s.add(slices.Concat(groups[s.size.SkippedGroups:]...)...)
	s.add(Op{Kind: LogIn, Actor: popular}, Op{Kind: LogIn, Actor: firstCombinedReader + 2}, // whose sessions take turns
		Op{Kind: ConnectAllBySocialID, Actor: socialFollower}, Op{Kind: ConnectAllBySocialID, Actor: socialFriend, AsFriend: true})
	s.concurrently(Op{Kind: Edit, Actor: socialFollower}, Op{Kind: Follow, Actor: socialFollower, Other: popular})
	s.concurrently(Op{Kind: Post, Actor: keptUser}, Op{Kind: Audit, Actor: socialFollower, Extent: AuditOwnFeed})
	s.concurrently(Op{Kind: Audit, Actor: socialFollower, Extent: AuditOwnFeed}, Op{Kind: Post, Actor: popular}, Op{Kind: Remove, Actor: popular, Event: s.size.Events - 1})
}

// changes changes and removes events, the oldest too, some by the same request as others, while
// one reader is logged out. Some readers follow their owner only after that one has logged out.
func (s *combined) changes() {
	s.add(Op{Kind: LogOut, Actor: firstCombinedReader})
	again, same := s.values(), s.values()
	record := Op{Kind: Audit, Actor: deletedUser, Extent: AuditOwnRecord}
	s.add(Op{Kind: LogIn, Actor: deletedUser}, Op{Kind: Post, Actor: deletedUser, Values: again}, record, Op{Kind: Change, Actor: deletedUser, Values: same}, record) // in turns of two sessions
	s.concurrently(Op{Kind: Remove, Actor: deletedUser, Event: 1}, Op{Kind: Change, Actor: deletedUser, Event: 1})
	s.add(Op{Kind: Post, Actor: deletedUser, Values: again}, record, // an event like one that was deleted
		Op{Kind: UseDeleted, Actor: deletedUser}, Op{Kind: UseDeleted, Actor: deletedUser, Delete: true}, Op{Kind: Change, Actor: deletedUser, Event: 1, Values: same},
		Op{Kind: LogOut, Actor: deletedUser}, // the session in which it posted first
		Op{Kind: Edit, Actor: deletedUser, SharedLastName: true, Values: s.values()})
	for i, h := range s.readers {
		if h.connect == nil {
			s.add(Op{Kind: Follow, Actor: firstCombinedReader + i, Other: deletedUser})
		}
	}
}

// takenNames has the last reader take the names that the user who will be deleted gave up, and try
// what is that user's; then it is deleted at once with another.
func (s *combined) takenNames() {
	s.post(s.last)
	s.post(s.last - 1)
	s.concurrently(Op{Kind: Follow, Actor: deletedUser, Other: keptUser}, Op{Kind: Follow, Actor: deletedUser, Other: socialFollower}) // the latter is then a mere follower
	s.add(Op{Kind: TakeNames, Actor: s.last, Other: deletedUser}, Op{Kind: WriteForeign, Actor: s.last, Other: deletedUser},
		Op{Kind: Change, Actor: deletedUser, Values: s.otherThanVerb()}, Op{Kind: LogIn, Actor: s.last}, Op{Kind: LogIn, Actor: s.last, ByEmail: true})
	s.concurrently(Op{Kind: DeleteUser, Actor: s.last}, Op{Kind: DeleteUser, Actor: s.last}, Op{Kind: DeleteUser, Actor: s.last - 1}) // which must remove nothing of the users that they followed
	s.add(Op{Kind: Audit, Extent: AuditFeeds}, Op{Kind: Audit, Actor: popular, Extent: AuditOwnFollowers})
}

// endings ends connections, reads repeatedly, and tries what must be refused.
func (s *combined) endings() {
	s.concurrently(Op{Kind: Remove, Actor: popular, Event: s.size.Events / 3}, Op{Kind: Remove, Actor: popular}) // which must remove no other event
	s.concurrently(Op{Kind: Remove, Actor: popular, Event: 1}, Op{Kind: Remove, Actor: popular, Event: 1})
	s.add(Op{Kind: Change, Actor: popular, Event: max(s.size.Events-4, 0), Values: s.values()}) // the newest
	s.concurrently(Op{Kind: End, Actor: socialFollower, Other: popular}, Op{Kind: End, Actor: socialFollower, Other: deletedUser})
	s.add(Op{Kind: Follow, Actor: popular, Other: socialFollower}, Op{Kind: End, Actor: socialFollower, Other: popular}, Op{Kind: End, Actor: socialFollower, Other: deletedUser}, // again, where the other follows
		Op{Kind: Audit, Actor: socialFollower, Extent: AuditOwnFollowers},
		Op{Kind: Audit, Actor: socialFollower, Other: socialFriend, Extent: AuditRepeatedly}, Op{Kind: End, Actor: firstCombinedReader + 1, Other: popular, AtOnce: true}, Op{Kind: End, Actor: firstCombinedReader + 1, Other: popular},
		Op{Kind: DisconnectBoth, Actor: socialFriend, Other: firstCombinedReader}, Op{Kind: WriteForeign, Actor: socialFriend, Other: firstCombinedReader, Write: DeleteForeignEvent})
	for i := range s.readers { // however they are or were connected to the leaver
		s.add(Op{Kind: WriteForeign, Actor: firstCombinedReader + i, Other: deletedUser, Write: DeleteForeignEvent})
	}
}

// deletion deletes the user whom the readers are connected to, who has many sessions, and sees
// that nothing of it comes back when a reader logs in, or connects to somebody else.
func (s *combined) deletion() {
	for range s.size.Sessions {
		s.add(Op{Kind: LogIn, Actor: deletedUser})
	}
	s.concurrently(Op{Kind: LogOut, Actor: deletedUser}, Op{Kind: LogOut, Actor: deletedUser}, Op{Kind: LogOut, Actor: deletedUser, Session: s.size.Sessions})
	const away = firstCombinedReader + 1 // is logged out meanwhile
	s.add(Op{Kind: LogOut, Actor: away})
	s.concurrently(Op{Kind: DeleteUser, Actor: deletedUser}, Op{Kind: Edit, Actor: deletedUser}, Op{Kind: Follow, Actor: firstCombinedReader + 2, Other: keptUser}, Op{Kind: Audit, Actor: firstCombinedReader + 2, Extent: AuditOwnFeed})
	s.add(Op{Kind: []Kind{Edit, Rename}[s.IntN(2)], Actor: firstCombinedReader}, Op{Kind: Follow, Actor: firstCombinedReader, Other: keptUser}, Op{Kind: Audit, Actor: keptUser, Extent: AuditOwnFollowers},
		Op{Kind: LogIn, Actor: firstCombinedReader + 2}, Op{Kind: Audit, Extent: AuditFeeds}, Op{Kind: Post, Actor: firstCombinedReader + 1}, Op{Kind: Follow, Actor: firstCombinedReader + 1, Other: popular}, Op{Kind: Audit, Actor: firstCombinedReader + 1, Extent: AuditOwnFeed},
		Op{Kind: UseEnded, Actor: deletedUser, Variant: s.values()})
}

// deletions ends a follow during a post, deletes the popular user during other writes, and
// creates the first deleted one anew.
func (s *combined) deletions() {
	unfollow, post := Op{Kind: End, Actor: socialFollower, Other: keptUser}, Op{Kind: Post, Actor: keptUser}
	if s.IntN(2) == 0 {
		unfollow, post = post, unfollow
	}
	s.concurrently(unfollow, post)
	const stay = 4
	for range s.size.Events - stay - stay { // deletions, of which a run may send more than it needs
		s.add(Op{Kind: Remove, Actor: popular, Event: 1})
	}
	s.add(Op{Kind: Audit, Actor: firstCombinedReader, Extent: AuditOwnFeed})
	s.concurrently(Op{Kind: DeleteUser, Actor: popular}, Op{Kind: LogIn, Actor: popular}, Op{Kind: Post, Actor: popular}, Op{Kind: Follow, Actor: keptUser, Other: popular}, Op{Kind: Audit, Actor: firstCombinedReader, Extent: AuditOwnFeed})
	s.add(Op{Kind: Recreate, Actor: deletedUser, Values: s.values() | 1, WithoutLogin: true}, Op{Kind: LogIn, Actor: deletedUser}, Op{Kind: Follow, Actor: deletedUser, Other: keptUser}, Op{Kind: Audit, Actor: keptUser, Extent: AuditOwnFollowers})
	s.post(deletedUser)
	if s.size.Sessions == 1 {
		return // few requests are left
	}
	// The newest user is deleted: the next one must not have its followers.
	s.add(Op{Kind: Follow, Actor: keptUser, Other: deletedUser}, Op{Kind: DeleteUser, Actor: deletedUser}, Op{Kind: Recreate, Actor: deletedUser}, Op{Kind: Audit, Actor: deletedUser, Extent: AuditOwnFollowers},
		Op{Kind: Audit, Actor: keptUser, Extent: AuditSharedName})
}

// concurrent marks operations to be sent concurrently, in their order.
func concurrent(ops ...Op) []Op {
	for i := range ops[1:] {
		ops[i].AtOnce = true
	}
	return ops
}

// operationGroupCount is how many groups generator.operationGroups returns.
const operationGroupCount = 5

// operationGroups returns, in groups, operations by and on a user, each followed by its undoing or
// a repetition. A story can leave out some groups.
func (d generator) operationGroups(who, reader int) [operationGroupCount][]Op {
	record, feed := Op{Kind: Audit, Actor: who, Extent: AuditOwnRecord}, Op{Kind: Audit, Actor: reader, Extent: AuditOwnFeed}
	return [operationGroupCount][]Op{
		{{Kind: ChangePassword, Actor: who}, {Kind: Edit, Actor: who, SharedLastName: true, Values: d.values()}, {Kind: Edit, Actor: who, Values: d.values()}, {Kind: LogIn, Actor: who}, record, {Kind: Revert, Actor: who}, record, {Kind: UpdateSimilar, Actor: who}},
		{{Kind: Post, Actor: who, Values: d.values()}, {Kind: Change, Actor: who, Values: d.values()}, {Kind: Change, Actor: who, Values: d.values()}, feed, {Kind: ChangeBack, Actor: who}, feed, {Kind: UpdateEventSimilar, Actor: who}, feed,
			{Kind: Remove, Actor: who, AtOnce: true}, {Kind: Remove, Actor: who}, {Kind: Post, Actor: who, Values: d.values()}},
		{{Kind: Rename, Actor: who, Values: d.values()}, {Kind: Audit, Actor: who, Extent: AuditNames}, {Kind: Revert, Actor: who}, {Kind: Audit, Actor: who, Extent: AuditNames}, {Kind: LogIn, Actor: who, ByEmail: d.values()%2 != 0}},
		{{Kind: LogIn, Actor: who, AtOnce: true}, {Kind: Edit, Actor: who, SharedLastName: true, Values: d.values()}, record, {Kind: LogOut, Actor: who}, record,
			{Kind: LogOut, Actor: who, AtOnce: true}, {Kind: Audit, Actor: who, Extent: AuditOwnRecord}, {Kind: LogOut, Actor: who, AtOnce: true}, {Kind: LogOut, Actor: who}},
		{{Kind: End, Actor: reader, Other: who}, {Kind: Follow, Actor: reader, Other: who}, {Kind: End, Actor: reader, Other: who}, {Kind: WriteForeign, Actor: reader, Other: who, Write: DeleteForeignEvent}},
	}
}
