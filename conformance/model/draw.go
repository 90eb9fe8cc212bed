package model

import (
	"math/rand/v2"
	"slices"
)

// drawer draws from a seed. Equal seeds draw equal stories.
type drawer struct {
	*rand.Rand
	next *int // of the numbers that choose values
}

func newDrawer(seed uint64, stream string) drawer {
	r := rand.New(rand.NewPCG(seed, uint64(turn(stream))))
	first := r.IntN(1 << 20)
	return drawer{r, &first}
}

// values is a number that chooses values: never zero, which chooses plain ones.
// One follows the other, so that each pool is gone through whole.
func (d drawer) values() int {
	*d.next++
	return *d.next
}

// Slots of a story about a purge. The readers come after them.
const (
	leaver = iota
	secondLeaver
	stays
	firstReader
)

// history is how a reader comes to be connected to a leaver before it leaves, nil
// for one who is not until all events are there.
type history struct {
	name    string
	connect func(reader int) []Op
}

// histories are the ways to be connected, or no longer, to somebody who leaves.
func histories() []history {
	with := func(kinds ...Kind) func(int) []Op {
		return func(reader int) []Op {
			var ops []Op
			for _, k := range kinds {
				ops = append(ops, Op{Kind: k, A: reader, B: leaver})
			}
			return ops
		}
	}
	return []history{
		{name: "follow", connect: with(Follow)},
		{name: "friend", connect: with(Befriend)},
		{name: "follow, then friend", connect: with(Follow, Befriend)},
		{name: "friend, then follow", connect: with(Befriend, Follow)},
		{name: "follow by social id", connect: with(Social)},
		{name: "friend by social id", connect: func(r int) []Op {
			return []Op{{Kind: Social, A: r, B: leaver, V: 1}, {Kind: Ask, A: leaver, B: r}}
		}},
		{name: "ended and made again", connect: with(Follow, End, Follow)},
		{name: "friends again", connect: with(Befriend, Part, Befriend)},
		{name: "friend, then follow instead", connect: with(Befriend, Part, Follow)},
		{name: "both ways", connect: func(r int) []Op {
			return []Op{{Kind: Follow, A: r, B: leaver}, {Kind: Follow, A: leaver, B: r}}
		}},
		{name: "asked by the leaver", connect: func(r int) []Op {
			return []Op{{Kind: Befriend, A: leaver, B: r}}
		}},
		{name: "fresh login", connect: func(r int) []Op {
			return []Op{{Kind: Follow, A: r, B: leaver}, {Kind: LogIn, A: r, V: 1}}
		}},
		{name: "ended before", connect: with(Follow, End)},
		{name: "followed twice", connect: with(Follow, Follow)},
		{name: "late follower"},
	}
}

// Purges draws stories of users that leave: one reader for each history, all kinds
// of events, everything looked at before and after, then a second leaver. With
// few below the number of histories each story has that many of them, and several
// stories have them all.
func Purges(seed uint64, few int) []Story {
	d := newDrawer(seed, "purges")
	all := histories()
	d.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var stories []Story
	for len(all) > 0 {
		n := min(few, len(all))
		stories = append(stories, d.purge(all[:n]))
		all = all[n:]
	}
	return stories
}

func (d drawer) purge(all []history) Story {
	s := Story{Values: d.values(), Name: "purge", Slots: firstReader + len(all), Brief: true}
	add := func(ops ...Op) { s.Ops = append(s.Ops, ops...) }
	post := func(who int) { add(Op{Kind: Post, A: who, V: d.values()}) }
	post(leaver)
	for i, h := range all {
		if h.connect != nil {
			add(h.connect(firstReader + i)...)
		}
		if i == len(all)/2 {
			add(Op{Kind: Rename, A: leaver, V: d.values()})
		}
		add(Op{Kind: Follow, A: firstReader + i, B: []int{secondLeaver, stays}[i%2]})
	}
	post(stays)
	post(secondLeaver)
	post(leaver)
	post(leaver)
	add(Op{Kind: Change, A: leaver, C: 0, V: d.values()}, Op{Kind: Change, A: leaver, C: 2, V: d.values()}, Op{Kind: Remove, A: leaver, C: 1})
	post(leaver)
	for i, h := range all {
		if h.connect == nil {
			add(Op{Kind: Follow, A: firstReader + i, B: leaver})
		}
	}
	add(Op{Kind: Follow, A: leaver, B: stays}, Op{Kind: Follow, A: firstReader, B: firstReader + 1}, Op{Kind: Post, A: firstReader + 1, V: d.values()})
	add(Op{Kind: Audit, V: feedsAlone}, Op{Kind: LogIn, A: leaver}, Op{Kind: Leave, A: leaver}, Op{Kind: Audit, V: feedsAndLists})
	add(Op{Kind: Haunt, A: leaver, V: d.values()}, Op{Kind: Post, A: stays, V: d.values()}, Op{Kind: Leave, A: secondLeaver}, Op{Kind: Return, A: leaver, V: d.values()})
	post(leaver)
	return s
}

// Values with a meaning of their own.
const (
	verbAlone    = 2 // of Change
	meddleChange = 3 // of Meddle
	meddleRemove = 1
	meddleEnd    = 2
)

// deBruijn is a cyclic sequence over k letters in which each word of n letters
// stands exactly once (Fredricksen, Kessler, Maiorana: Lyndon words in order).
func deBruijn(k, n int) []int {
	var sequence []int
	word := make([]int, k*n+1)
	var extend func(t, p int)
	extend = func(t, p int) {
		if t > n {
			if n%p == 0 {
				sequence = append(sequence, word[1:p+1]...)
			}
			return
		}
		word[t] = word[t-p]
		extend(t+1, p)
		for letter := word[t-p] + 1; letter < k; letter++ {
			word[t] = letter
			extend(t+1, t)
		}
	}
	extend(1, 1)
	return sequence
}

// Walks draws stories in which every short sequence of few operations comes up:
// those on a pair of users at order 3, those on events and users at order 2. Each
// is cut into stories of at most length operations that overlap by the order.
func Walks(seed uint64, length int) []Story {
	d := newDrawer(seed, "walks")
	pairs := []Op{{Kind: Follow, A: 0, B: 1}, {Kind: Befriend, A: 0, B: 1}, {Kind: Part, A: 0, B: 1},
		{Kind: Post, A: 1}, {Kind: End, A: 0, B: 1}, {Kind: Social, A: 0, B: 1}}
	things := []Op{{Kind: Post, A: 1}, {Kind: Change, A: 1}, {Kind: Change, A: 1, V: verbAlone}, {Kind: ChangeBack, A: 1}, {Kind: Remove, A: 1},
		{Kind: Edit, A: 1}, {Kind: Rename, A: 1}, {Kind: Revert, A: 1}, {Kind: Tweak, A: 1}, {Kind: Tweak, A: 1, V: 1}, {Kind: Repassword, A: 1}, {Kind: LogIn, A: 1}, {Kind: LogOut, A: 1}, {Kind: Haunt, A: 1},
		{Kind: Meddle, A: 0, B: 1, V: meddleChange}, {Kind: Meddle, A: 3, B: 1, V: meddleRemove}, {Kind: Meddle, A: 1, B: 0, V: meddleEnd},
		{Kind: Follow, A: 0, B: 1}, {Kind: End, A: 0, B: 1}}
	begin := []Op{{Kind: Post, A: 1, V: d.values()}, {Kind: Follow, A: 2, B: 1}, {Kind: Befriend, A: 3, B: 1}, {Kind: Post, A: 3, V: d.values()}}
	return append(d.walk("walk of a pair", pairs, begin[:2], 3, length),
		d.walk("walk of events and users", things, begin, 2, length)...)
}

func (d drawer) walk(name string, letters, begin []Op, order, length int) []Story {
	d.Shuffle(len(letters), func(i, j int) { letters[i], letters[j] = letters[j], letters[i] })
	sequence := deBruijn(len(letters), order)
	turn := d.IntN(len(sequence))
	sequence = append(sequence[turn:], sequence[:turn]...)
	sequence = append(sequence, sequence[:order-1]...)
	var stories []Story
	for from := 0; from < len(sequence)-order+1; from += length {
		s := Story{Values: d.values(), Name: name, Slots: 4, Looks: LookAtEach, Ops: append([]Op{}, begin...)}
		for _, letter := range sequence[from:min(from+length+order-1, len(sequence))] {
			op := letters[letter]
			if op.V == 0 {
				op.V = d.values()
			}
			if op.Kind == Meddle && op.V != meddleEnd {
				op.A = []int{0, 2, 3}[d.IntN(3)]
			}
			op.C = d.IntN(2)
			s.Ops = append(s.Ops, op)
		}
		stories = append(stories, s)
	}
	return stories
}

// Crowd draws a story of many: so many followed, followers, friends and events of
// one user, built once, and looked at from all sides before and after small changes.
func Crowd(seed uint64, size int) Story {
	d := newDrawer(seed, "crowd")
	const hub, star = 0, 1 // the hub follows many, the star is followed by many
	s := Story{Values: d.values(), Name: "crowd", Slots: size + 2, Brief: true}
	for i := 2; i < size+2; i++ {
		s.Ops = append(s.Ops, Op{Kind: Follow, A: hub, B: i}, Op{Kind: Follow, A: i, B: star})
		if i < 2+promisedLength {
			s.Ops = append(s.Ops, Op{Kind: Post, A: i, V: d.values()})
		}
		if i%3 == 0 {
			s.Ops = append(s.Ops, Op{Kind: Befriend, A: star, B: i})
		}
	}
	for range size {
		s.Ops = append(s.Ops, Op{Kind: Post, A: star, V: d.values()})
	}
	s.Ops = append(s.Ops, Op{Kind: Follow, A: hub, B: star}) // among whose many events those of others must not drown
	both := Op{Kind: Audit, A: hub, B: star, V: ofTwo}
	s.Ops = append(s.Ops, both, Op{Kind: Remove, A: star, C: size - 1}, Op{Kind: Remove, A: star, C: 0},
		Op{Kind: Change, A: star, C: size / 2, V: d.values()}, Op{Kind: End, A: hub, B: 3}, Op{Kind: End, A: size + 1, B: star},
		Op{Kind: Leave, A: 2 + d.IntN(size)}, both, Op{Kind: Leave, A: star})
	return s
}

// AtOnce draws rounds of two operations that are sent together and may come in
// either order. All rounds are of one few users, save those in which one leaves.
func AtOnce(seed uint64, rounds int) []Story {
	d := newDrawer(seed, "at once")
	couples := [][2]Op{
		{{Kind: Change, A: 1}, {Kind: Change, A: 1}},
		{{Kind: Edit, A: 1}, {Kind: Edit, A: 1}},
		{{Kind: Follow, A: 0, B: 1}, {Kind: End, A: 0, B: 1}},
		{{Kind: Follow, A: 0, B: 1}, {Kind: Post, A: 1}},
		{{Kind: Follow, A: 0, B: 1}, {Kind: Follow, A: 0, B: 1}},
		{{Kind: Post, A: 1}, {Kind: Post, A: 1}},
		{{Kind: Change, A: 1}, {Kind: Remove, A: 1}},
		{{Kind: Ask, A: 0, B: 2}, {Kind: Ask, A: 2, B: 0}},
	}
	begin := []Op{{Kind: Follow, A: 2, B: 1}, {Kind: Post, A: 1, V: d.values()}}
	stay := Story{Values: d.values(), Name: "at once", Slots: 3, Ops: slices.Clone(begin), Brief: true}
	for i := range rounds {
		couple := couples[i%len(couples)]
		couple[0].AtOnce, couple[0].V, couple[1].V = true, d.values(), d.values()
		if couple[0].Kind == Ask {
			stay.Ops = append(stay.Ops, Op{Kind: Part, A: 0, B: 2})
		}
		if couple[0].Kind == Change && couple[1].Kind == Remove {
			stay.Ops = append(stay.Ops, Op{Kind: Post, A: 1, V: d.values()}) // one that there is, always
		}
		stay.Ops = append(stay.Ops, couple[0], couple[1])
	}
	leaving := []Op{{Kind: Post, A: 1, V: d.values()}, {Kind: Follow, A: 0, B: 1}}
	d.Shuffle(len(leaving), func(i, j int) { leaving[i], leaving[j] = leaving[j], leaving[i] })
	stories := []Story{stay}
	for _, op := range leaving {
		op.AtOnce = true
		stories = append(stories, Story{Values: d.values(), Name: "at once with the end", Slots: 3, Brief: true, Ops: append(slices.Clone(begin), op, Op{Kind: Leave, A: 1})})
	}
	return stories
}

// Random draws a story in which half of the operations go on with the users of
// the one before. It ends with fresh logins, and the user with most readers leaves.
func Random(seed uint64, length, slots int) Story {
	d := newDrawer(seed, "random")
	s := Story{Values: d.values(), Name: "random", Slots: slots, Looks: LookEvery, Every: 8}
	drawn := []Kind{Follow, Follow, Befriend, Ask, End, Part, Social, Post, Post, Post, Change, ChangeBack, Remove,
		Edit, Rename, Repassword, Revert, Tweak, LogIn, LogOut, Haunt, Meddle, Leave, Return}
	op := Op{A: 0, B: 1}
	for range length {
		if d.IntN(2) == 0 {
			op.A, op.B = d.IntN(slots), d.IntN(slots)
		} else if d.IntN(3) == 0 {
			op.A, op.B = op.B, op.A
		}
		op.Kind, op.C, op.V = drawn[d.IntN(len(drawn))], d.IntN(8), d.values()
		if op.Kind == Leave && d.IntN(3) > 0 {
			op.Kind = Follow
		}
		s.Ops = append(s.Ops, op)
	}
	for i := range slots {
		s.Ops = append(s.Ops, Op{Kind: LogIn, A: i, V: i})
	}
	s.Ops = append(s.Ops, Op{Kind: Post, A: 1, V: d.values()}, Op{Kind: Audit}, Op{Kind: Leave, A: 1})
	return s
}

// Later draws a story whose world is kept, and looked at again after a while.
func Later(seed uint64) Story {
	d := newDrawer(seed, "later")
	s := d.purge(histories()[:4])
	s.Name = "later"
	s.Ops = append(s.Ops, Op{Kind: Rest}, Op{Kind: Audit})
	return s
}

// Repeated draws a story of few users whose views are read over and over.
func Repeated(seed uint64, times int) Story {
	d := newDrawer(seed, "repeated")
	s := Story{Values: d.values(), Name: "repeated", Slots: 3, Ops: []Op{{Kind: Post, A: 1, V: d.values()}, {Kind: Follow, A: 0, B: 1}, {Kind: Befriend, A: 2, B: 1},
		{Kind: Follow, A: 0, B: 1}, {Kind: Post, A: 1, V: d.values()}, {Kind: Change, A: 1, V: d.values()}, {Kind: Change, A: 1, V: d.values()}}}
	for range times {
		s.Ops = append(s.Ops, Op{Kind: Audit}, Op{Kind: Audit, A: 0, B: 2, V: overAndOver}, Op{Kind: Audit, A: 2, B: 1, V: overAndOver})
	}
	return s
}
