package model

import "iter"

// Cost is how many requests a story takes by the category of their limit, roughly.
type Cost struct{ Writes, Reads, Deletes int }

// Within reports whether a cost fits into what is left.
func (c Cost) Within(left Cost) bool {
	return c.Writes <= left.Writes && c.Reads <= left.Reads && c.Deletes <= left.Deletes
}

// Minus is what is left after a cost.
func (c Cost) Minus(o Cost) Cost {
	return Cost{c.Writes - o.Writes, c.Reads - o.Reads, c.Deletes - o.Deletes}
}

// Users is how many users take part in a story.
func (s Story) Users() int {
	users := map[int]bool{}
	for _, o := range s.Ops {
		users[o.A%s.Slots] = true
		if o.Kind.ofTwo() {
			users[o.B%s.Slots] = true
		}
	}
	return len(users)
}

// Cost estimates the requests of a story, the removal of its users included.
func (s Story) Cost() Cost {
	users := s.Users()
	var c Cost
	var latest Kind // change of a user
	for _, o := range s.Ops {
		looks := 4
		switch o.Kind {
		case Edit, Rename, Repassword, Revert, Tweak:
			looks = 5
		}
		switch o.Kind {
		case Befriend:
			c.Writes, c.Deletes = c.Writes+2, c.Deletes+2
		case Part:
			c.Deletes += 2
		case LogOut: // and in again
			c.Deletes, c.Writes = c.Deletes+1, c.Writes+1
		case End, Remove, Leave:
			c.Deletes++
		case Repassword:
			c.Writes += 3
		case Revert:
			if c.Writes++; latest == Repassword {
				c.Writes += 2 // logins by either password
			}
		case Audit:
			looks = 0
			c.Reads += []int{7 * s.Slots, s.Slots, 2 * s.Slots, 18, 49, 4}[o.V%6]
		case Join, Rest:
		default:
			c.Writes++
		}
		if o.Kind == Edit || o.Kind == Rename || o.Kind == Repassword {
			latest = o.Kind
		}
		if s.Looks != LookAtEnd {
			c.Reads += looks
		}
		if o.AtOnce { // what both affect is looked at
			c.Reads += 2 * looks
			c.Writes++
		}
	}
	ending := 7
	if s.Brief {
		ending = 2
	}
	c.Writes, c.Deletes, c.Reads = c.Writes+users, c.Deletes+users, c.Reads+ending*users
	return c
}

// Program is the stories of a seed, those that find most for their cost first.
func Program(seed uint64) iter.Seq[Story] {
	const readers, length, rounds, crowd, reads, random, slots = 15, 24, 18, 21, 8, 80, 4
	return func(yield func(Story) bool) {
		all := Purges(seed, readers)
		all = append(all, AtOnce(seed, rounds)...)
		all = append(all, Crowd(seed, crowd), Later(seed), Repeated(seed, reads))
		all = append(all, Walks(seed, length)...)
		all = append(all, Random(seed, random, slots))
		for _, s := range all {
			if !yield(s) {
				return
			}
		}
	}
}

// LearningCost is what finding out a target's choices takes.
func LearningCost() Cost { return Cost{Writes: 32, Reads: 12, Deletes: 12} }

// Small is the stories of a seed that find most for their cost, for a run with few
// requests to spare: the first that fit are to be played.
func Small(seed uint64, c Choices) iter.Seq[Story] {
	const few, rounds, crowd, short = 4, 14, 21, 6
	return func(yield func(Story) bool) {
		all := []Story{Town(seed, c, true), Town(seed, c, false)}
		for _, readers := range []int{15, 12, 10, 8} { // as many as fit
			all = append(all, Purges(seed, readers)[0])
		}
		all = append(all, AtOnce(seed, rounds)...)
		all = append(all, Crowd(seed, crowd))
		all = append(all, Purges(seed+1, few)...)
		all = append(all, Walks(seed, short)...)
		for _, s := range all {
			if !yield(s) {
				return
			}
		}
	}
}
