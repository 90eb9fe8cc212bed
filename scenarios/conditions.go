package scenarios

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/onsi/gomega"
	"github.com/onsi/gomega/types"
	. "github.com/socialfeed/conform/conformance"
)

// The conditions of scenarios: Gomega matchers of a list: a feed, a list of users or the results
// of a search.

// haveEvents asks for each of the events in a list, once or more.
func haveEvents(ids ...string) types.GomegaMatcher { return haveIDs("event", ids) }

// lackEvents asks for a list without any of the events.
func lackEvents(ids ...string) types.GomegaMatcher { return lackIDs("event", ids) }

// ownedBy asks for a list of events by these users alone; known are ids of their events,
// whatever owner the list shows for them.
func ownedBy(users []*Actor, known []string) types.GomegaMatcher {
	owners := idsOfUsers(users)
	return Condition(func(list []Record) Mismatch {
		for _, event := range list {
			if owner := event.Text("user_id"); owner != "" && !slices.Contains(owners, owner) && !slices.Contains(known, event.ID()) {
				return Mismatch{Expected: "events of the reader, of users that it follows, and of its friends", Actual: "event " + event.ID() + " of user " + owner}
			}
		}
		return Mismatch{}
	})
}

// haveUsers asks for each of the users in a list, once or more.
func haveUsers(users ...*Actor) types.GomegaMatcher { return haveIDs("user", idsOfUsers(users)) }

// lackUsers asks for a list without any of the users.
func lackUsers(users ...*Actor) types.GomegaMatcher { return lackIDs("user", idsOfUsers(users)) }

func haveIDs(what string, ids []string) types.GomegaMatcher {
	return Condition(func(list []Record) Mismatch { return missing(what, ids, list) })
}

// missing is the first of the ids that a list does not have.
func missing(what string, ids []string, list []Record) Mismatch {
	got := idsOf(list)
	for _, id := range ids {
		if !slices.Contains(got, id) {
			return Mismatch{Expected: fmt.Sprintf("%s %s in the list", what, id), Actual: listed(got)}
		}
	}
	return Mismatch{}
}

func lackIDs(what string, ids []string) types.GomegaMatcher {
	return Condition(func(list []Record) Mismatch {
		got := idsOf(list)
		for _, id := range ids {
			if slices.Contains(got, id) {
				return Mismatch{Expected: fmt.Sprintf("no %s %s in the list", what, id), Actual: listed(got)}
			}
		}
		return Mismatch{}
	})
}

// haveKept asks for a list with one user and without the others.
func haveKept(kept *Actor, gone ...*Actor) types.GomegaMatcher {
	return gomega.And(lackUsers(gone...), haveUsers(kept))
}

// haveExactly asks for a list of these users, each once, and no others.
func haveExactly(users ...*Actor) types.GomegaMatcher {
	return Condition(func(list []Record) Mismatch {
		got, want := idsOf(list), idsOfUsers(users)
		if slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
			return Mismatch{}
		}
		return Mismatch{Expected: fmt.Sprintf("%s, in any order", listed(want)), Actual: listed(got)}
	})
}

// haveNobodyBut asks for a list without any but these users. Whether they are in it is for
// another rule.
func haveNobodyBut(users ...*Actor) types.GomegaMatcher {
	return Condition(func(list []Record) Mismatch {
		for _, id := range idsOf(list) {
			if want := idsOfUsers(users); !slices.Contains(want, id) {
				return Mismatch{Expected: "at most " + listed(want), Actual: listed(idsOf(list))}
			}
		}
		return Mismatch{}
	})
}

// haveFields asks for a record with these values.
func haveFields(fields Fields) types.GomegaMatcher {
	return Condition(func(record Record) Mismatch {
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			if record[name] != fields[name] {
				return Mismatch{Expected: fmt.Sprintf("%s %q", name, fields[name]), Actual: fmt.Sprintf("%q", record.Text(name))}
			}
		}
		return Mismatch{}
	})
}

// refuseASession asks for an answer of 401.
func refuseASession() types.GomegaMatcher {
	return Condition(func(answer *Answer) Mismatch {
		if answer.Status() == http.StatusUnauthorized {
			return Mismatch{}
		}
		return Mismatch{Expected: "401 for a session that was logged out", Actual: fmt.Sprint(answer.Status())}
	})
}

// haveUserNamed asks for a user of that name in a list.
func haveUserNamed(name string) types.GomegaMatcher {
	return Condition(func(list []Record) Mismatch {
		if slices.ContainsFunc(list, named(name)) {
			return Mismatch{}
		}
		return Mismatch{Expected: "user " + name + " in the list", Actual: listed(idsOf(list))}
	})
}

func named(name string) func(Record) bool {
	return func(user Record) bool { return user.Text("user_name") == name }
}

// haveEventsOnce asks for each of the events exactly once in a list.
func haveEventsOnce(ids ...string) types.GomegaMatcher { return haveOnce("event", ids) }

// haveUsersOnce asks for each of the users exactly once in a list.
func haveUsersOnce(users ...*Actor) types.GomegaMatcher { return haveOnce("user", idsOfUsers(users)) }

func haveOnce(what string, ids []string) types.GomegaMatcher {
	return Condition(func(list []Record) Mismatch { return notOnce(what, ids, list) })
}

// notOnce is the first of the ids that a list does not have exactly once.
func notOnce(what string, ids []string, list []Record) Mismatch {
	got := idsOf(list)
	for _, id := range ids {
		if n := count(got, id); n != 1 {
			return Mismatch{
				Expected: fmt.Sprintf("%s %s once in the list", what, id),
				Actual:   fmt.Sprintf("it %d times in %s", n, listed(got)),
			}
		}
	}
	return Mismatch{}
}

// repeatNoEvent asks for a list that has no event more than once.
func repeatNoEvent() types.GomegaMatcher {
	return Condition(func(list []Record) Mismatch {
		got := idsOf(list)
		for _, id := range got {
			if count(got, id) > 1 {
				return Mismatch{Expected: "each event once in the list", Actual: listed(got)}
			}
		}
		return Mismatch{}
	})
}

// beUnsuccessful asks for an answer that is not a success.
func beUnsuccessful(expected string) types.GomegaMatcher {
	return Condition(func(answer *Answer) Mismatch {
		if !answer.Succeeded() {
			return Mismatch{}
		}
		return Mismatch{Expected: expected, Actual: fmt.Sprint(answer.Status())}
	})
}

// matches reports whether a condition holds now, without judging it: the target is free
// to choose.
func matches(condition types.GomegaMatcher, actual any) bool {
	holds, err := condition.Match(actual)
	return err == nil && holds
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

func idsOf(records []Record) []string {
	ids := make([]string, len(records))
	for i, record := range records {
		ids[i] = record.ID()
	}
	return ids
}

func idsOfUsers(users []*Actor) []string {
	ids := make([]string, len(users))
	for i, user := range users {
		ids[i] = user.ID.String()
	}
	return ids
}

func listed(ids []string) string {
	if len(ids) == 0 {
		return "an empty list"
	}
	return "the list [" + strings.Join(ids, ", ") + "]"
}
