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
	d := newDrawer(seed, "walks")
	pairs := []Op{{Kind: Follow, A: 0, B: 1}, {Kind: Befriend, A: 0, B: 1}, {Kind: Part, A: 0, B: 1},
		{Kind: Post, A: 1}, {Kind: End, A: 0, B: 1}, {Kind: Social, A: 0, B: 1}, {Kind: Follow, A: 1, B: 0}, {Kind: End, A: 1, B: 0}}
	things := []Op{{Kind: Post, A: 1}, {Kind: Change, A: 1}, {Kind: Change, A: 1, V: verbAlone}, {Kind: ChangeBack, A: 1}, {Kind: Remove, A: 1},
		{Kind: Edit, A: 1}, {Kind: Rename, A: 1}, {Kind: Revert, A: 1}, {Kind: Tweak, A: 1}, {Kind: Tweak, A: 1, V: 1}, {Kind: Repassword, A: 1}, {Kind: LogIn, A: 1}, {Kind: LogOut, A: 1}, {Kind: UseEnded, A: 1}, {Kind: UseDeleted, A: 1},
		{Kind: Trespass, A: 0, B: 1, V: trespassChange}, {Kind: Trespass, A: 3, B: 1, V: trespassRemove}, {Kind: Trespass, A: 1, B: 0, V: trespassEnd},
		{Kind: Follow, A: 0, B: 1}, {Kind: End, A: 0, B: 1}}
	begin := []Op{{Kind: Post, A: 1, V: d.values()}, {Kind: Follow, A: 2, B: 1}, {Kind: Befriend, A: 3, B: 1}, {Kind: Post, A: 3, V: d.values()}}
	several := append([]Op{{Kind: LogIn, A: 0}, {Kind: LogIn, A: 1}}, begin[:2]...) // sessions, which take turns
	return append(d.sequences("sequences on a pair", pairs, several, 3, length),
		d.sequences("sequences on events and users", things, begin, 2, length)...)
}

// sequences cuts a de Bruijn sequence of operations into stories that overlap, so that no
// sequence of `order` operations is cut apart.
func (d drawer) sequences(name string, letters, begin []Op, order, length int) []Story {
	d.Shuffle(len(letters), func(i, j int) { letters[i], letters[j] = letters[j], letters[i] })
	sequence := deBruijn(len(letters), order)
	turn := d.IntN(len(sequence))
	sequence = append(sequence[turn:], sequence[:turn]...)
	sequence = append(sequence, sequence[:order-1]...)
	var stories []Story
	for from := 0; from < len(sequence)-order+1; from += length {
		s := Story{Values: d.values(), Name: name, Slots: 4, Compare: CompareAfterEach, Ops: append([]Op{}, begin...)}
		for _, letter := range sequence[from:min(from+length+order-1, len(sequence))] {
			op := letters[letter]
			if op.V == 0 {
				op.V = d.values()
			}
			if op.Kind == Trespass && op.V != trespassEnd {
				op.A = []int{0, 2, 3}[d.IntN(3)]
			}
			op.C = d.IntN(2)
			s.Ops = append(s.Ops, op)
		}
		stories = append(stories, s)
	}
	return stories
}
