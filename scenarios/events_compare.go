package scenarios

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/onsi/gomega/types"
	. "github.com/socialfeed/conform/conformance"
)

// entryOf reads an event in a feed where it was seen; nil when it is gone.
func entryOf(t *T, reader *Actor, id string) Record { return eventIn(feedOf(t, reader)(), id) }

// shownEvent reads an event in a feed, again for as long as the feed may lag: a replica
// may not have it yet.
func shownEvent(t *T, reader *Actor, id string) Record {
	var shown Record
	t.Require("feed.follow.new-events", func() []Record {
		feed := feedOf(t, reader)()
		shown = eventIn(feed, id)
		return feed
	}, haveEvents(id))
	return shown
}

func eventIn(feed []Record, id string) Record {
	for _, event := range feed {
		if event.ID() == id {
			return event
		}
	}
	return nil
}

// haveUnchanged asks for an event in a feed, with the values it had, and with further fields
// as they were.
func haveUnchanged(before Record, further ...string) types.GomegaMatcher {
	return showing(before, "event "+before.ID()+" in the feed, unchanged", append(further, unchangedFields()...)...)
}

// haveUnchangedOr is haveUnchanged, or asks for the event as an earlier update was answered:
// a feed that lagged may have shown it as it was before that.
func haveUnchangedOr(updated *Answer, before Record) types.GomegaMatcher {
	answered, _ := updated.Value().(map[string]any)
	return Condition(func(feed []Record) Mismatch {
		now := eventIn(feed, before.ID())
		switch {
		case now == nil:
			return Mismatch{Expected: "event " + before.ID() + " in the feed, unchanged", Actual: "a feed without it"}
		case difference(answered, now, unchangedFields()...) == (Mismatch{}):
			return Mismatch{}
		}
		return difference(before, now, unchangedFields()...)
	})
}

func unchangedFields() []string {
	return []string{"id", "user_id", "verb", "language", "priority", "location", "latitude", "longitude", "metadata", "object", "enabled", "created_at"}
}

// showChanged asks for an event in a feed as it was changed, in the fields given. Whether the
// answer to the change has the event's id is for events.update.keeps-identity.
func showChanged(event, changed Record, fields []string) types.GomegaMatcher {
	changed = maps.Clone(changed)
	changed["id"] = event["id"]
	return showing(changed, "the changed event "+event.ID()+" in the feed", fields...)
}

func showing(event Record, expected string, fields ...string) types.GomegaMatcher {
	return Condition(func(feed []Record) Mismatch {
		if now := eventIn(feed, event.ID()); now != nil {
			return difference(event, now, fields...)
		}
		return Mismatch{Expected: expected, Actual: "a feed without it"}
	})
}

// difference is how two events differ in the named fields.
func difference(want, got Record, fields ...string) Mismatch {
	var expected, actual []string
	for _, name := range fields {
		if !sameField(want, got, name) {
			expected = append(expected, name+" "+want.Shown(name))
			actual = append(actual, name+" "+got.Shown(name))
		}
	}
	return Mismatch{Expected: strings.Join(expected, ", "), Actual: strings.Join(actual, ", ")}
}

// sameField compares a field of two events: ids as text, times as instants,
// numbers by value. The contract leaves open where an object's url is
// shown, whether an empty map is sent, and which further fields an object has.
func sameField(a, b Record, name string) bool {
	switch name {
	case "id", "user_id":
		return a.Text(name) == b.Text(name)
	case "created_at", "updated_at":
		order, ok := a.CompareInstant(name, b)
		return ok && order == 0 || reflect.DeepEqual(a[name], b[name])
	case "latitude", "longitude":
		x, xok := number(a, name)
		y, yok := number(b, name)
		return xok == yok && x == y
	case "object":
		return reflect.DeepEqual(essence(a.Map(name)), essence(b.Map(name)))
	case "metadata":
		return maps.EqualFunc(a.Map(name), b.Map(name), func(x, y any) bool { return reflect.DeepEqual(x, y) })
	}
	return blank(a, name) && blank(b, name) || reflect.DeepEqual(a[name], b[name]) // a blank field has a rule of its own
}

// essence is the part of an object that every target shows.
func essence(object Record) Record {
	rest := maps.Clone(object)
	maps.DeleteFunc(rest, func(field string, _ any) bool { return !slices.Contains([]string{"id", "type", "display_name"}, field) })
	return rest
}

// present are those of the named fields that a resource has.
func present(r Record, names ...string) []string {
	return slices.DeleteFunc(names, func(name string) bool { return !r.Has(name) })
}
