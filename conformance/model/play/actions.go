package play

import (
	"context"

	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/world"
	"github.com/socialfeed/conform/conformance/rules"
)

// performance is how the actions of a kind are performed.
type performance struct {
	// Perform sends it alone, compares the answer and applies it to the state. It returns the views that may show
	// otherwise then; nil if it is only tried across applications.
	Perform func(*run, context.Context, story.Op, world.Pair) []world.View
	// Across is Perform where the users are of different applications, so that it must have no effect; nil if it
	// is only tried within one.
	Across func(*crossApp, context.Context, story.Op) []world.View
	// AtOnce returns the write that is sent concurrently with others; nil if it is never. The text is one that no
	// other operation writes. The second result is false if the outcome is not known whatever the others do.
	AtOnce func(*run, story.Op, world.Pair, string) (write, bool)
	// Sessions returns views of the actor's sessions, which it may have begun or ended; nil for others.
	Sessions func(*run, int) []world.View
}

// write is a request, its effect on the state and the views that may show otherwise then.
type write struct {
	request exchange.Request
	apply   func(*world.State, exchange.Response)
	views   []world.View
}

// performances returns how each kind of action is performed.
func performances() map[story.Kind]performance {
	return map[story.Kind]performance{
		story.Join:     {Perform: (*run).join},
		story.Recreate: {Perform: (*run).recreate},
		story.Edit: {
			Perform: func(t *run, ctx context.Context, o story.Op, p world.Pair) []world.View {
				return t.edit(ctx, o, p, newProfile)
			},
			AtOnce: (*run).editAtOnce,
		},
		story.Rename: {Perform: func(t *run, ctx context.Context, o story.Op, p world.Pair) []world.View {
			return t.edit(ctx, o, p, newNames)
		}},
		story.ChangePassword: {Perform: func(t *run, ctx context.Context, o story.Op, p world.Pair) []world.View {
			return t.edit(ctx, o, p, newPassword)
		}},
		story.UpdateSimilar: {
			Perform: func(t *run, ctx context.Context, o story.Op, p world.Pair) []world.View {
				return t.edit(ctx, o, p, similarProfile)
			},
		},
		story.Revert: {
			Perform: func(t *run, ctx context.Context, o story.Op, p world.Pair) []world.View {
				return t.edit(ctx, o, p, formerProfile)
			},
		},
		story.TakeNames: {Perform: (*run).takeNames},
		story.DeleteUser: {
			Perform: (*run).deleteUser,
			AtOnce: func(t *run, o story.Op, p world.Pair, _ string) (write, bool) {
				return write{exchange.Request{Endpoint: rules.DeleteMe}, func(st *world.State, _ exchange.Response) { st.Deleted(p.From) }, without(t.feedViews(p.From), p.From)}, true
			},
			Sessions: (*run).deletedSessionViews,
		},
		story.LogIn: {
			Perform: func(t *run, ctx context.Context, o story.Op, p world.Pair) []world.View {
				return t.logIn(ctx, p.From, o.LoginName(), o.WithDetails)
			},
			AtOnce:   (*run).logInAtOnce,
			Sessions: (*run).sessionViews,
		},
		story.LogOut: {
			Perform:  (*run).logOut,
			AtOnce:   (*run).logOutAtOnce,
			Sessions: (*run).sessionViews,
		},
		story.UseEnded:       {Perform: (*run).useEnded},
		story.UseElsewhere:   {Across: (*crossApp).useSession},
		story.LogInElsewhere: {Across: (*crossApp).logInThere},
		story.Follow: {
			Perform: (*run).connect,
			Across:  (*crossApp).connectThere,
			AtOnce:  (*run).followAtOnce,
		},
		story.RequestFriend: {
			Perform: (*run).connect,
			Across:  (*crossApp).connectThere,
			AtOnce:  (*run).requestAtOnce,
		},
		story.RequestMutually: {
			Perform: func(t *run, ctx context.Context, o story.Op, p world.Pair) []world.View {
				o.Kind = story.RequestFriend
				views := t.connect(ctx, o, p)
				t.connect(ctx, o, p.Reversed())
				return append(views, world.Own(rules.Feed, p.To), world.Own(rules.MyFriends, p.To))
			},
			Across: (*crossApp).connectThere,
		},
		story.End: {
			Perform: (*run).end,
			Across:  (*crossApp).endThere,
			AtOnce:  (*run).endAtOnce,
		},
		story.DisconnectBoth: {
			Perform: (*run).disconnectBoth,
			Across:  (*crossApp).endThere,
		},
		story.ConnectBySocialID: {
			Perform: (*run).social,
			Across:  (*crossApp).connectBySocialID,
		},
		story.ConnectAllBySocialID: {Perform: (*run).connectAllBySocialID},
		story.Post: {
			Perform: (*run).post,
			AtOnce:  (*run).postAtOnce,
		},
		story.Change: {
			Perform: func(t *run, ctx context.Context, o story.Op, p world.Pair) []world.View {
				return t.change(ctx, o, p, newValues)
			},
			AtOnce: (*run).changeAtOnce,
		},
		story.ChangeBack: {
			Perform: func(t *run, ctx context.Context, o story.Op, p world.Pair) []world.View {
				return t.change(ctx, o, p, formerValues)
			},
		},
		story.UpdateEventSimilar: {
			Perform: func(t *run, ctx context.Context, o story.Op, p world.Pair) []world.View {
				return t.change(ctx, o, p, similarValues)
			},
		},
		story.Remove: {
			Perform: (*run).remove,
			AtOnce:  func(t *run, o story.Op, p world.Pair, _ string) (write, bool) { return t.removal(o, p.From) },
		},
		story.UseDeleted: {Perform: (*run).useDeleted},
		story.WriteForeign: {
			Perform: (*run).writeForeign,
			Across:  (*crossApp).writeForeignThere,
		},
		story.SendDefect: {Perform: (*run).sendDefect},
		story.LookFor:    {Across: (*crossApp).lookForOther},
		story.Audit: {
			Perform: (*run).performAudit,
			AtOnce: func(t *run, o story.Op, p world.Pair, _ string) (write, bool) {
				at := ownAudit(o.Extent)
				return write{exchange.Request{Endpoint: at}, func(*world.State, exchange.Response) {}, []world.View{world.Own(at, p.From)}}, true // what it shows during a write is open
			},
		},
		story.Wait: {Perform: (*run).wait},
	}
}
