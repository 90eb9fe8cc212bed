package model

import (
	"context"

	"github.com/socialfeed/conform/conformance/rules"
)

// performance is how the actions of a kind are performed.
type performance struct {
	// Perform sends it alone, compares the answer and applies it to the state. It returns the views that may show
	// otherwise then; nil if it is only tried across applications.
	Perform func(*run, context.Context, Op, pair) []view
	// Across is Perform where the users are of different applications, so that it must have no effect; nil if it
	// is only tried within one.
	Across func(*crossApp, context.Context, Op) []view
	// AtOnce returns the write that is sent concurrently with others; nil if it is never. The text is one that no
	// other operation writes. The second result is false if the outcome is not known whatever the others do.
	AtOnce func(*run, Op, pair, string) (write, bool)
	// Sessions returns views of the actor's sessions, which it may have begun or ended; nil for others.
	Sessions func(*run, int) []view
}

// write is a request, its effect on the state and the views that may show otherwise then.
type write struct {
	request Request
	apply   func(*State, Response)
	views   []view
}

// performances returns how each kind of action is performed.
func performances() map[Kind]performance {
	return map[Kind]performance{
		Join:     {Perform: (*run).join},
		Recreate: {Perform: (*run).recreate},
		Edit: {
			Perform: func(t *run, ctx context.Context, o Op, p pair) []view { return t.edit(ctx, o, p, newProfile) },
			AtOnce:  (*run).editAtOnce,
		},
		Rename:         {Perform: func(t *run, ctx context.Context, o Op, p pair) []view { return t.edit(ctx, o, p, newNames) }},
		ChangePassword: {Perform: func(t *run, ctx context.Context, o Op, p pair) []view { return t.edit(ctx, o, p, newPassword) }},
		UpdateSimilar: {
			Perform: func(t *run, ctx context.Context, o Op, p pair) []view {
				return t.edit(ctx, o, p, similarProfile)
			},
		},
		Revert: {
			Perform: func(t *run, ctx context.Context, o Op, p pair) []view {
				return t.edit(ctx, o, p, formerProfile)
			},
		},
		TakeNames: {Perform: (*run).takeNames},
		DeleteUser: {
			Perform: (*run).deleteUser,
			AtOnce: func(t *run, o Op, p pair, _ string) (write, bool) {
				return write{Request{Endpoint: rules.DeleteMe}, func(st *State, _ Response) { st.deleted(p.from) }, without(t.feedViews(p.from), p.from)}, true
			},
			Sessions: (*run).deletedSessionViews,
		},
		LogIn: {
			Perform: func(t *run, ctx context.Context, o Op, p pair) []view {
				return t.logIn(ctx, p.from, o.loginName(), o.WithDetails)
			},
			AtOnce:   (*run).logInAtOnce,
			Sessions: (*run).sessionViews,
		},
		LogOut: {
			Perform:  (*run).logOut,
			AtOnce:   (*run).logOutAtOnce,
			Sessions: (*run).sessionViews,
		},
		UseEnded:       {Perform: (*run).useEnded},
		UseElsewhere:   {Across: (*crossApp).useSession},
		LogInElsewhere: {Across: (*crossApp).logInThere},
		Follow: {
			Perform: (*run).connect,
			Across:  (*crossApp).connectThere,
			AtOnce:  (*run).followAtOnce,
		},
		RequestFriend: {
			Perform: (*run).connect,
			Across:  (*crossApp).connectThere,
			AtOnce:  (*run).requestAtOnce,
		},
		RequestMutually: {
			Perform: func(t *run, ctx context.Context, o Op, p pair) []view {
				o.Kind = RequestFriend
				views := t.connect(ctx, o, p)
				t.connect(ctx, o, p.reversed())
				return append(views, own(rules.Feed, p.to), own(rules.MyFriends, p.to))
			},
			Across: (*crossApp).connectThere,
		},
		End: {
			Perform: (*run).end,
			Across:  (*crossApp).endThere,
			AtOnce:  (*run).endAtOnce,
		},
		DisconnectBoth: {
			Perform: (*run).disconnectBoth,
			Across:  (*crossApp).endThere,
		},
		ConnectBySocialID: {
			Perform: (*run).social,
			Across:  (*crossApp).connectBySocialID,
		},
		ConnectAllBySocialID: {Perform: (*run).connectAllBySocialID},
		Post: {
			Perform: (*run).post,
			AtOnce:  (*run).postAtOnce,
		},
		Change: {
			Perform: func(t *run, ctx context.Context, o Op, p pair) []view { return t.change(ctx, o, p, newValues) },
			AtOnce:  (*run).changeAtOnce,
		},
		ChangeBack: {
			Perform: func(t *run, ctx context.Context, o Op, p pair) []view {
				return t.change(ctx, o, p, formerValues)
			},
		},
		UpdateEventSimilar: {
			Perform: func(t *run, ctx context.Context, o Op, p pair) []view {
				return t.change(ctx, o, p, similarValues)
			},
		},
		Remove: {
			Perform: (*run).remove,
			AtOnce:  func(t *run, o Op, p pair, _ string) (write, bool) { return t.removal(o, p.from) },
		},
		UseDeleted: {Perform: (*run).useDeleted},
		WriteForeign: {
			Perform: (*run).writeForeign,
			Across:  (*crossApp).writeForeignThere,
		},
		SendDefect: {Perform: (*run).sendDefect},
		LookFor:    {Across: (*crossApp).lookForOther},
		Audit: {
			Perform: (*run).performAudit,
			AtOnce: func(t *run, o Op, p pair, _ string) (write, bool) {
				at := ownAudit(o.Extent)
				return write{Request{Endpoint: at}, func(*State, Response) {}, []view{own(at, p.from)}}, true // what it shows during a write is open
			},
		},
		Wait: {Perform: (*run).wait},
	}
}
