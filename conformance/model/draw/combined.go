package draw

import (
	"slices"

	"github.com/socialfeed/conform/conformance/model/body"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
)

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

// Sizes returns the sizes of combined stories, first the largest, which exceed the usual page.
func Sizes() []CombinedSize {
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

// Combined draws the one story that finds most for its requests: a purge with many readers,
// a popular user whose events fill a page, and a user with every other kind of operation. Some
// operations are sent concurrently, which takes no more requests.
func Combined(seed uint64, c leeway.Choices, size CombinedSize) story.Story {
	d := newGenerator(seed, "town")
	readers := connectionHistories()
	d.Shuffle(len(readers), func(i, j int) { readers[i], readers[j] = readers[j], readers[i] })
	const place = 3 // of the one who connects late, whom few sizes leave out
	late := slices.IndexFunc(readers, func(h connectionHistory) bool { return h.connect == nil })
	readers[place], readers[late] = readers[late], readers[place]
	readers = readers[:min(size.Readers, len(readers))]
	s := combined{generator: d, size: size, readers: readers, last: firstCombinedReader + len(readers) - 1}
	story := story.Story{Values: d.values(), Name: "combined", Slots: firstCombinedReader + len(readers), ShortAudit: true, DeferChecks: true}
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
	ops     []story.Op
}

func (s *combined) add(ops ...story.Op) { s.ops = append(s.ops, ops...) }

func (s *combined) post(who int) { s.add(story.Op{Kind: story.Post, Actor: who, Values: s.values()}) }

func (s *combined) concurrently(ops ...story.Op) { s.add(AtOnce(ops...)...) }

// otherThanVerb returns a number that chooses a single field of an event, not the verb.
func (s *combined) otherThanVerb() int {
	v := s.values()
	for v%3 != story.VerbAlone || value.EventFields()[v/3%len(value.EventFields())] != "priority" || !body.HasOptional(v, 1) {
		v++
	}
	return v
}

// posts has the popular user fill a page with events.
func (s *combined) posts() {
	s.post(keptUser) // older than all that will be purged
	s.concurrently(story.Op{Kind: story.Post, Actor: popular}, story.Op{Kind: story.Post, Actor: popular, Values: 1})
	const inARow = 3 // alike, and as many events all the same
	for i := range s.size.Events - 2 - inARow {
		if s.post(popular); i == 0 {
			alike := story.Op{Kind: story.Post, Actor: popular, Values: s.values()}
			s.add(alike, alike, alike)
		}
	}
	s.post(deletedUser)
}

// connections connects the readers to the user who will be deleted, each in its own way, and two
// at once to the popular one.
func (s *combined) connections(c leeway.Choices) {
	for i, h := range s.readers {
		who := firstCombinedReader + i
		s.add(h.connectOps(c, who)...)
		switch {
		case i%2 == 1:
			s.concurrently(story.Op{Kind: story.Follow, Actor: who - 1, Other: popular}, story.Op{Kind: story.Follow, Actor: who, Other: popular})
		case i+1 == len(s.readers):
			s.add(story.Op{Kind: story.Follow, Actor: who, Other: popular})
		}
		if i == 0 {
			s.add(story.Op{Kind: story.Follow, Actor: who, Other: keptUser})
		}
		if i+1 == usualPage/2 { // a page may be as short
			s.add(story.Op{Kind: story.Audit, Actor: popular, Extent: story.AuditOwnFollowers})
		}
		if i == len(s.readers)/2 {
			s.add(story.Op{Kind: story.Rename, Actor: deletedUser, Values: s.values()})
		}
	}
}

// groups adds the groups of operations that fit, and users who connect by social ids.
func (s *combined) groups() {
	groups := s.operationGroups(keptUser, firstCombinedReader)
	s.Shuffle(len(groups), func(i, j int) { groups[i], groups[j] = groups[j], groups[i] }) // each seed leaves out others
	s.add(slices.Concat(groups[s.size.SkippedGroups:]...)...)
	s.add(story.Op{Kind: story.LogIn, Actor: popular}, story.Op{Kind: story.LogIn, Actor: firstCombinedReader + 2}, // whose sessions take turns
		story.Op{Kind: story.ConnectAllBySocialID, Actor: socialFollower}, story.Op{Kind: story.ConnectAllBySocialID, Actor: socialFriend, AsFriend: true})
	s.concurrently(story.Op{Kind: story.Edit, Actor: socialFollower}, story.Op{Kind: story.Follow, Actor: socialFollower, Other: popular})
	s.concurrently(story.Op{Kind: story.Post, Actor: keptUser}, story.Op{Kind: story.Audit, Actor: socialFollower, Extent: story.AuditOwnFeed})
	s.concurrently(story.Op{Kind: story.Audit, Actor: socialFollower, Extent: story.AuditOwnFeed}, story.Op{Kind: story.Post, Actor: popular}, story.Op{Kind: story.Remove, Actor: popular, Event: s.size.Events - 1})
}

// changes changes and removes events, the oldest too, some by the same request as others, while
// one reader is logged out. Some readers follow their owner only after that one has logged out.
func (s *combined) changes() {
	s.add(story.Op{Kind: story.LogOut, Actor: firstCombinedReader})
	again, same := s.values(), s.values()
	record := story.Op{Kind: story.Audit, Actor: deletedUser, Extent: story.AuditOwnRecord}
	s.add(story.Op{Kind: story.LogIn, Actor: deletedUser}, story.Op{Kind: story.Post, Actor: deletedUser, Values: again}, record, story.Op{Kind: story.Change, Actor: deletedUser, Values: same}, record) // in turns of two sessions
	s.concurrently(story.Op{Kind: story.Remove, Actor: deletedUser, Event: 1}, story.Op{Kind: story.Change, Actor: deletedUser, Event: 1})
	s.add(story.Op{Kind: story.Post, Actor: deletedUser, Values: again}, record, // an event like one that was deleted
		story.Op{Kind: story.UseDeleted, Actor: deletedUser}, story.Op{Kind: story.UseDeleted, Actor: deletedUser, Delete: true}, story.Op{Kind: story.Change, Actor: deletedUser, Event: 1, Values: same},
		story.Op{Kind: story.LogOut, Actor: deletedUser}, // the session in which it posted first
		story.Op{Kind: story.Edit, Actor: deletedUser, SharedLastName: true, Values: s.values()})
	for i, h := range s.readers {
		if h.connect == nil {
			s.add(story.Op{Kind: story.Follow, Actor: firstCombinedReader + i, Other: deletedUser})
		}
	}
}

// takenNames has the last reader take the names that the user who will be deleted gave up, and try
// what is that user's; then it is deleted at once with another.
func (s *combined) takenNames() {
	s.post(s.last)
	s.post(s.last - 1)
	s.concurrently(story.Op{Kind: story.Follow, Actor: deletedUser, Other: keptUser}, story.Op{Kind: story.Follow, Actor: deletedUser, Other: socialFollower}) // the latter is then a mere follower
	s.add(story.Op{Kind: story.TakeNames, Actor: s.last, Other: deletedUser}, story.Op{Kind: story.WriteForeign, Actor: s.last, Other: deletedUser},
		story.Op{Kind: story.Change, Actor: deletedUser, Values: s.otherThanVerb()}, story.Op{Kind: story.LogIn, Actor: s.last}, story.Op{Kind: story.LogIn, Actor: s.last, ByEmail: true})
	s.concurrently(story.Op{Kind: story.DeleteUser, Actor: s.last}, story.Op{Kind: story.DeleteUser, Actor: s.last}, story.Op{Kind: story.DeleteUser, Actor: s.last - 1}) // which must remove nothing of the users that they followed
	s.add(story.Op{Kind: story.Audit, Extent: story.AuditFeeds}, story.Op{Kind: story.Audit, Actor: popular, Extent: story.AuditOwnFollowers})
}

// endings ends connections, reads repeatedly, and tries what must be refused.
func (s *combined) endings() {
	s.concurrently(story.Op{Kind: story.Remove, Actor: popular, Event: s.size.Events / 3}, story.Op{Kind: story.Remove, Actor: popular}) // which must remove no other event
	s.concurrently(story.Op{Kind: story.Remove, Actor: popular, Event: 1}, story.Op{Kind: story.Remove, Actor: popular, Event: 1})
	s.add(story.Op{Kind: story.Change, Actor: popular, Event: max(s.size.Events-4, 0), Values: s.values()}) // the newest
	s.concurrently(story.Op{Kind: story.End, Actor: socialFollower, Other: popular}, story.Op{Kind: story.End, Actor: socialFollower, Other: deletedUser})
	s.add(story.Op{Kind: story.Follow, Actor: popular, Other: socialFollower}, story.Op{Kind: story.End, Actor: socialFollower, Other: popular}, story.Op{Kind: story.End, Actor: socialFollower, Other: deletedUser}, // again, where the other follows
		story.Op{Kind: story.Audit, Actor: socialFollower, Extent: story.AuditOwnFollowers},
		story.Op{Kind: story.Audit, Actor: socialFollower, Other: socialFriend, Extent: story.AuditRepeatedly}, story.Op{Kind: story.End, Actor: firstCombinedReader + 1, Other: popular, AtOnce: true}, story.Op{Kind: story.End, Actor: firstCombinedReader + 1, Other: popular},
		story.Op{Kind: story.DisconnectBoth, Actor: socialFriend, Other: firstCombinedReader}, story.Op{Kind: story.WriteForeign, Actor: socialFriend, Other: firstCombinedReader, Write: story.DeleteForeignEvent})
	for i := range s.readers { // however they are or were connected to the leaver
		s.add(story.Op{Kind: story.WriteForeign, Actor: firstCombinedReader + i, Other: deletedUser, Write: story.DeleteForeignEvent})
	}
}

// deletion deletes the user whom the readers are connected to, who has many sessions, and sees
// that nothing of it comes back when a reader logs in, or connects to somebody else.
func (s *combined) deletion() {
	for range s.size.Sessions {
		s.add(story.Op{Kind: story.LogIn, Actor: deletedUser})
	}
	s.concurrently(story.Op{Kind: story.LogOut, Actor: deletedUser}, story.Op{Kind: story.LogOut, Actor: deletedUser}, story.Op{Kind: story.LogOut, Actor: deletedUser, Session: s.size.Sessions})
	const away = firstCombinedReader + 1 // is logged out meanwhile
	s.add(story.Op{Kind: story.LogOut, Actor: away})
	s.concurrently(story.Op{Kind: story.DeleteUser, Actor: deletedUser}, story.Op{Kind: story.Edit, Actor: deletedUser}, story.Op{Kind: story.Follow, Actor: firstCombinedReader + 2, Other: keptUser}, story.Op{Kind: story.Audit, Actor: firstCombinedReader + 2, Extent: story.AuditOwnFeed})
	s.add(story.Op{Kind: []story.Kind{story.Edit, story.Rename}[s.IntN(2)], Actor: firstCombinedReader}, story.Op{Kind: story.Follow, Actor: firstCombinedReader, Other: keptUser}, story.Op{Kind: story.Audit, Actor: keptUser, Extent: story.AuditOwnFollowers},
		story.Op{Kind: story.LogIn, Actor: firstCombinedReader + 2}, story.Op{Kind: story.Audit, Extent: story.AuditFeeds}, story.Op{Kind: story.Post, Actor: firstCombinedReader + 1}, story.Op{Kind: story.Follow, Actor: firstCombinedReader + 1, Other: popular}, story.Op{Kind: story.Audit, Actor: firstCombinedReader + 1, Extent: story.AuditOwnFeed},
		story.Op{Kind: story.UseEnded, Actor: deletedUser, Variant: s.values()})
}

// deletions ends a follow during a post, deletes the popular user during other writes, and
// creates the first deleted one anew.
func (s *combined) deletions() {
	unfollow, post := story.Op{Kind: story.End, Actor: socialFollower, Other: keptUser}, story.Op{Kind: story.Post, Actor: keptUser}
	if s.IntN(2) == 0 {
		unfollow, post = post, unfollow
	}
	s.concurrently(unfollow, post)
	const stay = 4
	for range s.size.Events - stay - stay { // deletions, of which a run may send more than it needs
		s.add(story.Op{Kind: story.Remove, Actor: popular, Event: 1})
	}
	s.add(story.Op{Kind: story.Audit, Actor: firstCombinedReader, Extent: story.AuditOwnFeed})
	s.concurrently(story.Op{Kind: story.DeleteUser, Actor: popular}, story.Op{Kind: story.LogIn, Actor: popular}, story.Op{Kind: story.Post, Actor: popular}, story.Op{Kind: story.Follow, Actor: keptUser, Other: popular}, story.Op{Kind: story.Audit, Actor: firstCombinedReader, Extent: story.AuditOwnFeed})
	s.add(story.Op{Kind: story.Recreate, Actor: deletedUser, Values: s.values() | 1, WithoutLogin: true}, story.Op{Kind: story.LogIn, Actor: deletedUser}, story.Op{Kind: story.Follow, Actor: deletedUser, Other: keptUser}, story.Op{Kind: story.Audit, Actor: keptUser, Extent: story.AuditOwnFollowers})
	s.post(deletedUser)
	if s.size.Sessions == 1 {
		return // few requests are left
	}
	// The newest user is deleted: the next one must not have its followers.
	s.add(story.Op{Kind: story.Follow, Actor: keptUser, Other: deletedUser}, story.Op{Kind: story.DeleteUser, Actor: deletedUser}, story.Op{Kind: story.Recreate, Actor: deletedUser}, story.Op{Kind: story.Audit, Actor: deletedUser, Extent: story.AuditOwnFollowers},
		story.Op{Kind: story.Audit, Actor: keptUser, Extent: story.AuditSharedName})
}

// AtOnce marks operations to be sent concurrently, in their order.
func AtOnce(ops ...story.Op) []story.Op {
	for i := range ops[1:] {
		ops[i].AtOnce = true
	}
	return ops
}

// operationGroupCount is how many groups generator.operationGroups returns.
const operationGroupCount = 5

// operationGroups returns, in groups, operations by and on a user, each followed by its undoing or
// a repetition. A story can leave out some groups.
func (d generator) operationGroups(who, reader int) [operationGroupCount][]story.Op {
	record, feed := story.Op{Kind: story.Audit, Actor: who, Extent: story.AuditOwnRecord}, story.Op{Kind: story.Audit, Actor: reader, Extent: story.AuditOwnFeed}
	return [operationGroupCount][]story.Op{
		{{Kind: story.ChangePassword, Actor: who}, {Kind: story.Edit, Actor: who, SharedLastName: true, Values: d.values()}, {Kind: story.Edit, Actor: who, Values: d.values()}, {Kind: story.LogIn, Actor: who}, record, {Kind: story.Revert, Actor: who}, record, {Kind: story.UpdateSimilar, Actor: who}},
		{{Kind: story.Post, Actor: who, Values: d.values()}, {Kind: story.Change, Actor: who, Values: d.values()}, {Kind: story.Change, Actor: who, Values: d.values()}, feed, {Kind: story.ChangeBack, Actor: who}, feed, {Kind: story.UpdateEventSimilar, Actor: who}, feed,
			{Kind: story.Remove, Actor: who, AtOnce: true}, {Kind: story.Remove, Actor: who}, {Kind: story.Post, Actor: who, Values: d.values()}},
		{{Kind: story.Rename, Actor: who, Values: d.values()}, {Kind: story.Audit, Actor: who, Extent: story.AuditNames}, {Kind: story.Revert, Actor: who}, {Kind: story.Audit, Actor: who, Extent: story.AuditNames}, {Kind: story.LogIn, Actor: who, ByEmail: d.values()%2 != 0}},
		{{Kind: story.LogIn, Actor: who, AtOnce: true}, {Kind: story.Edit, Actor: who, SharedLastName: true, Values: d.values()}, record, {Kind: story.LogOut, Actor: who}, record,
			{Kind: story.LogOut, Actor: who, AtOnce: true}, {Kind: story.Audit, Actor: who, Extent: story.AuditOwnRecord}, {Kind: story.LogOut, Actor: who, AtOnce: true}, {Kind: story.LogOut, Actor: who}},
		{{Kind: story.End, Actor: reader, Other: who}, {Kind: story.Follow, Actor: reader, Other: who}, {Kind: story.End, Actor: reader, Other: who}, {Kind: story.WriteForeign, Actor: reader, Other: who, Write: story.DeleteForeignEvent}},
	}
}
