package model

import "context"

func sessionActions() [LogInElsewhere + 1]Action {
	return [...]Action{
		LogIn: {
			Name: "log in",
			Args: func(o *Op, n picks) { o.ByEmail, o.WithDetails = odd(n.value), odd(n.which) },
			Perform: func(t *run, ctx context.Context, o Op, p pair) []view {
				return t.logIn(ctx, p.from, o.loginName(), o.WithDetails)
			},
			AtOnce:   (*run).logInAtOnce,
			Sessions: (*run).sessionViews,
			Cost:     Cost{Writes: 1},
			Views:    sessionViews,
		},
		LogOut: {
			Name:     "log out",
			Args:     func(o *Op, n picks) { o.Session = n.which },
			Perform:  (*run).logOut,
			AtOnce:   (*run).logOutAtOnce,
			Sessions: (*run).sessionViews,
			Violates: []string{"sessions.logout."},
			Cost:     Cost{Writes: 1, Deletes: 1}, // and a login later
			Views:    sessionViews,
		},
		UseEnded: {
			Name:          "use ended session",
			AllowsDeleted: true,
			Args:          func(o *Op, n picks) { o.Event, o.Variant = n.which, n.value },
			Perform:       (*run).useEnded,
			Violates:      []string{"auth.no-effect"},
			Cost:          Cost{Writes: 1},
		},
		UseElsewhere: {
			Name:          "use session elsewhere",
			OfTwo:         true,
			AllowsDeleted: true,
			Args:          func(o *Op, n picks) { o.Session, o.Event, o.Variant = n.which, n.which, n.value },
			Across:        (*crossApp).useSession,
			Cost:          Cost{Writes: 1, Reads: 4},
		},
		LogInElsewhere: {
			Name:          "log in elsewhere",
			OfTwo:         true,
			AllowsDeleted: true,
			Args:          func(o *Op, n picks) { o.ByEmail = odd(n.value) },
			Across:        (*crossApp).logInThere,
			Cost:          Cost{Writes: 1},
		},
	}
}
