package draw

import "github.com/socialfeed/conform/conformance/model/story"

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

// ShortSequences draws stories that together contain every sequence of three operations on a pair
// of users and every sequence of two on events and users. Each story has at most length
// operations besides its setup and the overlap with the next one.
func ShortSequences(seed uint64, length int) []story.Story {
	d := newGenerator(seed, "walks")
	pairs := []letter{{Op: story.Op{Kind: story.Follow, Actor: 0, Other: 1}}, {Op: story.Op{Kind: story.RequestMutually, Actor: 0, Other: 1}}, {Op: story.Op{Kind: story.DisconnectBoth, Actor: 0, Other: 1}},
		{Op: story.Op{Kind: story.Post, Actor: 1}}, {Op: story.Op{Kind: story.End, Actor: 0, Other: 1}}, {Op: story.Op{Kind: story.ConnectBySocialID, Actor: 0, Other: 1}}, {Op: story.Op{Kind: story.Follow, Actor: 1, Other: 0}}, {Op: story.Op{Kind: story.End, Actor: 1, Other: 0}}}
	things := []letter{{Op: story.Op{Kind: story.Post, Actor: 1}}, {Op: story.Op{Kind: story.Change, Actor: 1}}, {Op: story.Op{Kind: story.Change, Actor: 1, Values: story.VerbAlone}, fixed: true}, {Op: story.Op{Kind: story.ChangeBack, Actor: 1}}, {Op: story.Op{Kind: story.Remove, Actor: 1}},
		{Op: story.Op{Kind: story.Edit, Actor: 1}}, {Op: story.Op{Kind: story.Rename, Actor: 1}}, {Op: story.Op{Kind: story.Revert, Actor: 1}}, {Op: story.Op{Kind: story.UpdateSimilar, Actor: 1}}, {Op: story.Op{Kind: story.UpdateEventSimilar, Actor: 1}, fixed: true}, {Op: story.Op{Kind: story.ChangePassword, Actor: 1}}, {Op: story.Op{Kind: story.LogIn, Actor: 1}}, {Op: story.Op{Kind: story.LogOut, Actor: 1}}, {Op: story.Op{Kind: story.UseEnded, Actor: 1}}, {Op: story.Op{Kind: story.UseDeleted, Actor: 1}},
		{Op: story.Op{Kind: story.WriteForeign, Actor: 0, Other: 1}, fixed: true}, {Op: story.Op{Kind: story.WriteForeign, Actor: 3, Other: 1, Write: story.DeleteForeignEvent}, fixed: true}, {Op: story.Op{Kind: story.WriteForeign, Actor: 1, Other: 0, Write: story.EndForeignFollow}, fixed: true},
		{Op: story.Op{Kind: story.Follow, Actor: 0, Other: 1}}, {Op: story.Op{Kind: story.End, Actor: 0, Other: 1}}}
	begin := []story.Op{{Kind: story.Post, Actor: 1, Values: d.values()}, {Kind: story.Follow, Actor: 2, Other: 1}, {Kind: story.RequestMutually, Actor: 3, Other: 1}, {Kind: story.Post, Actor: 3, Values: d.values()}}
	several := append([]story.Op{{Kind: story.LogIn, Actor: 0}, {Kind: story.LogIn, Actor: 1}}, begin[:2]...) // sessions, which take turns
	return append(d.sequences("sequences on a pair", pairs, several, 3, length),
		d.sequences("sequences on events and users", things, begin, 2, length)...)
}

// sequences cuts a de Bruijn sequence of operations into stories that overlap, so that no
// sequence of `order` operations is cut apart.
func (d generator) sequences(name string, letters []letter, begin []story.Op, order, length int) []story.Story {
	d.Shuffle(len(letters), func(i, j int) { letters[i], letters[j] = letters[j], letters[i] })
	sequence := deBruijn(len(letters), order)
	turn := d.IntN(len(sequence))
	sequence = append(sequence[turn:], sequence[:turn]...)
	sequence = append(sequence, sequence[:order-1]...)
	var stories []story.Story
	for from := 0; from < len(sequence)-order+1; from += length {
		s := story.Story{Values: d.values(), Name: name, Slots: 4, Compare: story.CompareAfterEach, Ops: append([]story.Op{}, begin...)}
		for _, each := range sequence[from:min(from+length+order-1, len(sequence))] {
			s.Ops = append(s.Ops, d.opOf(letters[each]))
		}
		stories = append(stories, s)
	}
	return stories
}

// letter is an operation in sequences. Its arguments are drawn each time, unless they are fixed.
type letter struct {
	story.Op
	fixed bool
}

// opOf returns an operation for a letter.
func (d generator) opOf(l letter) story.Op {
	o, values := l.Op, 0
	if !l.fixed {
		values = d.values()
	}
	if o.Kind == story.WriteForeign && o.Write != story.EndForeignFollow {
		o.Actor = []int{0, 2, 3}[d.IntN(3)]
	}
	if o.Event = d.IntN(2); l.fixed {
		return o
	}
	return story.NewOp(o.Kind, o.Actor, o.Other, o.Event, values)
}
