package model

func userActions() [DeleteUser + 1]Action {
	return [...]Action{
		Join: {
			Name: "create user",
			Args: func(o *Op, n picks) { o.WithoutLogin = odd(n.value) },
		},
		Recreate: {
			Name: "recreate user",
			Args: func(o *Op, n picks) { o.Values, o.WithoutLogin = n.value, odd(n.value) },
		},
		Edit: {
			Name: "update user",
			Args: func(o *Op, n picks) { o.Values, o.NewToken, o.SharedLastName = n.value, odd(n.which), odd(n.other) },
		},
		Rename: {
			Name: "rename user",
			Args: chooseValues,
		},
		ChangePassword: {
			Name: "change password",
			Args: func(o *Op, n picks) { o.Values, o.OtherCase, o.Awkward = n.value, odd(n.which), odd(n.other) },
		},
		UpdateSimilar: {
			Name: "update user similarly",
			Args: func(o *Op, n picks) { // half of them are of an event
				if o.Variant = n.value / 2; odd(n.value) {
					*o = Op{Kind: UpdateEventSimilar, Actor: o.Actor, Event: n.which}
				}
			},
		},
		Revert: {
			Name: "revert user",
		},
		TakeNames: {
			Name:  "take names",
			OfTwo: true,
			Args:  func(o *Op, n picks) { o.WithPassword = odd(n.value) },
		},
		DeleteUser: {
			Name: "delete user",
		},
	}
}

func chooseValues(o *Op, n picks) { o.Values = n.value }
