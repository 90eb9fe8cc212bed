package model

import (
	"context"

	"github.com/socialfeed/conform/conformance/rules"
)

func userActions() [DeleteUser + 1]Action {
	return [...]Action{
		Join: {
			Name:    "create user",
			Args:    func(o *Op, n picks) { o.WithoutLogin = odd(n.value) },
			Fresh:   true,
			Perform: (*run).join,
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
			Perform:       (*run).recreate,
			Cost:          Cost{Writes: 2}, // and a login with the password of the former user
		},
		Edit: {
			Name:      "update user",
			Args:      func(o *Op, n picks) { o.Values, o.NewToken, o.SharedLastName = n.value, odd(n.which), odd(n.other) },
			Perform:   func(t *run, ctx context.Context, o Op, p pair) []view { return t.edit(ctx, o, p, newProfile) },
			AtOnce:    (*run).editAtOnce,
			Conflicts: []Kind{Edit},
			Violates:  []string{"users.me.update."},
			Cost:      Cost{Writes: 1},
			Views:     moreViews,
		},
		Rename: {
			Name:     "rename user",
			Args:     chooseValues,
			Perform:  func(t *run, ctx context.Context, o Op, p pair) []view { return t.edit(ctx, o, p, newNames) },
			Violates: []string{"users.me.update."},
			Cost:     Cost{Writes: 1},
			Views:    moreViews,
		},
		ChangePassword: {
			Name:     "change password",
			Args:     func(o *Op, n picks) { o.Values, o.OtherCase, o.Awkward = n.value, odd(n.which), odd(n.other) },
			Perform:  func(t *run, ctx context.Context, o Op, p pair) []view { return t.edit(ctx, o, p, newPassword) },
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
			Perform: func(t *run, ctx context.Context, o Op, p pair) []view {
				return t.edit(ctx, o, p, similarProfile)
			},
			Cost:  Cost{Writes: 1},
			Views: moreViews,
		},
		Revert: {
			Name: "revert user",
			Perform: func(t *run, ctx context.Context, o Op, p pair) []view {
				return t.edit(ctx, o, p, formerProfile)
			},
			Cost:  Cost{Writes: 1},
			Views: moreViews,
		},
		TakeNames: {
			Name:    "take names",
			OfTwo:   true,
			Args:    func(o *Op, n picks) { o.WithPassword = odd(n.value) },
			Fresh:   true,
			Perform: (*run).takeNames,
			Cost:    Cost{Writes: 1},
		},
		DeleteUser: {
			Name:    "delete user",
			Perform: (*run).deleteUser,
			AtOnce: func(t *run, o Op, p pair, _ string) (write, bool) {
				return write{Request{Endpoint: rules.DeleteMe}, func(st *State, _ Response) { st.deleted(p.from) }, without(t.feedViews(p.from), p.from)}, true
			},
			Sessions: (*run).deletedSessionViews,
			Violates: []string{"feed.purge.", "connections.lists.after-user-delete", "sessions.deleted-user", "users.me.delete"},
			Cost:     Cost{Deletes: 1},
		},
	}
}

func chooseValues(o *Op, n picks) { o.Values = n.value }
