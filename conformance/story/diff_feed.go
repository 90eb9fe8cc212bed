package story

import (
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// promisedLength is how many entries every server must be able to list: it may show no more.
const promisedLength = 20

// eventFields returns the fields of an event that a client may set.
func eventFields() []string {
	return []string{"verb", "language", "priority", "location", "latitude", "longitude", "metadata", "object"}
}

// diffFeed compares a feed with the world.
func (w *World) diffFeed(d Diff, r Response) []Diff {
	reader := d.View.owner
	d.View.isEvent = true
	objects, ok := r.objects()
	if r.Status != 200 || !ok {
		d.Kind, d.View.subject, d.Got = Unreadable, -1, r.Body
		return []Diff{d}
	}
	var found []Diff
	shown := map[int]int{}
	for _, o := range objects {
		each := d
		each.Got = valueOf(o, "id")
		which, known := w.eventByID(w.users[reader].app, idText(o["id"]))
		if !known {
			each.Kind, each.View.subject, each.Field = Stranger, -1, idText(o["id"])
			if other, is := w.copyOf(reader, o); is {
				each.Kind, each.View.subject = Copy, other
			} else if other, is := w.foreign(w.users[reader].app, o); is {
				each.Kind, each.View.subject = Foreign, other
			}
			each.Want = allowed{valueOf(o, "verb")}
			found = append(found, each)
			continue
		}
		each.View.subject = which
		if shown[which]++; shown[which] > 1 {
			continue
		}
		if w.shows(reader, which) == No {
			each.Kind = Extra
			owner := w.events[which].owner
			each.Timeless = w.stands(which) && w.neverConnected(pair{reader, owner})
			found = append(found, each)
			continue
		}
		found = append(found, w.diffEvent(each, o)...)
	}
	for which := range w.events {
		each := d
		each.View.subject = which
		switch shows := w.shows(reader, which); {
		case shown[which] > 1 && shows != No:
			each.Kind, each.Got = Twice, shown[which]
		case shown[which] == 0 && shows == Yes && (len(objects) < promisedLength || !olderThanAll(w.events[which].answer["created_at"], objects)):
			each.Kind, each.Got = Missing, len(objects)
		default:
			continue
		}
		found = append(found, each)
	}
	return append(found, orderDiff(d, objects)...)
}

// copyOf returns the event that an unknown one equals, now or formerly: the same event, stored twice.
func (w *World) copyOf(reader int, o Fields) (int, bool) {
	i := slices.IndexFunc(w.events, func(e event) bool {
		return idText(o["user_id"]) == idText(w.users[e.owner].id) && slices.ContainsFunc(append(slices.Clone(e.earlier), e.answer), func(answer Fields) bool {
			return !slices.ContainsFunc(eventFields(), func(name string) bool { return !same(valueOf(o, name), valueOf(answer, name)) })
		})
	})
	return i, i >= 0 && (!w.stands(i) || w.shows(reader, i) != No)
}

// foreign returns the user or event of another application that an object is, and not another one
// with the same id.
func (w *World) foreign(app int, o Fields) (int, bool) {
	id := idText(o["id"])
	for other := range w.choices {
		if other == app {
			continue
		}
		if which, known := w.eventByID(other, id); known && o["verb"] != nil {
			e := w.events[which]
			return which, sameInstant(o["created_at"], e.answer["created_at"]) && idText(o["user_id"]) == idText(w.users[e.owner].id)
		}
		if who, known := w.userByID(other, id); known && o["verb"] == nil {
			u := w.users[who]
			return who, same(o["user_name"], u.name) && sameInstant(o["created_at"], u.created)
		}
	}
	return -1, false
}

// diffEvent compares an event in a feed with the latest answer to a write of it.
func (w *World) diffEvent(d Diff, o Fields) []Diff {
	e := &w.events[d.View.subject]
	for _, name := range eventFields() {
		want := allowed{valueOf(e.answer, name)}.or(e.fields[name]...)
		for _, answer := range e.either {
			want = want.or(valueOf(answer, name))
		}
		if name == "object" {
			want = want.or(allowedSent(name, valueOf(e.answer, name))...)
		}
		if got := valueOf(o, name); !want.allows(got) {
			d.Kind, d.Field, d.Want, d.Got = WrongField, name, want, got
			return []Diff{d}
		}
	}
	for _, name := range []string{"created_at", "updated_at"} {
		got := valueOf(o, name)
		then := func(answer Fields) bool { return sameInstant(got, valueOf(answer, name)) }
		if !then(e.answer) && !slices.ContainsFunc(e.either, then) {
			d.Kind, d.Field, d.Want, d.Got = WrongTime, name, allowed{valueOf(e.answer, name)}, got
			return []Diff{d}
		}
	}
	const enabled = "enabled"
	if got, want := valueOf(o, enabled), valueOf(e.answer, enabled); !same(got, absent{}) && !same(want, absent{}) && !same(got, want) {
		d.Kind, d.Field, d.Want, d.Got = WrongField, enabled, allowed{want}, got
		return []Diff{d}
	}
	if id := w.users[e.owner].id; idText(o["user_id"]) != idText(id) {
		d.Kind, d.Field, d.Want, d.Got = WrongField, "user_id", allowed{id}, valueOf(o, "user_id")
		return []Diff{d}
	}
	return nil
}

// olderThanAll reports whether an event is older than all that a feed shows: of a feed longer than
// every server must show, the oldest may be cut off.
func olderThanAll(created any, objects []Fields) bool {
	t, ok := instant(created)
	return ok && !slices.ContainsFunc(objects, func(o Fields) bool {
		other, ok := instant(o["created_at"])
		return ok && other.Before(t)
	})
}

// orderDiff returns the difference for a feed that has an older event before a newer one.
func orderDiff(d Diff, objects []Fields) []Diff {
	for i := 1; i < len(objects); i++ {
		newer, okNewer := instant(objects[i]["created_at"])
		older, okOlder := instant(objects[i-1]["created_at"])
		if okNewer && okOlder && newer.After(older) {
			d.Kind, d.View.subject, d.Got = WrongOrder, -1, i
			d.At = rules.Feed
			return []Diff{d}
		}
	}
	return nil
}
