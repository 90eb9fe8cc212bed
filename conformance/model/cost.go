package model

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

// UserCount returns how many users take part in the story.
func (s Story) UserCount() int {
	users := map[int]bool{}
	for _, o := range s.Ops {
		for _, slot := range o.users() {
			users[slot%s.Slots] = true
		}
	}
	return len(users)
}

// Cost estimates the requests of the story, including the deletion of its users.
func (s Story) Cost() Cost {
	users := s.UserCount()
	var c Cost
	var latest Kind // change of a user
	logins := 0
	leavers := map[int]bool{} // who log in at the end, which must be refused
	renamed := map[int]bool{} // who log in by their email too, once they are deleted
	for i, o := range s.Ops {
		if o.Kind == Audit && (o.AtOnce || i > 0 && s.Ops[i-1].AtOnce) { // a concurrent read
			if c.Reads++; !s.DeferChecks {
				c.Reads += concurrentReads
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
	switch o.Kind {
	case RequestMutually:
		return Cost{Writes: 2, Deletes: 2}
	case DisconnectBoth:
		return Cost{Deletes: 2}
	case LogOut: // and a login later
		return Cost{Writes: 1, Deletes: 1}
	case End, Remove:
		return Cost{Deletes: 1}
	case DeleteUser:
		return Cost{Deletes: 1}
	case WriteForeign:
		if o.Write != ChangeForeignEvent {
			return Cost{Deletes: 1}
		}
	case Recreate: // and a login with the password of the former user
		return Cost{Writes: 2}
	case UseDeleted:
		if o.Delete {
			return Cost{Deletes: 1}
		}
	case ChangePassword:
		return Cost{Writes: 3}
	case Revert:
		if latest == ChangePassword { // and logins with both passwords
			return Cost{Writes: 3}
		}
	case Audit:
		return Cost{Reads: s.auditReads(o)}
	case ConnectBySocialID, ConnectAllBySocialID: // and a read of the list
		return Cost{Writes: 1, Reads: 1}
	case LookFor, UseElsewhere:
		return Cost{Writes: 1, Reads: 4}
	case Join:
		if o.WithoutLogin { // a login later
			return Cost{Writes: 1}
		}
		return Cost{}
	case Wait:
		return Cost{}
	}
	return Cost{Writes: 1}
}

// comparedViews estimates how many views are compared after an operation.
func (s Story) comparedViews(o Op, logins int) int {
	const most = 4
	switch o.Kind {
	case Edit, Rename, ChangePassword, Revert, UpdateSimilar, UpdateEventSimilar, End:
		return most + 1
	case WriteForeign: // of all who may read the event
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
	reads := []int{7 * s.Slots, s.Slots, 2 * s.Slots, 18, 35, 4, 14 * s.Slots, 2, 9, 1, 1, 1, 1, 5 * mostOthers, 4}[o.Extent]
	if o.Extent == AuditRepeatedly && o.WithRecords {
		reads += 18
	}
	return reads
}
