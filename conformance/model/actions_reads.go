package model

func readActions() [kinds]Action {
	return [...]Action{
		LookFor: {
			Name:   "look for user",
			OfTwo:  true,
			Args:   func(o *Op, n picks) { o.Variant = n.value },
			Across: (*crossApp).lookForOther,
			Cost:   Cost{Writes: 1, Reads: 4},
		},
		Audit: {
			Name:          "audit",
			AllowsDeleted: true,
			Args: func(o *Op, n picks) {
				o.WithRecords, o.Extent = odd(n.which), Extent(n.value%len(extents()))
			},
			Perform: (*run).performAudit,
			AtOnce: func(t *run, o Op, p pair, _ string) (write, bool) {
				at := ownAudit(o.Extent)
				return write{Request{Endpoint: at}, func(*State, Response) {}, []view{own(at, p.from)}}, true // what it shows during a write is open
			},
			CostOf: Story.auditCost,
			Views:  noViews,
		},
		Wait: {
			Name:          "wait",
			AllowsDeleted: true,
			Args:          func(o *Op, n picks) { o.Long = odd(n.value) },
			Perform:       (*run).wait,
		},
	}
}
