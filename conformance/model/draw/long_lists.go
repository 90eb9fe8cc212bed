package draw

import (
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/story"
)

// LongLists draws a story with more users, events and connections than servers keep in one page,
// batch or cache. Some lists are so long that a server may truncate them, others are just short
// of that.
func LongLists(seed uint64) story.Story {
	const followsMany, popular, socialFollower, late, first = 0, 1, 2, 3, 4
	const followers, followed, friends, posts = 34, leeway.PromisedLength - 2, leeway.PromisedLength - 3, 55
	const firstFriend = first + followers
	d := newGenerator(seed, "multitude")
	s := story.Story{Values: d.values(), Name: "long lists", Slots: firstFriend + friends, SharedNames: leeway.PromisedLength - 3, ShortAudit: true}
	add := func(ops ...story.Op) { s.Ops = append(s.Ops, ops...) }
	for i := range followers {
		who := first + i
		add(story.Op{Kind: story.Follow, Actor: who, Other: popular})
		if page := 10; (i+1)%page == 0 { // as servers cut lists into
			add(story.Op{Kind: story.Audit, Actor: popular, Extent: story.AuditOwnFollowers})
		}
		if i < followed {
			add(story.Op{Kind: story.Post, Actor: who, Values: d.values()}, story.Op{Kind: story.Follow, Actor: followsMany, Other: who})
		}
	}
	for i := range friends {
		add(story.Op{Kind: story.RequestMutually, Actor: popular, Other: firstFriend + i}, story.Op{Kind: story.Follow, Actor: firstFriend + i, Other: followsMany}, story.Op{Kind: story.Post, Actor: firstFriend + i, Values: d.values()}, story.Op{Kind: story.Audit, Actor: firstFriend + i, Extent: story.AuditOwnFriends})
	}
	both := story.Op{Kind: story.Audit, Actor: followsMany, Other: popular, Extent: story.AuditPair}
	add(story.Op{Kind: story.Follow, Actor: popular, Other: first}, story.Op{Kind: story.Follow, Actor: popular, Other: first + 1}, story.Op{Kind: story.Audit, Extent: story.AuditSharedName}, both)
	for range posts {
		add(story.Op{Kind: story.Post, Actor: popular, Values: d.values()})
	}
	const reader = first + followers - 2 // of the star alone
	add(story.Op{Kind: story.Follow, Actor: late, Other: popular}, story.Op{Kind: story.Audit, Actor: reader, Other: late, Extent: story.AuditPair}, story.Op{Kind: story.Follow, Actor: followsMany, Other: popular}, story.Op{Kind: story.ConnectAllBySocialID, Actor: socialFollower}, both, story.Op{Kind: story.Post, Actor: popular, Values: d.values()},
		story.Op{Kind: story.Change, Actor: popular, Event: posts / 2, Values: d.values()}, story.Op{Kind: story.Change, Actor: popular, Event: posts - 2, Values: d.values()}, story.Op{Kind: story.Remove, Actor: popular, Event: posts - 1}, story.Op{Kind: story.Remove, Actor: popular},
		story.Op{Kind: story.Audit, Actor: followsMany, Other: late, Extent: story.AuditPair})
	for range posts / 4 {
		add(story.Op{Kind: story.Remove, Actor: popular, Event: 2})
	}
	add(story.Op{Kind: story.Audit, Actor: reader, Other: late, Extent: story.AuditPair}, story.Op{Kind: story.End, Actor: followsMany, Other: first + followed - 1}, story.Op{Kind: story.End, Actor: firstFriend - 1, Other: popular}, both, story.Op{Kind: story.Audit, Extent: story.AuditFeeds},
		story.Op{Kind: story.DeleteUser, Actor: first + 2}, story.Op{Kind: story.DeleteUser, Actor: popular}, story.Op{Kind: story.Audit, Actor: followsMany, Other: socialFollower, Extent: story.AuditPair},
		story.Op{Kind: story.DeleteUser, Actor: followsMany}, story.Op{Kind: story.Audit, Actor: first, Extent: story.AuditOwnFollowers}, story.Op{Kind: story.Audit, Actor: first + followed - 2, Extent: story.AuditOwnFollowers})
	return s
}

// ManyConnections draws a story of a user who follows many and one who has many followers,
// friends and events, audited before and after small changes, as are the first and the last of the many.
func ManyConnections(seed uint64, size int) story.Story {
	d := newGenerator(seed, "crowd")
	const followsMany, popular = 0, 1
	s := story.Story{Values: d.values(), Name: "many connections", Slots: size + 2, ShortAudit: true}
	for i := 2; i < size+2; i++ {
		s.Ops = append(s.Ops, story.Op{Kind: story.Follow, Actor: followsMany, Other: i}, story.Op{Kind: story.Follow, Actor: i, Other: popular})
		if i < 2+leeway.PromisedLength {
			s.Ops = append(s.Ops, story.Op{Kind: story.Post, Actor: i, Values: d.values()})
		}
		if i%3 == 0 {
			s.Ops = append(s.Ops, story.Op{Kind: story.RequestMutually, Actor: popular, Other: i})
		}
	}
	for range size {
		s.Ops = append(s.Ops, story.Op{Kind: story.Post, Actor: popular, Values: d.values()})
	}
	s.Ops = append(s.Ops, story.Op{Kind: story.Follow, Actor: followsMany, Other: popular}) // whose many events must not displace those of others
	first, last := 3, size
	both := story.Op{Kind: story.Audit, Actor: followsMany, Other: popular, Extent: story.AuditPair}
	ends := story.Op{Kind: story.Audit, Actor: first, Other: last, Extent: story.AuditPair}
	s.Ops = append(s.Ops, both, story.Op{Kind: story.Remove, Actor: popular, Event: size - 1}, story.Op{Kind: story.Remove, Actor: popular},
		story.Op{Kind: story.Change, Actor: popular, Event: size / 2, Values: d.values()},
		story.Op{Kind: story.Post, Actor: popular, Values: d.values()}, story.Op{Kind: story.Post, Actor: first, Values: d.values()}, story.Op{Kind: story.Post, Actor: last, Values: d.values()}, both, ends,
		story.Op{Kind: story.ConnectAllBySocialID, Actor: first}, story.Op{Kind: story.Post, Actor: last, Values: d.values()}, ends,
		story.Op{Kind: story.End, Actor: followsMany, Other: 3}, story.Op{Kind: story.End, Actor: size + 1, Other: popular},
		story.Op{Kind: story.DeleteUser, Actor: 2 + d.IntN(size)}, both, story.Op{Kind: story.DeleteUser, Actor: popular}, both, ends)
	return s
}
