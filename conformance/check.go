package conformance

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/onsi/gomega/types"
	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// Check is one judgement in the making: a rule at an endpoint. Its assertions
// end it at the first that does not hold; other checks go on.
type Check struct {
	t          *T
	rule       string
	endpoint   rules.Endpoint
	status     result.Status
	message    string
	expected   string
	actual     string
	passing    []string // the statuses that pass, where one that does not decided
	field      string   // the header field that alone decided
	blockedBy  string
	blockedAt  rules.Endpoint
	unanswered bool // what it needed got no complete answer
	exchanges  []*wire.Exchange
	refusing   []rules.Endpoint // that refused a request of it
	deciding   *wire.Exchange   // the one that the check was decided by, nil where none was
	answer     ChoiceAnswer     // to a choice that drawn stories go by
	recheck    *recheck
	drawn      bool   // by the model
	story      []byte // that showed it, as it is kept
}

// perform runs the judgement and records its outcome.
func (c *Check) perform(judge func(*Check)) {
	t := c.t
	t.current = c
	ended := outcomeOf(func() { judge(c) })
	t.current = nil
	if ended == nil && c.status == result.Warn {
		ended = t.excuse(&outcome{status: result.Warn})
		if ended.status == result.Warn {
			return
		}
	}
	if ended != nil {
		c.deciding = cmp.Or(ended.step, t.lookedAt())
		c.end(t.consequence(c, t.excuse(ended)))
	}
}

// end records the outcome of a check of this run.
func (c *Check) end(s *outcome) { c.conclude(c.t.run.level(c.rule), s) }

// conclude records an outcome by the rule's level: a broken should is a warning, a
// choice is observed.
func (c *Check) conclude(level rules.Level, s *outcome) {
	switch ownRule := s.status == result.Blocked && s.blockedBy == c.rule; { // it needs the rule that it judges
	case ownRule && s.unanswered: // no answer breaks no rule
		s = &outcome{status: result.Error, message: couldNotJudge + wire.Trouble(s.evidence[0].Err), unanswered: true}
	case ownRule:
		s = &outcome{status: result.Fail, expected: cmp.Or(s.expected, "the rule to hold where the scenario needs it"), actual: cmp.Or(s.actual, s.message)}
	}
	c.status, c.message, c.blockedBy, c.blockedAt, c.unanswered = s.status, s.text(), s.blockedBy, s.blockedAt, s.unanswered
	c.expected, c.actual, c.passing, c.field = s.expected, s.actual, s.passing, s.field
	if c.status != result.Fail {
		return
	}
	switch level {
	case rules.Should:
		c.status = result.Warn
	case rules.Choice:
		c.status, c.message = result.Observed, s.actual
	}
}

// about adds the answer's exchange to the check's evidence, as the one that decides unless
// another is read later.
func (c *Check) about(a *Answer) {
	c.t.mu.Lock()
	defer c.t.mu.Unlock()
	c.t.lastUsed = a.exchange
	if !slices.Contains(c.exchanges, a.exchange) {
		c.exchanges = append(c.exchanges, a.exchange)
	}
}

// Decide makes the answer the one that decides the check: it was read before others that only
// describe the failure.
func (c *Check) Decide(a *Answer) { c.about(a) }

// Fail ends the check: the rule is broken.
func (c *Check) Fail(expected, actual string) {
	panic(outcome{status: result.Fail, expected: expected, actual: actual})
}

// Warn lets the check pass with a warning, unless something worse follows.
func (c *Check) Warn(expected, actual string) {
	c.warn(outcome{expected: expected, actual: actual})
}

func (c *Check) warn(o outcome) {
	c.status, c.message, c.deciding = result.Warn, o.text(), c.t.lookedAt()
	c.expected, c.actual, c.passing, c.field = o.expected, o.actual, o.passing, o.field
}

// Observe ends the check of a choice: this is what the target does.
func (c *Check) Observe(format string, args ...any) {
	panic(outcome{status: result.Observed, message: fmt.Sprintf(format, args...)})
}

// ObserveAnswer is Observe for an answer that drawn stories may go by.
func (c *Check) ObserveAnswer(answer ChoiceAnswer) {
	c.answer = answer
	c.Observe("%s", answer)
}

// Status judges the answer's status, by httpexpect.
func (c *Check) Status(a *Answer, want StatusMatcher) {
	c.about(a)
	if want.tolerates(a.Status()) {
		c.warn(want.failure(a.summary()))
		return
	}
	a.expect(want.failure(a.summary())).Alias(want.String()).StatusList(want.statuses()...)
}

// Object judges that the answer's body is a JSON object.
func (c *Check) Object(a *Answer) Record {
	c.about(a)
	record, ok := jsonvalue.AsRecord(a.Value())
	if !ok {
		c.Fail("a JSON object", a.summary())
	}
	return record
}

// Array judges that the answer's body is a JSON array of objects.
func (c *Check) Array(a *Answer) []Record {
	c.about(a)
	records, ok := jsonvalue.AsRecords(a.Value())
	if !ok {
		c.Fail("a JSON array of objects", a.summary())
	}
	return records
}

// Fields judges that each field has the value it was sent with; all that differ
// are reported together.
func (c *Check) Fields(got Record, want Fields) {
	var expected, actual []string
	for _, name := range jsonvalue.SortedKeys(want) {
		if jsonvalue.Equal(jsonvalue.Normalized(want[name]), got[name]) {
			continue
		}
		one, other := jsonvalue.Show(want[name]), got.Shown(name)
		if got.Has(name) {
			one, other = jsonvalue.ShowBoth(want[name], got[name])
		}
		expected, actual = append(expected, name+" "+one), append(actual, name+" "+other)
	}
	if len(expected) > 0 {
		c.Fail(strings.Join(expected, ", "), strings.Join(actual, ", "))
	}
}

// Present judges that each field is there.
func (c *Check) Present(got Record, fields ...string) {
	for _, name := range fields {
		if !got.Has(name) {
			c.Fail("the field "+name, "none among "+strings.Join(jsonvalue.SortedKeys(Fields(got)), ", "))
		}
	}
}

// Same judges that two ids are the same, as text.
func (c *Check) Same(what, want, got string) {
	if want != got {
		c.Fail(fmt.Sprintf("%s %q", what, want), fmt.Sprintf("%q", got))
	}
}

// Expect judges a value by a Gomega matcher, such as one that Condition makes.
func (c *Check) Expect(actual any, condition types.GomegaMatcher) {
	c.require(mismatchOf(condition, actual))
}

// require ends the check with a mismatch, if it is one.
func (c *Check) require(m Mismatch) {
	if m != (Mismatch{}) {
		c.Fail(m.Expected, m.Actual)
	}
}

// True judges a condition.
func (c *Check) True(holds bool, expected, actual string) {
	if !holds {
		c.Fail(expected, actual)
	}
}
