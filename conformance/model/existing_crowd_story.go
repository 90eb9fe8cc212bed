package model

import (
	"maps"
	"slices"
)

// likeCrowd returns a story of new users like the newcomers and those of the crowd whom they connect to
// first, which may show the same.
func likeCrowd(newcomers [2]ReusableUser, crowd []ReusableUser) *Story {
	const follower, friend, first = 0, 1, 2
	reused := maps.Collect(slices.All(slices.Concat(newcomers[:], crowd)))
	s := &Story{Name: "crowd", ShortAudit: true, Slots: len(reused), Users: sentBy(reused), CreationOrder: inOrderOfCreation(reused)}
	last := s.Slots - 1
	for who := first; who <= last; who++ {
		s.Ops = append(s.Ops, Op{Kind: Post, Actor: who, Values: who})
	}
	feeds := Op{Kind: Audit, Extent: AuditFeeds}
	s.Ops = append(s.Ops, Op{Kind: ConnectAllBySocialID, Actor: follower}, feeds, Op{Kind: ConnectAllBySocialID, Actor: friend, AsFriend: true}, Op{Kind: ConnectAllBySocialID, Actor: friend}, Op{Kind: Audit, Actor: follower, Other: friend, Extent: AuditPair},
		Op{Kind: Post, Actor: last}, feeds, Op{Kind: End, Actor: follower, Other: last - 1}, Op{Kind: Remove, Actor: first}, feeds, Op{Kind: Audit, Actor: follower, Other: friend, Extent: AuditRepeatedly},
		Op{Kind: DeleteUser, Actor: first + 1}, feeds, Op{Kind: Audit, Actor: follower, Other: friend, Extent: AuditPair})
	return s
}
