package model

// repeatedWrites draws stories that repeat one kind of write (logins, updates, events,
// connections, sessions) and compare its effects each time.
func repeatedWrites(seed uint64) []Story {
	const often = 11
	d := newGenerator(seed, "habits")
	begin := []Op{{Kind: Follow, Actor: 2, Other: 1}, {Kind: RequestMutually, Actor: 3, Other: 1}, {Kind: Post, Actor: 1, Values: d.values()}}
	again := func(name string, times int, round func(i int) []Op) Story {
		s := Story{Values: d.values(), Name: "repeated " + name, Slots: 4, Compare: CompareAfterEach, ShortAudit: true, Ops: append([]Op{}, begin...)}
		for i := range times {
			s.Ops = append(s.Ops, round(i)...)
		}
		return s
	}
	logins := again("logins", often, func(i int) []Op { return []Op{{Kind: LogIn, Actor: 1}, {Kind: LogIn, Actor: 2, ByEmail: true}} })
	logins.Ops = append(logins.Ops, Op{Kind: LogOut, Actor: 1}, Op{Kind: LogOut, Actor: 1, Session: 3}, Op{Kind: LogOut, Actor: 1, Session: often - 2}, Op{Kind: DeleteUser, Actor: 1})
	return []Story{
		logins,
		again("updates", often/2, func(i int) []Op {
			return []Op{{Kind: Edit, Actor: 1, Values: d.values()}, {Kind: Edit, Actor: 1, NewToken: true, Values: d.values()}, {Kind: Rename, Actor: 2, Values: d.values()}}
		}),
		again("events", often, func(i int) []Op {
			ops := []Op{{Kind: Post, Actor: 1, Values: d.values()}, {Kind: Change, Actor: 1, Event: i, Values: d.values()}}
			if i%2 == 1 {
				ops = append(ops, Op{Kind: Remove, Actor: 1, Event: i})
			}
			return ops
		}),
		again("connections", often/2, func(i int) []Op {
			return []Op{{Kind: Follow, Actor: 0, Other: 1}, {Kind: End, Actor: 0, Other: 1}, {Kind: End, Actor: 0, Other: 1}, {Kind: RequestMutually, Actor: 0, Other: 2}, {Kind: DisconnectBoth, Actor: 0, Other: 2}}
		}),
		again("changes of one event", 1, func(int) []Op {
			ops := []Op{{Kind: Post, Actor: 1, Values: d.values()}}
			for range often {
				ops = append(ops, Op{Kind: Change, Actor: 1, Event: 1, Values: d.values()})
			}
			same := Op{Kind: Change, Actor: 1, Event: 1, Values: d.values()}
			return append(ops, same, same, same, Op{Kind: Remove, Actor: 1, Event: 1}, Op{Kind: UseDeleted, Actor: 1}, Op{Kind: Follow, Actor: 0, Other: 1})
		}),
		again("events that are alike", often/3, func(i int) []Op {
			alike := Op{Kind: Post, Actor: 1, Values: d.values()}
			return []Op{alike, alike, alike, {Kind: Change, Actor: 1, Event: 2, Values: d.values()}, {Kind: Remove, Actor: 1, Event: 2 - i%3}, {Kind: Audit, Extent: AuditFeeds}}
		}),
		again("names", 1, func(int) (ops []Op) {
			for range often {
				ops = append(ops, Op{Kind: Rename, Actor: 1, Values: d.values()})
			}
			return append(ops, Op{Kind: LogIn, Actor: 1, ByEmail: true}, Op{Kind: DeleteUser, Actor: 1}, Op{Kind: Audit, Extent: AuditThoroughly})
		}),
		again("events of two", 1, func(int) (ops []Op) { // more than ten of one, and fewer of both than every feed has
			ops = append(ops, Op{Kind: Follow, Actor: 2, Other: 3}, Op{Kind: Post, Actor: 3, Values: d.values()})
			for range often + 2 {
				ops = append(ops, Op{Kind: Post, Actor: 1, Values: d.values()})
			}
			return append(ops, Op{Kind: Edit, Actor: 1, Values: d.values()}, Op{Kind: Rename, Actor: 1, Values: d.values()}, Op{Kind: ChangePassword, Actor: 1}, Op{Kind: Post, Actor: 3, Values: d.values()},
				Op{Kind: Remove, Actor: 1}, Op{Kind: Remove, Actor: 1, Event: 1}, Op{Kind: DeleteUser, Actor: 1})
		}),
		again("writes in two sessions", 1, func(int) []Op { return d.writesInTurns() }),
		again("sessions", often/3, func(i int) []Op {
			return []Op{{Kind: LogIn, Actor: 1}, {Kind: LogOut, Actor: 1}, {Kind: LogOut, Actor: 1}, {Kind: ChangePassword, Actor: 1, Values: d.values()}, {Kind: LogIn, Actor: 1, ByEmail: true}}
		}),
	}
}

// writesInTurns returns, for each two kinds of writes, one after the other in another session of the
// same user, which may know the user as it was: a login tells what became of the first.
func (d generator) writesInTurns() []Op {
	const who, newest = 1, 2
	ops := []Op{{Kind: LogIn, Actor: who}}
	kinds := []Kind{ChangePassword, Edit, Rename, UpdateSimilar, Post, Change}
	for _, first := range kinds {
		for _, second := range kinds {
			if first == second {
				continue
			}
			ops = append(ops, newOp(first, who, 0, 0, d.values()), newOp(second, who, 0, 0, d.values()),
				Op{Kind: Audit, Actor: who, Extent: AuditOwnRecord}, Op{Kind: LogIn, Actor: who, ByEmail: d.IntN(2)%2 != 0}, Op{Kind: LogOut, Actor: who, Session: newest})
		}
	}
	return ops
}
