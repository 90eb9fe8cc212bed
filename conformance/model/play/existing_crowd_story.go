package play

import (
	"maps"
	"slices"

	"github.com/socialfeed/conform/conformance/model/reuse"
	"github.com/socialfeed/conform/conformance/model/story"
)

// likeCrowd returns a story of new users like the newcomers and those of the crowd whom they connect to
// first, which may show the same.
func likeCrowd(newcomers [2]reuse.User, crowd []reuse.User) *story.Story {
	const follower, friend, first = 0, 1, 2
	reused := maps.Collect(slices.All(slices.Concat(newcomers[:], crowd)))
	s := &story.Story{Name: "crowd", ShortAudit: true, Slots: len(reused), Users: reuse.SentBy(reused), CreationOrder: reuse.ByCreation(reused)}
	last := s.Slots - 1
	for who := first; who <= last; who++ {
		s.Ops = append(s.Ops, story.Op{Kind: story.Post, Actor: who, Values: who})
	}
	feeds := story.Op{Kind: story.Audit, Extent: story.AuditFeeds}
	s.Ops = append(s.Ops, story.Op{Kind: story.ConnectAllBySocialID, Actor: follower}, feeds, story.Op{Kind: story.ConnectAllBySocialID, Actor: friend, AsFriend: true}, story.Op{Kind: story.ConnectAllBySocialID, Actor: friend}, story.Op{Kind: story.Audit, Actor: follower, Other: friend, Extent: story.AuditPair},
		story.Op{Kind: story.Post, Actor: last}, feeds, story.Op{Kind: story.End, Actor: follower, Other: last - 1}, story.Op{Kind: story.Remove, Actor: first}, feeds, story.Op{Kind: story.Audit, Actor: follower, Other: friend, Extent: story.AuditRepeatedly},
		story.Op{Kind: story.DeleteUser, Actor: first + 1}, feeds, story.Op{Kind: story.Audit, Actor: follower, Other: friend, Extent: story.AuditPair})
	return s
}
