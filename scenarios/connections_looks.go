package scenarios

import (
	"fmt"
	"slices"

	. "github.com/socialfeed/conform/conformance"
)

// userList reads a list of users, for what needs it and does not judge it.
func userList(t *Trial, reader *Actor, at Endpoint, with ...With) func() []Record {
	return func() []Record { return t.Send(reader, at, with...).Records() }
}

// judgedList reads a list of users and judges the answer too.
func judgedList(t *Trial, c *Check, reader *Actor, at Endpoint, with ...With) func() []Record {
	return func() []Record {
		answer := t.Send(reader, at, with...)
		c.Status(answer, OneOf(200))
		return c.Array(answer)
	}
}

// isList tells whether the answer is as a list's must be, whatever is in it.
func isList(answer *Answer) bool {
	_, array := answer.Value().([]any)
	return array && answer.Status() == 200
}

// isEmptyList judges an answer that must be an empty list.
func isEmptyList(c *Check, answer *Answer) {
	c.Status(answer, OneOf(200))
	users := c.Array(answer)
	c.True(len(users) == 0, "[]", listed(idsOf(users)))
}

// awaitList arranges that an endpoint answers with a list.
func awaitList(t *Trial, send func() *Answer, at Endpoint) {
	t.Await(at.Home(), func() Problem {
		answer := send()
		if isList(answer) {
			return Problem{}
		}
		return Problem{Expected: fmt.Sprintf("200 and a JSON array from %s", at),
			Actual: fmt.Sprintf("%d with a body of %d bytes", answer.Status(), len(answer.Body()))}
	})
}

func hasUsers(list func() []Record, users ...*Actor) func() Problem {
	return holds(list, "user", idsOfUsers(users)...)
}

func hasNoUsers(list func() []Record, users ...*Actor) func() Problem {
	return lacks(list, "user", idsOfUsers(users)...)
}

// hasKept looks, at one reading, whether a list still has the one user and no
// longer any of those who are gone.
func hasKept(list func() []Record, kept *Actor, gone ...*Actor) func() Problem {
	return func() Problem {
		records := list()
		reading := func() []Record { return records }
		return both(hasNoUsers(reading, gone...), hasUsers(reading, kept))()
	}
}

// exactly looks whether a list has these users, each once, and no others.
func exactly(list func() []Record, users ...*Actor) func() Problem {
	return func() Problem {
		got, want := idsOf(list()), idsOfUsers(users)
		if slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
			return Problem{}
		}
		return Problem{Expected: fmt.Sprintf("%s, in any order", listed(want)), Actual: listed(got)}
	}
}

func idsOfUsers(users []*Actor) []string {
	ids := make([]string, len(users))
	for i, user := range users {
		ids[i] = user.ID.String()
	}
	return ids
}
