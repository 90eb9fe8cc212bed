package model

// repeatedWrites draws stories that repeat one kind of write (logins, updates, events,
// connections, sessions) and compare its effects each time.
func repeatedWrites(seed uint64) []Story {
	const often = 11
	d := newDrawer(seed, "habits")
	begin := []Op{{Kind: Follow, A: 2, B: 1}, {Kind: Befriend, A: 3, B: 1}, {Kind: Post, A: 1, V: d.values()}}
	again := func(name string, times int, round func(i int) []Op) Story {
		s := Story{Values: d.values(), Name: "repeated " + name, Slots: 4, Compare: CompareAfterEach, Brief: true, Ops: append([]Op{}, begin...)}
		for i := range times {
			s.Ops = append(s.Ops, round(i)...)
		}
		return s
	}
	logins := again("logins", often, func(i int) []Op { return []Op{{Kind: LogIn, A: 1}, {Kind: LogIn, A: 2, V: 1}} })
	logins.Ops = append(logins.Ops, Op{Kind: LogOut, A: 1}, Op{Kind: LogOut, A: 1, C: 3}, Op{Kind: LogOut, A: 1, C: often - 2}, Op{Kind: Leave, A: 1})
	return []Story{
		logins,
		again("updates", often/2, func(i int) []Op {
			return []Op{{Kind: Edit, A: 1, V: d.values()}, {Kind: Edit, A: 1, C: 1, V: d.values()}, {Kind: Rename, A: 2, V: d.values()}}
		}),
		again("events", often, func(i int) []Op {
			ops := []Op{{Kind: Post, A: 1, V: d.values()}, {Kind: Change, A: 1, C: i, V: d.values()}}
			if i%2 == 1 {
				ops = append(ops, Op{Kind: Remove, A: 1, C: i})
			}
			return ops
		}),
		again("connections", often/2, func(i int) []Op {
			return []Op{{Kind: Follow, A: 0, B: 1}, {Kind: End, A: 0, B: 1}, {Kind: End, A: 0, B: 1}, {Kind: Befriend, A: 0, B: 2}, {Kind: Part, A: 0, B: 2}}
		}),
		again("changes of one event", 1, func(int) []Op {
			ops := []Op{{Kind: Post, A: 1, V: d.values()}}
			for range often {
				ops = append(ops, Op{Kind: Change, A: 1, C: 1, V: d.values()})
			}
			same := Op{Kind: Change, A: 1, C: 1, V: d.values()}
			return append(ops, same, same, same, Op{Kind: Remove, A: 1, C: 1}, Op{Kind: UseDeleted, A: 1}, Op{Kind: Follow, A: 0, B: 1})
		}),
		again("events that are alike", often/3, func(i int) []Op {
			alike := Op{Kind: Post, A: 1, V: d.values()}
			return []Op{alike, alike, alike, {Kind: Change, A: 1, C: 2, V: d.values()}, {Kind: Remove, A: 1, C: 2 - i%3}, {Kind: Audit, V: auditFeeds}}
		}),
		again("names", 1, func(int) (ops []Op) {
			for range often {
				ops = append(ops, Op{Kind: Rename, A: 1, V: d.values()})
			}
			return append(ops, Op{Kind: LogIn, A: 1, V: 1}, Op{Kind: Leave, A: 1}, Op{Kind: Audit, V: auditThoroughly})
		}),
		again("events of two", 1, func(int) (ops []Op) { // more than ten of one, and fewer of both than every feed has
			ops = append(ops, Op{Kind: Follow, A: 2, B: 3}, Op{Kind: Post, A: 3, V: d.values()})
			for range often + 2 {
				ops = append(ops, Op{Kind: Post, A: 1, V: d.values()})
			}
			return append(ops, Op{Kind: Edit, A: 1, V: d.values()}, Op{Kind: Rename, A: 1, V: d.values()}, Op{Kind: Repassword, A: 1}, Op{Kind: Post, A: 3, V: d.values()},
				Op{Kind: Remove, A: 1, C: 0}, Op{Kind: Remove, A: 1, C: 1}, Op{Kind: Leave, A: 1})
		}),
		again("writes in two sessions", 1, func(int) []Op { return d.writesInTurns() }),
		again("sessions", often/3, func(i int) []Op {
			return []Op{{Kind: LogIn, A: 1}, {Kind: LogOut, A: 1}, {Kind: LogOut, A: 1}, {Kind: Repassword, A: 1, V: d.values()}, {Kind: LogIn, A: 1, V: 1}}
		}),
	}
}

// writesInTurns returns, for each two kinds of writes, one after the other in another session of the
// same user, which may know the user as it was: a login tells what became of the first.
func (d drawer) writesInTurns() []Op {
	const who, newest = 1, 2
	ops := []Op{{Kind: LogIn, A: who}}
	kinds := []Kind{Repassword, Edit, Rename, Tweak, Post, Change}
	for _, first := range kinds {
		for _, second := range kinds {
			if first == second {
				continue
			}
			ops = append(ops, Op{Kind: first, A: who, V: d.values()}, Op{Kind: second, A: who, V: d.values()},
				Op{Kind: Audit, A: who, V: auditOwnRecord}, Op{Kind: LogIn, A: who, V: d.IntN(2)}, Op{Kind: LogOut, A: who, C: newest})
		}
	}
	return ops
}
