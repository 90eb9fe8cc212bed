package model

import "context"

func eventActions() [SendDefect + 1]Action {
	return [...]Action{
		Post: {
			Name:    "create event",
			Args:    chooseValues,
			Perform: (*run).post,
			AtOnce:  (*run).postAtOnce,
			Cost:    Cost{Writes: 1},
		},
		Change: {
			Name:      "update event",
			Args:      func(o *Op, n picks) { o.Values, o.Event = n.value, n.which },
			Perform:   func(t *run, ctx context.Context, o Op, p pair) []view { return t.change(ctx, o, p, newValues) },
			AtOnce:    (*run).changeAtOnce,
			Conflicts: []Kind{Change},
			Violates:  []string{"feed.update-visible", "events.update."},
			Cost:      Cost{Writes: 1},
		},
		ChangeBack: {
			Name: "revert event",
			Args: chooseEvent,
			Perform: func(t *run, ctx context.Context, o Op, p pair) []view {
				return t.change(ctx, o, p, formerValues)
			},
			Violates: []string{"feed.update-visible", "events.update."},
			Cost:     Cost{Writes: 1},
		},
		UpdateEventSimilar: {
			Name: "update event similarly",
			Args: chooseEvent,
			Perform: func(t *run, ctx context.Context, o Op, p pair) []view {
				return t.change(ctx, o, p, similarValues)
			},
			Cost:  Cost{Writes: 1},
			Views: moreViews,
		},
		Remove: {
			Name:     "delete event",
			Args:     chooseEvent,
			Perform:  (*run).remove,
			AtOnce:   func(t *run, o Op, p pair, _ string) (write, bool) { return t.removal(o, p.from) },
			Violates: []string{"feed.event-delete"},
			Cost:     Cost{Deletes: 1},
		},
		UseDeleted: {
			Name:    "use deleted event",
			Args:    func(o *Op, n picks) { o.Delete = odd(n.value) },
			Perform: (*run).useDeleted,
			CostOf:  func(_ Story, o Op) Cost { return writeOrDelete(o.Delete) },
		},
		WriteForeign: {
			Name:  "write foreign",
			OfTwo: true,
			Args: func(o *Op, n picks) {
				o.Event, o.Write = n.which, ForeignWrite(n.value%len(foreignWrites()))
			},
			Perform:  (*run).writeForeign,
			Across:   (*crossApp).writeForeignThere,
			Violates: []string{"connections.delete.", "events.update.", "events.delete.others"},
			CostOf:   func(_ Story, o Op) Cost { return writeOrDelete(o.Write != ChangeForeignEvent) },
			Views:    readerViews,
		},
		SendDefect: {
			Name:    "send defect",
			Args:    func(o *Op, n picks) { o.Variant = n.value },
			Perform: (*run).sendDefect,
			Cost:    Cost{Writes: 1},
		},
	}
}

func writeOrDelete(deletes bool) Cost {
	if deletes {
		return Cost{Deletes: 1}
	}
	return Cost{Writes: 1}
}

func chooseEvent(o *Op, n picks) { o.Event = n.which }
