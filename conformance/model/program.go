package model

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

func (c Cost) plus(o Cost) Cost {
	return Cost{c.Writes + o.Writes, c.Reads + o.Reads, c.Deletes + o.Deletes}
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
	logins := 0
	for i, o := range s.Ops {
		if o.Kind == Audit && (o.AtOnce || i > 0 && s.Ops[i-1].AtOnce) { // a reading beside something else
			if c.Reads++; !s.Late {
				c.Reads += often
			}
			continue
		}
		c = c.plus(s.sent(o, latest))
		switch o.Kind {
		case Edit, Rename, Repassword:
			latest = o.Kind
		case LogIn, LogOut:
			logins++
		}
		looks := s.looks(o, logins)
		if s.Looks != LookAtEnd {
			c.Reads += looks
		}
		switch {
		case o.AtOnce && s.Late: // sessions that ended are looked at
			c.Reads++
		case o.AtOnce: // what both affect is looked at, by whom their sessions may have ended
			const others = 2
			c = c.plus(Cost{Reads: looks + others, Writes: 1})
		}
	}
	ending := 7
	if s.Brief {
		ending = 2
	}
	return c.plus(Cost{Writes: users, Deletes: users, Reads: ending * users})
}

// sent is what an operation itself sends, after the latest change of a user.
func (s Story) sent(o Op, latest Kind) Cost {
	switch o.Kind {
	case Befriend:
		return Cost{Writes: 2, Deletes: 2}
	case Part:
		return Cost{Deletes: 2}
	case LogOut: // and in again
		return Cost{Writes: 1, Deletes: 1}
	case End, Remove, Leave:
		return Cost{Deletes: 1}
	case Trespass:
		if o.V == trespassRemove || o.V == trespassEnd {
			return Cost{Deletes: 1}
		}
	case Repassword:
		return Cost{Writes: 3}
	case Revert:
		if latest == Repassword { // and logins by either password
			return Cost{Writes: 3}
		}
	case Audit:
		return Cost{Reads: s.auditReads(o)}
	case Social, Gather: // and a look whom they connected
		return Cost{Writes: 1, Reads: 1}
	case Seek, UseElsewhere:
		return Cost{Writes: 1, Reads: 4}
	case Join:
		return Cost{Writes: abs(o.V) % 2} // a login, later
	case Rest:
		return Cost{}
	}
	return Cost{Writes: 1}
}

// looks is how many views of what an operation affects are looked at.
func (s Story) looks(o Op, logins int) int {
	const most = 4
	switch o.Kind {
	case Edit, Rename, Repassword, Revert, Tweak:
		return most + 1
	case Trespass: // whoever may read what it is about
		return max(most, s.Slots/2)
	case LogIn, LogOut: // each session
		return max(most, logins)
	case Audit:
		return 0
	}
	return most
}

// auditReads estimates what an audit reads.
func (s Story) auditReads(o Op) int {
	reads := []int{7 * s.Slots, s.Slots, 2 * s.Slots, 18, 42, 4, 14 * s.Slots, 2, 9, 1, 1}[o.V%(ownFeed+1)]
	if o.V == overAndOver {
		reads += 18 * (abs(o.C) % 2)
	}
	return reads
}

// Program is the stories of a seed, those that find most for their cost first. The one
// that waits begins early, beside the others.
func Program(seed uint64) []Story {
	const readers, length, rounds, reads, steps, slots = 15, 24, 32, 4, 80, 4
	all := append(purges(seed, readers), later(seed), multitude(seed))
	for i := range all {
		all[i].Brief = i > 0 // the purge is looked at from all sides
	}
	all = append(all, pairsAtOnce(seed, rounds)...)
	all = append(all, pairsAtOnce(seed+1, rounds)[1:]...) // those of the end, each of which has but one chance
	all = append(all, tours(seed)...)
	all = append(all, habits(seed)...)
	all = append(all, trespasses(seed), readings(seed, reads))
	all = append(all, walks(seed, length)...)
	all = append(all, random(seed, steps, slots))
	return all
}

// Small is the stories of a seed that find most for their cost, for a run with few
// requests to spare: the first that fit are to be played.
func Small(seed uint64, c Choices) []Story {
	const few, rounds, people, short = 4, 13, 21, 6
	var all []Story
	for _, size := range TownSizes() {
		all = append(all, Town(seed, c, size))
	}
	for _, readers := range []int{15, 12, 10, 8} { // as many as fit
		all = append(all, purges(seed, readers)[0])
	}
	all = append(all, pairsAtOnce(seed, rounds)...)
	all = append(all, crowd(seed, people))
	all = append(all, purges(seed+1, few)...)
	all = append(all, walks(seed, short)...)
	return all
}
