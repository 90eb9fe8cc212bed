package draw

import "github.com/socialfeed/conform/conformance/model/story"

// RepeatedWrites draws stories that repeat one kind of write (logins, updates, events,
// connections, sessions) and compare its effects each time.
func RepeatedWrites(seed uint64) []story.Story {
	const often = 11
	d := newGenerator(seed, "habits")
	begin := []story.Op{{Kind: story.Follow, Actor: 2, Other: 1}, {Kind: story.RequestMutually, Actor: 3, Other: 1}, {Kind: story.Post, Actor: 1, Values: d.values()}}
	again := func(name string, times int, round func(i int) []story.Op) story.Story {
		s := story.Story{Values: d.values(), Name: "repeated " + name, Slots: 4, Compare: story.CompareAfterEach, ShortAudit: true, Ops: append([]story.Op{}, begin...)}
		for i := range times {
			s.Ops = append(s.Ops, round(i)...)
		}
		return s
	}
	logins := again("logins", often, func(i int) []story.Op {
		return []story.Op{{Kind: story.LogIn, Actor: 1}, {Kind: story.LogIn, Actor: 2, ByEmail: true}}
	})
	logins.Ops = append(logins.Ops, story.Op{Kind: story.LogOut, Actor: 1}, story.Op{Kind: story.LogOut, Actor: 1, Session: 3}, story.Op{Kind: story.LogOut, Actor: 1, Session: often - 2}, story.Op{Kind: story.DeleteUser, Actor: 1})
	return []story.Story{
		logins,
		again("updates", often/2, func(i int) []story.Op {
			return []story.Op{{Kind: story.Edit, Actor: 1, Values: d.values()}, {Kind: story.Edit, Actor: 1, NewToken: true, Values: d.values()}, {Kind: story.Rename, Actor: 2, Values: d.values()}}
		}),
		again("events", often, func(i int) []story.Op {
			ops := []story.Op{{Kind: story.Post, Actor: 1, Values: d.values()}, {Kind: story.Change, Actor: 1, Event: i, Values: d.values()}}
			if i%2 == 1 {
				ops = append(ops, story.Op{Kind: story.Remove, Actor: 1, Event: i})
			}
			return ops
		}),
		again("connections", often/2, func(i int) []story.Op {
			return []story.Op{{Kind: story.Follow, Actor: 0, Other: 1}, {Kind: story.End, Actor: 0, Other: 1}, {Kind: story.End, Actor: 0, Other: 1}, {Kind: story.RequestMutually, Actor: 0, Other: 2}, {Kind: story.DisconnectBoth, Actor: 0, Other: 2}}
		}),
		again("changes of one event", 1, func(int) []story.Op {
			ops := []story.Op{{Kind: story.Post, Actor: 1, Values: d.values()}}
			for range often {
				ops = append(ops, story.Op{Kind: story.Change, Actor: 1, Event: 1, Values: d.values()})
			}
			same := story.Op{Kind: story.Change, Actor: 1, Event: 1, Values: d.values()}
			return append(ops, same, same, same, story.Op{Kind: story.Remove, Actor: 1, Event: 1}, story.Op{Kind: story.UseDeleted, Actor: 1}, story.Op{Kind: story.Follow, Actor: 0, Other: 1})
		}),
		again("events that are alike", often/3, func(i int) []story.Op {
			alike := story.Op{Kind: story.Post, Actor: 1, Values: d.values()}
			return []story.Op{alike, alike, alike, {Kind: story.Change, Actor: 1, Event: 2, Values: d.values()}, {Kind: story.Remove, Actor: 1, Event: 2 - i%3}, {Kind: story.Audit, Extent: story.AuditFeeds}}
		}),
		again("names", 1, func(int) (ops []story.Op) {
			for range often {
				ops = append(ops, story.Op{Kind: story.Rename, Actor: 1, Values: d.values()})
			}
			return append(ops, story.Op{Kind: story.LogIn, Actor: 1, ByEmail: true}, story.Op{Kind: story.DeleteUser, Actor: 1}, story.Op{Kind: story.Audit, Extent: story.AuditThoroughly})
		}),
		again("events of two", 1, func(int) (ops []story.Op) { // more than ten of one, and fewer of both than every feed has
			ops = append(ops, story.Op{Kind: story.Follow, Actor: 2, Other: 3}, story.Op{Kind: story.Post, Actor: 3, Values: d.values()})
			for range often + 2 {
				ops = append(ops, story.Op{Kind: story.Post, Actor: 1, Values: d.values()})
			}
			return append(ops, story.Op{Kind: story.Edit, Actor: 1, Values: d.values()}, story.Op{Kind: story.Rename, Actor: 1, Values: d.values()}, story.Op{Kind: story.ChangePassword, Actor: 1}, story.Op{Kind: story.Post, Actor: 3, Values: d.values()},
				story.Op{Kind: story.Remove, Actor: 1}, story.Op{Kind: story.Remove, Actor: 1, Event: 1}, story.Op{Kind: story.DeleteUser, Actor: 1})
		}),
		again("writes in two sessions", 1, func(int) []story.Op { return d.writesInTurns() }),
		again("sessions", often/3, func(i int) []story.Op {
			return []story.Op{{Kind: story.LogIn, Actor: 1}, {Kind: story.LogOut, Actor: 1}, {Kind: story.LogOut, Actor: 1}, {Kind: story.ChangePassword, Actor: 1, Values: d.values()}, {Kind: story.LogIn, Actor: 1, ByEmail: true}}
		}),
	}
}

// writesInTurns returns, for each two kinds of writes, one after the other in another session of the
// same user, which may know the user as it was: a login tells what became of the first.
func (d generator) writesInTurns() []story.Op {
	const who, newest = 1, 2
	ops := []story.Op{{Kind: story.LogIn, Actor: who}}
	kinds := []story.Kind{story.ChangePassword, story.Edit, story.Rename, story.UpdateSimilar, story.Post, story.Change}
	for _, first := range kinds {
		for _, second := range kinds {
			if first == second {
				continue
			}
			ops = append(ops, story.NewOp(first, who, 0, 0, d.values()), story.NewOp(second, who, 0, 0, d.values()),
				story.Op{Kind: story.Audit, Actor: who, Extent: story.AuditOwnRecord}, story.Op{Kind: story.LogIn, Actor: who, ByEmail: d.IntN(2)%2 != 0}, story.Op{Kind: story.LogOut, Actor: who, Session: newest})
		}
	}
	return ops
}
