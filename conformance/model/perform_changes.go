package model

import (
	"maps"
	"slices"
)

// changesOf returns the fields of an update of a user, and the terms that find the user
// afterwards; nil if the operation makes no sense.
func (t *playthrough) changesOf(o Op, u *user) (*drawnPayload, map[string]string) {
	d := t.payloads.begin(Fields{"user_name": u.name, "email": u.email, "password": u.password})
	terms := map[string]string{"user_name": u.terms["user_name"], "first_name": u.terms["first_name"]}
	switch o.Kind {
	case Edit:
		if o.NewToken {
			terms["first_name"] = t.player.target.Unique()
		}
		d = d.with(t.payloads.user(o.Values, terms["first_name"]))
		if o.SharedLastName {
			d = d.with(t.payloads.begin(Fields{"last_name": t.commonLastName()}))
		}
	case Rename:
		terms["user_name"] = t.player.target.Unique()
		d = d.with(t.payloads.distinctNames(o.Values, terms["user_name"]))
	case ChangePassword:
		d = d.with(t.password(o, u))
	case UpdateSimilar:
		changes := u.slightChange(o.Variant)
		d = d.with(t.payloads.begin(changes))
		for _, name := range []string{"email", "url"} { // which get longer, and may be refused
			if _, there := changes[name]; there {
				d.fallback[name], d.refusable[name] = u.fields[name].first(), "changed a little"
			}
		}
	case TakeNames:
		names, term := t.namesLike(o)
		terms["user_name"] = term
		d = d.with(names)
	case Revert:
		if u.previous == nil || !t.namesFreeAgain(u) {
			return nil, nil
		}
		d = d.with(t.payloads.begin(u.previous.fields))
		terms = maps.Clone(u.previous.terms)
	}
	if password, _ := d.fields["password"].(string); password != u.password && slices.Contains(u.passwords, password) {
		d.fallback["password"], d.refusable["password"] = u.password, "one that the user had before"
	}
	return d, terms
}

// commonLastName returns the last name that several users of the story have.
func (t *playthrough) commonLastName() string {
	if t.sharedLastName == "" {
		t.sharedLastName = t.player.target.Unique()
	}
	return t.sharedLastName
}
