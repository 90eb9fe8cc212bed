package scenarios

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	. "github.com/socialfeed/conform/conformance"
)

// once looks whether a list has each of the ids exactly once.
func once(list func() []Record, what string, ids ...string) func() Problem {
	return func() Problem {
		got := idsOf(list())
		for _, id := range ids {
			if n := count(got, id); n != 1 {
				return Problem{
					Expected: fmt.Sprintf("%s %s once in the list", what, id),
					Actual:   fmt.Sprintf("it %d times in %s", n, listed(got)),
				}
			}
		}
		return Problem{}
	}
}

// noneTwice looks whether a list repeats anything.
func noneTwice(list func() []Record, what string) func() Problem {
	return func() Problem {
		got := idsOf(list())
		for _, id := range got {
			if count(got, id) > 1 {
				return Problem{Expected: fmt.Sprintf("each %s once in the list", what), Actual: listed(got)}
			}
		}
		return Problem{}
	}
}

func count(ids []string, id string) int {
	n := 0
	for _, each := range ids {
		if each == id {
			n++
		}
	}
	return n
}

// entryOf reads an event in a feed where it was seen; nil when it is gone.
func entryOf(t *Trial, reader *Actor, id string) Record {
	for _, event := range t.Send(reader, Feed).Records() {
		if event.ID() == id {
			return event
		}
	}
	return nil
}

// unchanged looks whether an event in a feed still is what it was.
func unchanged(t *Trial, reader *Actor, before Record) func() Problem {
	return func() Problem {
		now := entryOf(t, reader, before.ID())
		if now == nil {
			return Problem{Expected: "event " + before.ID() + " in the feed, unchanged", Actual: "a feed without it"}
		}
		return difference(before, now, "id", "user_id", "verb", "language", "priority", "location", "latitude", "longitude",
			"metadata", "object", "enabled", "created_at")
	}
}

// difference tells in which of the named fields two events differ.
func difference(want, got Record, fields ...string) Problem {
	var expected, actual []string
	for _, name := range fields {
		if !sameField(want, got, name) {
			expected = append(expected, fmt.Sprintf("%s %v", name, shown(want, name)))
			actual = append(actual, fmt.Sprintf("%s %v", name, shown(got, name)))
		}
	}
	return Problem{Expected: strings.Join(expected, ", "), Actual: strings.Join(actual, ", ")}
}

func shown(r Record, field string) any {
	if !r.Has(field) {
		return "absent"
	}
	return r[field]
}

// sameField compares a field of two events: ids as text, times as instants,
// numbers by value. Where an object's url is shown is the target's choice, and
// so is whether an empty map is sent.
func sameField(a, b Record, name string) bool {
	switch name {
	case "id", "user_id":
		return a.Text(name) == b.Text(name)
	case "created_at", "updated_at":
		x, xok := a.Instant(name)
		y, yok := b.Instant(name)
		return xok && yok && x.Equal(y) || !xok && !yok && reflect.DeepEqual(a[name], b[name])
	case "latitude", "longitude":
		x, xok := number(a, name)
		y, yok := number(b, name)
		return xok == yok && x == y
	case "object":
		return reflect.DeepEqual(withoutURL(a.Map(name)), withoutURL(b.Map(name)))
	case "metadata":
		return maps.EqualFunc(a.Map(name), b.Map(name), func(x, y any) bool { return reflect.DeepEqual(x, y) })
	}
	return reflect.DeepEqual(a[name], b[name])
}

func withoutURL(object Record) Record {
	rest := maps.Clone(object)
	delete(rest, "url")
	return rest
}

// present are those of the named fields that a resource has.
func present(r Record, names ...string) []string {
	return slices.DeleteFunc(names, func(name string) bool { return !r.Has(name) })
}
