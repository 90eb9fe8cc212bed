package model

func readActions() [kinds]Action {
	return [...]Action{
		LookFor: {
			Name:  "look for user",
			OfTwo: true,
			Args:  func(o *Op, n picks) { o.Variant = n.value },
		},
		Audit: {
			Name:          "audit",
			AllowsDeleted: true,
			Args: func(o *Op, n picks) {
				o.WithRecords, o.Extent = odd(n.which), Extent(n.value%len(extents()))
			},
		},
		Wait: {
			Name:          "wait",
			AllowsDeleted: true,
			Args:          func(o *Op, n picks) { o.Long = odd(n.value) },
		},
	}
}
