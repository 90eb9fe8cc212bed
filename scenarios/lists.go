package scenarios

import (
	"fmt"

	"github.com/onsi/gomega/types"
	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// feedOf reads an actor's feed.
func feedOf(t *T, reader *Actor) func() []Record { return listAt(t, reader, Feed) }

// answerOf reads an endpoint, whatever its answer.
func answerOf(t *T, reader *Actor, at Endpoint, with ...With) func() *Answer {
	return func() *Answer { return t.Send(reader, at, with...) }
}

// listAt reads the list of records at an endpoint, the feed's or one of users, without judging the
// answer.
func listAt(t *T, reader *Actor, at Endpoint, with ...With) func() []Record {
	return func() []Record { return t.SendSettled(reader, at, with...).Records() }
}

// judgedList is listAt, and judges the answer.
func judgedList(t *T, c *Check, reader *Actor, at Endpoint, with ...With) func() []Record {
	return func() []Record {
		answer := t.SendSettled(reader, at, with...)
		c.Status(answer, OneOf(200))
		return c.Array(answer)
	}
}

// isList reports whether the answer is a 200 with an array.
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
func awaitList(t *T, send func() *Answer, at Endpoint) {
	t.Require(at.BlockingRule(), send, beAList())
}

// beAList asks for an answer of 200 with an array.
func beAList() types.GomegaMatcher {
	return Condition(func(answer *Answer) Mismatch {
		if isList(answer) {
			return Mismatch{}
		}
		return Mismatch{Expected: "200 and a JSON array",
			Actual: fmt.Sprintf("%d with a body of %d bytes", answer.Status(), len(answer.Body()))}
	})
}
