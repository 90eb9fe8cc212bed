package model

import (
	"context"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// takeFormerNames gives a user the user name and email that another one gave up last. Whether
// they can be taken is open.
func (t *run) takeFormerNames(ctx context.Context, o Op) []view {
	a, b := t.actor(ctx, o.Actor), t.actor(ctx, o.Other)
	if a < 0 || b < 0 || a == b || !t.state.users[a].lives() {
		return nil
	}
	if names := t.state.users[b].formerNames; names == nil || !t.namesFree(names, a, true) {
		return nil
	}
	other := t.otherThan(a, b)
	search := view{at: rules.SearchUsers, viewer: other, owner: b, session: -1, field: "former", term: asText(t.state.users[b].formerNames["user_name"])}
	if other >= 0 { // which a target may remember
		t.compareViews(ctx, search)
	}
	views := t.edit(ctx, o, pair{a, b}, namesOfOther)
	if other >= 0 && len(views) > 0 { // at once, since the user may be deleted before the end
		search.owner, search.field, search.exact = a, wholeNameField, true
		t.compareViews(ctx, search)
	}
	return views
}

// formerNames returns the names that a user gave up last, for another to take, and the term that
// they are searched by.
func (t *run) formerNames(u *user) (*drawnPayload, string) {
	d := t.payloads.begin(u.formerNames)
	d.optional = true
	return d, asText(u.formerNames["user_name"])
}

// namesFreeAgain reports whether nobody has taken the names that a user had before its latest
// update.
func (t *run) namesFreeAgain(u *user) bool {
	return !slices.ContainsFunc(t.state.users, func(other *user) bool {
		return other != u && (other.name == u.previous.fields["user_name"] || other.email != "" && other.email == u.previous.fields["email"])
	})
}
