package model

// deBruijn returns a cyclic sequence over k letters that contains each word of n letters exactly
// once, by concatenating Lyndon words in order (Fredricksen, Kessler, Maiorana).
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

// shortSequences draws stories that together contain every sequence of three operations on a pair
// of users and every sequence of two on events and users. Each story has at most length
// operations besides its setup and the overlap with the next one.
func shortSequences(seed uint64, length int) []Story {
	d := newGenerator(seed, "walks")
	pairs := []letter{{Op: Op{Kind: Follow, Actor: 0, Other: 1}}, {Op: Op{Kind: RequestMutually, Actor: 0, Other: 1}}, {Op: Op{Kind: DisconnectBoth, Actor: 0, Other: 1}},
		{Op: Op{Kind: Post, Actor: 1}}, {Op: Op{Kind: End, Actor: 0, Other: 1}}, {Op: Op{Kind: ConnectBySocialID, Actor: 0, Other: 1}}, {Op: Op{Kind: Follow, Actor: 1, Other: 0}}, {Op: Op{Kind: End, Actor: 1, Other: 0}}}
	things := []letter{{Op: Op{Kind: Post, Actor: 1}}, {Op: Op{Kind: Change, Actor: 1}}, {Op: Op{Kind: Change, Actor: 1, Values: verbAlone}, fixed: true}, {Op: Op{Kind: ChangeBack, Actor: 1}}, {Op: Op{Kind: Remove, Actor: 1}},
		{Op: Op{Kind: Edit, Actor: 1}}, {Op: Op{Kind: Rename, Actor: 1}}, {Op: Op{Kind: Revert, Actor: 1}}, {Op: Op{Kind: UpdateSimilar, Actor: 1}}, {Op: Op{Kind: UpdateEventSimilar, Actor: 1}, fixed: true}, {Op: Op{Kind: ChangePassword, Actor: 1}}, {Op: Op{Kind: LogIn, Actor: 1}}, {Op: Op{Kind: LogOut, Actor: 1}}, {Op: Op{Kind: UseEnded, Actor: 1}}, {Op: Op{Kind: UseDeleted, Actor: 1}},
		{Op: Op{Kind: WriteForeign, Actor: 0, Other: 1}, fixed: true}, {Op: Op{Kind: WriteForeign, Actor: 3, Other: 1, Write: DeleteForeignEvent}, fixed: true}, {Op: Op{Kind: WriteForeign, Actor: 1, Other: 0, Write: EndForeignFollow}, fixed: true},
		{Op: Op{Kind: Follow, Actor: 0, Other: 1}}, {Op: Op{Kind: End, Actor: 0, Other: 1}}}
	begin := []Op{{Kind: Post, Actor: 1, Values: d.values()}, {Kind: Follow, Actor: 2, Other: 1}, {Kind: RequestMutually, Actor: 3, Other: 1}, {Kind: Post, Actor: 3, Values: d.values()}}
	several := append([]Op{{Kind: LogIn, Actor: 0}, {Kind: LogIn, Actor: 1}}, begin[:2]...) // sessions, which take turns
	return append(d.sequences("sequences on a pair", pairs, several, 3, length),
		d.sequences("sequences on events and users", things, begin, 2, length)...)
}

// sequences cuts a de Bruijn sequence of operations into stories that overlap, so that no
// sequence of `order` operations is cut apart.
func (d generator) sequences(name string, letters []letter, begin []Op, order, length int) []Story {
	d.Shuffle(len(letters), func(i, j int) { letters[i], letters[j] = letters[j], letters[i] })
	sequence := deBruijn(len(letters), order)
	turn := d.IntN(len(sequence))
	sequence = append(sequence[turn:], sequence[:turn]...)
	sequence = append(sequence, sequence[:order-1]...)
	var stories []Story
	for from := 0; from < len(sequence)-order+1; from += length {
		s := Story{Values: d.values(), Name: name, Slots: 4, Compare: CompareAfterEach, Ops: append([]Op{}, begin...)}
		for _, each := range sequence[from:min(from+length+order-1, len(sequence))] {
			s.Ops = append(s.Ops, d.opOf(letters[each]))
		}
		stories = append(stories, s)
	}
	return stories
}

// letter is an operation in sequences. Its arguments are drawn each time, unless they are fixed.
type letter struct {
	Op
	fixed bool
}

// opOf returns an operation for a letter.
func (d generator) opOf(l letter) Op {
	o, values := l.Op, 0
	if !l.fixed {
		values = d.values()
	}
	if o.Kind == WriteForeign && o.Write != EndForeignFollow {
		o.Actor = []int{0, 2, 3}[d.IntN(3)]
	}
	if o.Event = d.IntN(2); l.fixed {
		return o
	}
	return newOp(o.Kind, o.Actor, o.Other, o.Event, values)
}
