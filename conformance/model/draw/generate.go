package draw

import (
	"math/rand/v2"

	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
)

// generator generates stories from a seed. Equal seeds give equal stories.
type generator struct {
	*rand.Rand
	next *int // of the numbers that choose values
}

// newGenerator returns the generator of a stream. The stream's name is part of the seed: renaming a
// stream changes every story that is drawn from it.
func newGenerator(seed uint64, stream string) generator {
	r := rand.New(rand.NewPCG(seed, uint64(value.Hash(stream))))
	first := r.IntN(1 << 20)
	return generator{r, &first}
}

// values returns a number that chooses values: never zero, which chooses plain ones. The
// numbers are consecutive, so that each pool is used completely.
func (d generator) values() int {
	*d.next++
	return *d.next
}

// Random draws a story of random operations, half of which act on the users of the one before.
// At the end everybody logs in again, and the user with most readers is deleted.
func Random(seed uint64, length, slots int) story.Story {
	d := newGenerator(seed, "random")
	s := story.Story{Values: d.values(), Name: "random", Slots: slots, Compare: story.CompareEvery, Every: 8}
	drawn := []story.Kind{story.Follow, story.Follow, story.RequestMutually, story.RequestFriend, story.End, story.DisconnectBoth, story.ConnectBySocialID, story.Post, story.Post, story.Post, story.Change, story.ChangeBack, story.Remove,
		story.Edit, story.Rename, story.ChangePassword, story.Revert, story.UpdateSimilar, story.LogIn, story.LogOut, story.UseEnded, story.UseDeleted, story.SendDefect, story.TakeNames, story.WriteForeign, story.DeleteUser, story.Recreate}
	s.Ops = d.withSameUsers(length, slots, func(actor, other int) story.Op {
		kind, which, values := drawn[d.IntN(len(drawn))], d.IntN(8), d.values()
		if kind == story.DeleteUser && d.IntN(3) > 0 {
			kind = story.Follow
		}
		return story.NewOp(kind, actor, other, which, values)
	})
	for i := range slots {
		s.Ops = append(s.Ops, story.Op{Kind: story.LogIn, Actor: i, ByEmail: i%2 != 0})
	}
	s.Ops = append(s.Ops, story.Op{Kind: story.Post, Actor: 1, Values: d.values()}, story.Op{Kind: story.Audit}, story.Op{Kind: story.DeleteUser, Actor: 1})
	return s
}

// RepeatedReads draws a story of a few users whose views are read repeatedly.
func RepeatedReads(seed uint64, times int) story.Story {
	d := newGenerator(seed, "repeated")
	s := story.Story{Values: d.values(), Name: "repeated reads", Slots: 3, Ops: []story.Op{{Kind: story.Post, Actor: 1, Values: d.values()}, {Kind: story.Follow, Actor: 0, Other: 1}, {Kind: story.RequestMutually, Actor: 2, Other: 1},
		{Kind: story.Follow, Actor: 0, Other: 1}, {Kind: story.Post, Actor: 1, Values: d.values()}, {Kind: story.Change, Actor: 1, Values: d.values()}, {Kind: story.Change, Actor: 1, Values: d.values()},
		{Kind: story.Post, Actor: 2, Values: d.values()}, {Kind: story.Follow, Actor: 2, Other: 0}}} // who is a mere follower
	for range times {
		s.Ops = append(s.Ops, story.Op{Kind: story.Audit}, story.Op{Kind: story.Audit, Actor: 0, Other: 2, WithRecords: true, Extent: story.AuditRepeatedly}, story.Op{Kind: story.Audit, Actor: 2, Other: 1, WithRecords: true, Extent: story.AuditRepeatedly})
	}
	for who := range s.Slots {
		s.Ops = append(s.Ops, story.Op{Kind: story.Audit, Actor: who, Extent: story.AuditOthers}, story.Op{Kind: story.Audit, Actor: who, Extent: story.AuditVersions})
	}
	return s
}

// withSameUsers draws operations, half of which act on the users of the one before.
func (d generator) withSameUsers(length, slots int, next func(actor, other int) story.Op) []story.Op {
	var ops []story.Op
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
