package story

import (
	"maps"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// diffUser compares a user, as seen by itself or another, with the world.
func (w *World) diffUser(d Diff, r Response) []Diff {
	u := &w.users[d.View.owner]
	d.View.subject, d.Got = d.View.owner, r.Body
	if !u.lives() {
		if r.Refused() {
			return nil
		}
		d.Kind = Gone
		return []Diff{d}
	}
	o := r.object()
	if r.Status == 200 && same(o["user_name"], u.name) && idText(o["id"]) != idText(u.id) {
		d.Kind, d.Want, d.Got = WrongID, allowed{u.id}, valueOf(o, "id")
		return []Diff{d}
	}
	if r.Status != 200 || idText(o["id"]) != idText(u.id) {
		_, others := w.userByID(u.app, idText(o["id"]))
		d.Kind, d.Timeless = Unreadable, others && r.Status == 200
		return []Diff{d}
	}
	choices := w.choices[u.app]
	var found []Diff
	for _, name := range slices.Sorted(maps.Keys(u.fields)) {
		want := u.fields[name]
		if d.At == rules.GetUser && (name == "email" || slices.Contains(choices.Hidden, name)) {
			want = want.or(absent{}) // whether others see it is open
		}
		if got := valueOf(o, name); !want.allows(got) {
			each := d
			each.Kind, each.Field, each.Want, each.Got = WrongField, name, want, got
			found = append(found, each)
		}
	}
	return append(found, w.diffTimes(d, o)...)
}

// diffTimes compares the timestamps of a user with the world.
func (w *World) diffTimes(d Diff, o Fields) []Diff {
	u := &w.users[d.View.owner]
	var found []Diff
	if got := valueOf(o, "created_at"); !sameInstant(got, u.created) {
		each := d
		each.Kind, each.Field, each.Want, each.Got = WrongTime, "created_at", allowed{u.created}, got
		found = append(found, each)
	}
	if order, ok := orderOf(o["updated_at"], u.updated); ok && order < 0 {
		each := d
		each.Kind, each.Field, each.Want, each.Got = GoneBack, "updated_at", allowed{u.updated}, o["updated_at"]
		found = append(found, each)
	}
	at, ok := instant(o["last_login"])
	never := d.At == rules.GetUser && ok && at.Year() <= 1 || d.At == rules.GetMe && (!ok || at.Year() <= 1) // others may not see it at all
	if u.loggedIn && never {
		each := d
		each.Kind, each.Field, each.Want, each.Got = WrongTime, "last_login", allowed{"the time of a login"}, valueOf(o, "last_login")
		found = append(found, each)
	}
	return found
}

// diffList compares a list of users with the world.
func (w *World) diffList(d Diff, r Response) []Diff {
	owner := d.View.owner
	if !w.users[owner].lives() {
		if r.Refused() {
			return nil
		}
		d.Kind, d.Got = Gone, r.Body
		d.View.subject = owner
		return []Diff{d}
	}
	objects, ok := r.objects()
	if r.Status != 200 || !ok {
		d.Kind, d.View.subject, d.Got = Unreadable, -1, r.Body
		return []Diff{d}
	}
	var found []Diff
	shown := map[int]int{}
	for _, o := range objects {
		each := d
		who, known := w.userByID(w.users[owner].app, idText(o["id"]))
		each.View.subject, each.Got = who, valueOf(o, "id")
		if !known {
			found = append(found, w.strangerDiff(each, o))
			continue
		}
		switch shown[who]++; {
		case shown[who] == 2:
			each.Kind, each.Got = Twice, 2
			found = append(found, each)
		case shown[who] > 2:
		case w.listed(d.At, owner, who) == No:
			each.Kind, each.Timeless = Extra, w.users[who].lives() && w.neverConnected(pair{owner, who})
			found = append(found, each)
		default:
			found = append(found, w.diffShown(each, o)...)
		}
	}
	for who := range w.users {
		if w.users[who].app == w.users[owner].app && w.listed(d.At, owner, who) == Yes && shown[who] == 0 && len(objects) < promisedLength {
			each := d
			each.Kind, each.View.subject, each.Got = Missing, who, len(objects)
			found = append(found, each)
		}
	}
	return found
}

// strangerDiff returns the difference for an object in a list whose id is nobody's.
func (w *World) strangerDiff(d Diff, o Fields) Diff {
	d.Kind, d.Field = Stranger, idText(o["id"])
	if other, is := w.foreign(d.App, o); is {
		d.Kind, d.View.subject = Foreign, other
	} else if who := slices.IndexFunc(w.users, func(u user) bool { return u.app == d.App && same(o["user_name"], u.name) }); who >= 0 {
		d.Kind, d.View.subject, d.Want = WrongID, who, allowed{w.users[who].id}
	}
	return d
}

// diffShown compares a user in a list or a search with the world. Missing fields are no
// difference: a list may show fewer.
func (w *World) diffShown(d Diff, o Fields) []Diff {
	u := &w.users[d.View.subject]
	for _, name := range slices.Sorted(maps.Keys(u.fields)) {
		if got, want := valueOf(o, name), u.fields[name]; !want.or(absent{}).allows(got) {
			d.Kind, d.Field, d.Want, d.Got = WrongField, name, want, got
			return []Diff{d}
		}
	}
	if got := valueOf(o, "created_at"); !sameInstant(got, u.created) {
		d.Kind, d.Field, d.Want, d.Got = WrongTime, "created_at", allowed{u.created}, got
		return []Diff{d}
	}
	return nil
}
