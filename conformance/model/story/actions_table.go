package story

// actions returns the table of actions.
func actions() [Kinds]Action {
	return [...]Action{
		Join: {
			Name:  "create user",
			Args:  func(o *Op, n picks) { o.WithoutLogin = odd(n.value) },
			Fresh: true,
			CostOf: func(_ Story, o Op) Cost {
				if o.WithoutLogin { // a login later
					return Cost{Writes: 1}
				}
				return Cost{}
			},
		},
		Recreate: {
			Name:          "recreate user",
			Args:          func(o *Op, n picks) { o.Values, o.WithoutLogin = n.value, odd(n.value) },
			AllowsDeleted: true,
			Cost:          Cost{Writes: 2}, // and a login with the password of the former user
		},
		Edit: {
			Name:      "update user",
			Args:      func(o *Op, n picks) { o.Values, o.NewToken, o.SharedLastName = n.value, odd(n.which), odd(n.other) },
			Conflicts: []Kind{Edit},
			Violates:  []string{"users.me.update."},
			Cost:      Cost{Writes: 1},
			Views:     moreViews,
		},
		Rename: {
			Name:     "rename user",
			Args:     chooseValues,
			Violates: []string{"users.me.update."},
			Cost:     Cost{Writes: 1},
			Views:    moreViews,
		},
		ChangePassword: {
			Name:     "change password",
			Args:     func(o *Op, n picks) { o.Values, o.OtherCase, o.Awkward = n.value, odd(n.which), odd(n.other) },
			Violates: []string{"users.me.update."},
			Cost:     Cost{Writes: 3}, // and logins with both passwords
			Views:    moreViews,
		},
		UpdateSimilar: {
			Name: "update user similarly",
			Args: func(o *Op, n picks) { // half of them are of an event
				if o.Variant = n.value / 2; odd(n.value) {
					*o = Op{Kind: UpdateEventSimilar, Actor: o.Actor, Event: n.which}
				}
			},
			Cost:  Cost{Writes: 1},
			Views: moreViews,
		},
		Revert: {
			Name:  "revert user",
			Cost:  Cost{Writes: 1},
			Views: moreViews,
		},
		TakeNames: {
			Name:  "take names",
			OfTwo: true,
			Args:  func(o *Op, n picks) { o.WithPassword = odd(n.value) },
			Fresh: true,
			Cost:  Cost{Writes: 1},
		},
		DeleteUser: {
			Name:     "delete user",
			Violates: []string{"feed.purge.", "connections.lists.after-user-delete", "sessions.deleted-user", "users.me.delete"},
			Cost:     Cost{Deletes: 1},
		},
		LogIn: {
			Name:  "log in",
			Args:  func(o *Op, n picks) { o.ByEmail, o.WithDetails = odd(n.value), odd(n.which) },
			Cost:  Cost{Writes: 1},
			Views: sessionViews,
		},
		LogOut: {
			Name:     "log out",
			Args:     func(o *Op, n picks) { o.Session = n.which },
			Violates: []string{"sessions.logout."},
			Cost:     Cost{Writes: 1, Deletes: 1}, // and a login later
			Views:    sessionViews,
		},
		UseEnded: {
			Name:          "use ended session",
			AllowsDeleted: true,
			Args:          func(o *Op, n picks) { o.Event, o.Variant = n.which, n.value },
			Violates:      []string{"auth.no-effect"},
			Cost:          Cost{Writes: 1},
		},
		UseElsewhere: {
			Name:          "use session elsewhere",
			OfTwo:         true,
			AllowsDeleted: true,
			Args:          func(o *Op, n picks) { o.Session, o.Event, o.Variant = n.which, n.which, n.value },
			Cost:          Cost{Writes: 1, Reads: 4},
		},
		LogInElsewhere: {
			Name:          "log in elsewhere",
			OfTwo:         true,
			AllowsDeleted: true,
			Args:          func(o *Op, n picks) { o.ByEmail = odd(n.value) },
			Cost:          Cost{Writes: 1},
		},
		Follow: {
			Name:      "follow",
			OfTwo:     true,
			Connects:  true,
			Conflicts: []Kind{RequestFriend, End},
			Cost:      Cost{Writes: 1},
		},
		RequestFriend: {
			Name:      "request friend",
			OfTwo:     true,
			Connects:  true,
			Conflicts: []Kind{Follow, End},
			Cost:      Cost{Writes: 1},
		},
		RequestMutually: {
			Name:     "request mutually",
			OfTwo:    true,
			Connects: true,
			Cost:     Cost{Writes: 2, Deletes: 2},
		},
		End: {
			Name:      "disconnect",
			OfTwo:     true,
			Conflicts: []Kind{Follow, RequestFriend, End},
			Violates:  []string{"feed.unfollow", "connections.delete."},
			Cost:      Cost{Deletes: 1},
			Views:     moreViews,
		},
		DisconnectBoth: {
			Name:     "disconnect both",
			OfTwo:    true,
			Violates: []string{"feed.unfollow", "connections.delete."},
			Cost:     Cost{Deletes: 2},
		},
		ConnectBySocialID: {
			Name:     "connect by social id",
			OfTwo:    true,
			Connects: true,
			Args:     chooseType,
			Cost:     Cost{Writes: 1, Reads: 1}, // and a read of the list
		},
		ConnectAllBySocialID: {
			Name: "connect all by social id",
			Args: chooseType,
			Cost: Cost{Writes: 1, Reads: 1},
		},
		Post: {
			Name: "create event",
			Args: chooseValues,
			Cost: Cost{Writes: 1},
		},
		Change: {
			Name:      "update event",
			Args:      func(o *Op, n picks) { o.Values, o.Event = n.value, n.which },
			Conflicts: []Kind{Change},
			Violates:  []string{"feed.update-visible", "events.update."},
			Cost:      Cost{Writes: 1},
		},
		ChangeBack: {
			Name:     "revert event",
			Args:     chooseEvent,
			Violates: []string{"feed.update-visible", "events.update."},
			Cost:     Cost{Writes: 1},
		},
		UpdateEventSimilar: {
			Name:  "update event similarly",
			Args:  chooseEvent,
			Cost:  Cost{Writes: 1},
			Views: moreViews,
		},
		Remove: {
			Name:     "delete event",
			Args:     chooseEvent,
			Violates: []string{"feed.event-delete"},
			Cost:     Cost{Deletes: 1},
		},
		UseDeleted: {
			Name:   "use deleted event",
			Args:   func(o *Op, n picks) { o.Delete = odd(n.value) },
			CostOf: func(_ Story, o Op) Cost { return writeOrDelete(o.Delete) },
		},
		WriteForeign: {
			Name:  "write foreign",
			OfTwo: true,
			Args: func(o *Op, n picks) {
				o.Event, o.Write = n.which, ForeignWrite(n.value%len(foreignWrites()))
			},
			Violates: []string{"connections.delete.", "events.update.", "events.delete.others"},
			CostOf:   func(_ Story, o Op) Cost { return writeOrDelete(o.Write != ChangeForeignEvent) },
			Views:    readerViews,
		},
		SendDefect: {
			Name: "send defect",
			Args: func(o *Op, n picks) { o.Variant = n.value },
			Cost: Cost{Writes: 1},
		},
		LookFor: {
			Name:  "look for user",
			OfTwo: true,
			Args:  func(o *Op, n picks) { o.Variant = n.value },
			Cost:  Cost{Writes: 1, Reads: 4},
		},
		Audit: {
			Name:          "audit",
			AllowsDeleted: true,
			Args: func(o *Op, n picks) {
				o.WithRecords, o.Extent = odd(n.which), Extent(n.value%len(extents()))
			},
			CostOf: Story.auditCost,
			Views:  noViews,
		},
		Wait: {
			Name:          "wait",
			AllowsDeleted: true,
			Args:          func(o *Op, n picks) { o.Long = odd(n.value) },
		},
	}
}

func chooseValues(o *Op, n picks) { o.Values = n.value }

func chooseType(o *Op, n picks) { o.AsFriend = odd(n.value) }

func writeOrDelete(deletes bool) Cost {
	if deletes {
		return Cost{Deletes: 1}
	}
	return Cost{Writes: 1}
}

func chooseEvent(o *Op, n picks) { o.Event = n.which }
