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
	s := &Story{Name: "crowd", Brief: true, Slots: len(reused), Users: sentBy(reused), Order: inOrderOfCreation(reused)}
	last := s.Slots - 1
	for who := first; who <= last; who++ {
		s.Ops = append(s.Ops, Op{Kind: Post, A: who, V: who})
	}
	feeds := Op{Kind: Audit, V: auditFeeds}
	s.Ops = append(s.Ops, Op{Kind: Gather, A: follower}, feeds, Op{Kind: Gather, A: friend, V: 1}, Op{Kind: Gather, A: friend}, Op{Kind: Audit, A: follower, B: friend, V: auditPair},
		Op{Kind: Post, A: last}, feeds, Op{Kind: End, A: follower, B: last - 1}, Op{Kind: Remove, A: first}, feeds, Op{Kind: Audit, A: follower, B: friend, V: auditRepeatedly},
		Op{Kind: Leave, A: first + 1}, feeds, Op{Kind: Audit, A: follower, B: friend, V: auditPair})
	return s
}
