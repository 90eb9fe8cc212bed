package model

func sessionActions() [LogInElsewhere + 1]Action {
	return [...]Action{
		LogIn: {
			Name: "log in",
			Args: func(o *Op, n picks) { o.ByEmail, o.WithDetails = odd(n.value), odd(n.which) },
		},
		LogOut: {
			Name: "log out",
			Args: func(o *Op, n picks) { o.Session = n.which },
		},
		UseEnded: {
			Name:          "use ended session",
			AllowsDeleted: true,
			Args:          func(o *Op, n picks) { o.Event, o.Variant = n.which, n.value },
		},
		UseElsewhere: {
			Name:          "use session elsewhere",
			OfTwo:         true,
			AllowsDeleted: true,
			Args:          func(o *Op, n picks) { o.Session, o.Event, o.Variant = n.which, n.which, n.value },
		},
		LogInElsewhere: {
			Name:          "log in elsewhere",
			OfTwo:         true,
			AllowsDeleted: true,
			Args:          func(o *Op, n picks) { o.ByEmail = odd(n.value) },
		},
	}
}
