package model

import "math/rand/v2"

// drawer generates stories from a seed. Equal seeds give equal stories.
type drawer struct {
	*rand.Rand
	next *int // of the numbers that choose values
}

// newDrawer returns the drawer of a stream. The stream's name is part of the seed: renaming a
// stream changes every story that is drawn from it.
func newDrawer(seed uint64, stream string) drawer {
	r := rand.New(rand.NewPCG(seed, uint64(stableHash(stream))))
	first := r.IntN(1 << 20)
	return drawer{r, &first}
}

// values returns a number that chooses values: never zero, which chooses plain ones. The
// numbers are consecutive, so that each pool is used completely.
func (d drawer) values() int {
	*d.next++
	return *d.next
}

// Values of V with a meaning of their own.
const (
	verbAlone      = 2 // of Change
	trespassChange = 3 // of Trespass
	trespassRemove = 1
	trespassEnd    = 2
	waysToTrespass = 3
)

// random draws a story of random operations, half of which act on the users of the one before.
// At the end everybody logs in again, and the user with most readers is deleted.
func random(seed uint64, length, slots int) Story {
	d := newDrawer(seed, "random")
	s := Story{Values: d.values(), Name: "random", Slots: slots, Compare: CompareEvery, Every: 8}
	drawn := []Kind{Follow, Follow, Befriend, Ask, End, Part, Social, Post, Post, Post, Change, ChangeBack, Remove,
		Edit, Rename, Repassword, Revert, Tweak, LogIn, LogOut, UseEnded, UseDeleted, Defect, TakeNames, Trespass, Leave, Return}
	s.Ops = d.withSameUsers(length, slots, func() Op {
		op := Op{Kind: drawn[d.IntN(len(drawn))], C: d.IntN(8), V: d.values()}
		if op.Kind == Leave && d.IntN(3) > 0 {
			op.Kind = Follow
		}
		return op
	})
	for i := range slots {
		s.Ops = append(s.Ops, Op{Kind: LogIn, A: i, V: i})
	}
	s.Ops = append(s.Ops, Op{Kind: Post, A: 1, V: d.values()}, Op{Kind: Audit}, Op{Kind: Leave, A: 1})
	return s
}

// repeatedReads draws a story of a few users whose views are read repeatedly.
func repeatedReads(seed uint64, times int) Story {
	d := newDrawer(seed, "repeated")
	s := Story{Values: d.values(), Name: "repeated reads", Slots: 3, Ops: []Op{{Kind: Post, A: 1, V: d.values()}, {Kind: Follow, A: 0, B: 1}, {Kind: Befriend, A: 2, B: 1},
		{Kind: Follow, A: 0, B: 1}, {Kind: Post, A: 1, V: d.values()}, {Kind: Change, A: 1, V: d.values()}, {Kind: Change, A: 1, V: d.values()},
		{Kind: Post, A: 2, V: d.values()}, {Kind: Follow, A: 2, B: 0}}} // who is a mere follower
	for range times {
		s.Ops = append(s.Ops, Op{Kind: Audit}, Op{Kind: Audit, A: 0, B: 2, C: 1, V: auditRepeatedly}, Op{Kind: Audit, A: 2, B: 1, C: 1, V: auditRepeatedly})
	}
	for who := range s.Slots {
		s.Ops = append(s.Ops, Op{Kind: Audit, A: who, V: auditOthers}, Op{Kind: Audit, A: who, V: auditVersions})
	}
	return s
}

// withSameUsers draws operations, half of which act on the users of the one before.
func (d drawer) withSameUsers(length, slots int, next func() Op) []Op {
	var ops []Op
	one, other := 0, 1
	for range length {
		if d.IntN(2) == 0 {
			one, other = d.IntN(slots), d.IntN(slots)
		} else if d.IntN(3) == 0 {
			one, other = other, one
		}
		op := next()
		op.A, op.B = one, other
		ops = append(ops, op)
	}
	return ops
}
