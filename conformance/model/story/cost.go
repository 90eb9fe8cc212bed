package story

// Cost is roughly how many requests a story takes, by rate limit category.
type Cost struct{ Writes, Reads, Deletes int }

// Within reports whether the cost fits into what is left.
func (c Cost) Within(left Cost) bool {
	return c.Writes <= left.Writes && c.Reads <= left.Reads && c.Deletes <= left.Deletes
}

// Minus returns what is left after a cost.
func (c Cost) Minus(o Cost) Cost {
	return Cost{c.Writes - o.Writes, c.Reads - o.Reads, c.Deletes - o.Deletes}
}

// Plus returns both costs together.
func (c Cost) Plus(o Cost) Cost {
	return Cost{c.Writes + o.Writes, c.Reads + o.Reads, c.Deletes + o.Deletes}
}

// Least returns the smaller of both costs in each category.
func (c Cost) Least(o Cost) Cost {
	return Cost{min(c.Writes, o.Writes), min(c.Reads, o.Reads), min(c.Deletes, o.Deletes)}
}

// UserCount returns how many users take part in the story.
func (s Story) UserCount() int {
	users := map[int]bool{}
	for _, o := range s.Ops {
		for _, slot := range o.Users() {
			users[slot%s.Slots] = true
		}
	}
	return len(users)
}

// Cost estimates the requests of the story, including the deletion of its users.
func (s Story) Cost() Cost {
	users := s.UserCount()
	var c Cost
	latest := Edit // change of a user
	logins := 0
	leavers := map[int]bool{} // who log in at the end, which must be refused
	renamed := map[int]bool{} // who log in by their email too, once they are deleted
	for i, o := range s.Ops {
		if o.Kind == Audit && (o.AtOnce || i > 0 && s.Ops[i-1].AtOnce) { // a concurrent read
			if c.Reads++; !s.DeferChecks {
				c.Reads += ConcurrentReads
			}
			continue
		}
		c = c.Plus(s.sent(o, latest))
		switch o.Kind {
		case Edit, Rename, ChangePassword, TakeNames:
			latest = o.Kind
			renamed[o.Actor%s.Slots] = renamed[o.Actor%s.Slots] || o.Kind == Rename || o.Kind == TakeNames
		case LogIn, LogOut:
			logins++
		case DeleteUser:
			if leavers[o.Actor%s.Slots] = true; renamed[o.Actor%s.Slots] {
				c.Writes++
			}
		}
		compared := s.comparedViews(o, logins)
		if s.Compare != CompareAtEnd {
			c.Reads += compared
		}
		switch {
		case o.AtOnce && s.DeferChecks: // ended sessions are read
			c.Reads++
		case o.AtOnce: // what both affect is compared, in new sessions if needed
			const others = 2
			c = c.Plus(Cost{Reads: compared + others, Writes: 1})
		}
	}
	ending := 7
	if s.ShortAudit {
		ending = 3
		c.Reads += 6 + logins + 4*len(leavers) // sessions that have ended, and what deleted users may still show in
	}
	if s.DeferChecks {
		const skipped = 5 // operations at least, which make no sense once it is their turn
		c.Writes -= skipped
	}
	return c.Plus(Cost{Writes: users + len(leavers), Deletes: users, Reads: ending * users})
}

// sent estimates the requests of an operation itself, given the latest change of a user.
func (s Story) sent(o Op, latest Kind) Cost {
	if o.Kind == Revert {
		o.Kind = latest
	}
	action := o.Kind.Action()
	if action.CostOf == nil {
		return action.Cost
	}
	return action.CostOf(s, o)
}

// comparedViews estimates how many views are compared after an operation.
func (s Story) comparedViews(o Op, logins int) int {
	const most = 4
	switch o.Kind.Action().Views {
	case moreViews:
		return most + 1
	case readerViews:
		return max(most, s.Slots/2)
	case sessionViews:
		return max(most, logins)
	case noViews:
		return 0
	}
	return most
}

// auditCost estimates what an audit reads.
func (s Story) auditCost(o Op) Cost {
	reads := []int{7 * s.Slots, s.Slots, 2 * s.Slots, 18, 35, 4, 14 * s.Slots, 2, 9, 1, 1, 1, 1, 5 * MostOthers, 4}[o.Extent]
	if o.Extent == AuditRepeatedly && o.WithRecords {
		reads += 18
	}
	return Cost{Reads: reads}
}

// MostOthers is how many others one user reads at once.
const MostOthers = 3

// ConcurrentReads is how often an audit that is concurrent with a write is sent, so that one of
// the reads overlaps the write.
const ConcurrentReads = 7
