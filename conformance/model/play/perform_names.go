package play

import (
	"context"
	"slices"

	"github.com/socialfeed/conform/conformance/model/body"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/model/world"
	"github.com/socialfeed/conform/conformance/rules"
)

// takeFormerNames gives a user the user name and email that another one gave up last. Whether
// they can be taken is open.
func (t *run) takeFormerNames(ctx context.Context, o story.Op) []world.View {
	a, b := t.actor(ctx, o.Actor), t.actor(ctx, o.Other)
	if a < 0 || b < 0 || a == b || !t.state.Users[a].Lives() {
		return nil
	}
	if names := t.state.Users[b].FormerNames; names == nil || !t.namesFree(names, a, true) {
		return nil
	}
	other := t.otherThan(a, b)
	search := world.View{At: rules.SearchUsers, Viewer: other, Owner: b, Session: -1, Field: "former", Term: value.Text(t.state.Users[b].FormerNames["user_name"])}
	if other >= 0 { // which a target may remember
		t.compareViews(ctx, search)
	}
	views := t.edit(ctx, o, world.Pair{From: a, To: b}, namesOfOther)
	if other >= 0 && len(views) > 0 { // at once, since the user may be deleted before the end
		search.Owner, search.Field, search.Exact = a, world.WholeNameField, true
		t.compareViews(ctx, search)
	}
	return views
}

// formerNames returns the names that a user gave up last, for another to take, and the term that
// they are searched by.
func (t *run) formerNames(u *world.User) (*body.Drawn, string) {
	d := t.payloads.Begin(u.FormerNames)
	d.Optional = true
	return d, value.Text(u.FormerNames["user_name"])
}

// namesFreeAgain reports whether nobody has taken the names that a user had before its latest
// update.
func (t *run) namesFreeAgain(u *world.User) bool {
	return !slices.ContainsFunc(t.state.Users, func(other *world.User) bool {
		return other != u && (other.Name == u.Previous.Fields["user_name"] || other.Email != "" && other.Email == u.Previous.Fields["email"])
	})
}
