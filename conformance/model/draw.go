package model

import "math/rand/v2"

// generator generates stories from a seed. Equal seeds give equal stories.
type generator struct {
	*rand.Rand
	next *int // of the numbers that choose values
}

// newGenerator returns the generator of a stream. The stream's name is part of the seed: renaming a
// stream changes every story that is drawn from it.
func newGenerator(seed uint64, stream string) generator {
	r := rand.New(rand.NewPCG(seed, uint64(stableHash(stream))))
	first := r.IntN(1 << 20)
	return generator{r, &first}
}

// values returns a number that chooses values: never zero, which chooses plain ones. The
// numbers are consecutive, so that each pool is used completely.
func (d generator) values() int {
	*d.next++
	return *d.next
}

// random draws a story of random operations, half of which act on the users of the one before.
// At the end everybody logs in again, and the user with most readers is deleted.
func random(seed uint64, length, slots int) Story {
	d := newGenerator(seed, "random")
	s := Story{Values: d.values(), Name: "random", Slots: slots, Compare: CompareEvery, Every: 8}
	drawn := []Kind{Follow, Follow, RequestMutually, RequestFriend, End, DisconnectBoth, ConnectBySocialID, Post, Post, Post, Change, ChangeBack, Remove,
		Edit, Rename, ChangePassword, Revert, UpdateSimilar, LogIn, LogOut, UseEnded, UseDeleted, SendDefect, TakeNames, WriteForeign, DeleteUser, Recreate}
	s.Ops = d.withSameUsers(length, slots, func(actor, other int) Op {
		kind, which, values := drawn[d.IntN(len(drawn))], d.IntN(8), d.values()
		if kind == DeleteUser && d.IntN(3) > 0 {
			kind = Follow
		}
		return newOp(kind, actor, other, which, values)
	})
	for i := range slots {
		s.Ops = append(s.Ops, Op{Kind: LogIn, Actor: i, ByEmail: i%2 != 0})
	}
	s.Ops = append(s.Ops, Op{Kind: Post, Actor: 1, Values: d.values()}, Op{Kind: Audit}, Op{Kind: DeleteUser, Actor: 1})
	return s
}

// repeatedReads draws a story of a few users whose views are read repeatedly.
func repeatedReads(seed uint64, times int) Story {
	d := newGenerator(seed, "repeated")
	s := Story{Values: d.values(), Name: "repeated reads", Slots: 3, Ops: []Op{{Kind: Post, Actor: 1, Values: d.values()}, {Kind: Follow, Actor: 0, Other: 1}, {Kind: RequestMutually, Actor: 2, Other: 1},
		{Kind: Follow, Actor: 0, Other: 1}, {Kind: Post, Actor: 1, Values: d.values()}, {Kind: Change, Actor: 1, Values: d.values()}, {Kind: Change, Actor: 1, Values: d.values()},
		{Kind: Post, Actor: 2, Values: d.values()}, {Kind: Follow, Actor: 2, Other: 0}}} // who is a mere follower
	for range times {
		s.Ops = append(s.Ops, Op{Kind: Audit}, Op{Kind: Audit, Actor: 0, Other: 2, WithRecords: true, Extent: AuditRepeatedly}, Op{Kind: Audit, Actor: 2, Other: 1, WithRecords: true, Extent: AuditRepeatedly})
	}
	for who := range s.Slots {
		s.Ops = append(s.Ops, Op{Kind: Audit, Actor: who, Extent: AuditOthers}, Op{Kind: Audit, Actor: who, Extent: AuditVersions})
	}
	return s
}

// withSameUsers draws operations, half of which act on the users of the one before.
func (d generator) withSameUsers(length, slots int, next func(actor, other int) Op) []Op {
	var ops []Op
	one, other := 0, 1
	for range length {
		if d.IntN(2) == 0 {
			one, other = d.IntN(slots), d.IntN(slots)
		} else if d.IntN(3) == 0 {
			one, other = other, one
		}
		ops = append(ops, next(one, other))
	}
	return ops
}
