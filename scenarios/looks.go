package scenarios

import (
	"fmt"
	"slices"
	"strings"

	. "github.com/socialfeed/conform/conformance"
)

// holds looks whether a list (the feed, a list of users, the results of a
// search) has each of the ids, once or more.
func holds(list func() []Record, what string, ids ...string) func() Problem {
	return func() Problem {
		got := idsOf(list())
		for _, id := range ids {
			if !slices.Contains(got, id) {
				return Problem{Expected: fmt.Sprintf("%s %s in the list", what, id), Actual: listed(got)}
			}
		}
		return Problem{}
	}
}

// lacks looks whether a list has none of the ids.
func lacks(list func() []Record, what string, ids ...string) func() Problem {
	return func() Problem {
		got := idsOf(list())
		for _, id := range ids {
			if slices.Contains(got, id) {
				return Problem{Expected: fmt.Sprintf("no %s %s in the list", what, id), Actual: listed(got)}
			}
		}
		return Problem{}
	}
}

// both joins two looks into one.
func both(first, second func() Problem) func() Problem {
	return func() Problem {
		if problem := first(); problem != (Problem{}) {
			return problem
		}
		return second()
	}
}

// feedOf reads an actor's feed.
func feedOf(t *Trial, reader *Actor) func() []Record {
	return func() []Record { return t.Send(reader, Feed).Records() }
}

func idsOf(records []Record) []string {
	ids := make([]string, len(records))
	for i, record := range records {
		ids[i] = record.ID()
	}
	return ids
}

func listed(ids []string) string {
	if len(ids) == 0 {
		return "an empty list"
	}
	return "a list of " + strings.Join(ids, ", ")
}
