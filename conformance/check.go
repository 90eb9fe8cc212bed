package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/gavv/httpexpect/v2"
)

// Check is one judgement in the making: a rule at an endpoint. Its assertions
// end it at the first that does not hold; other checks go on.
type Check struct {
	trial     *Trial
	rule      string
	endpoint  Endpoint
	status    Status
	message   string
	expected  string
	actual    string
	blockedBy string
	exchanges []*exchange
	vigil     *vigil
}

// perform runs the judgement and takes down its outcome.
func (c *Check) perform(judge func(*Check)) {
	t := c.trial
	t.current = c
	ended := func() (ended *stop) {
		defer func() { ended = catch(recover()) }()
		judge(c)
		return nil
	}()
	t.current = nil
	if ended != nil {
		c.conclude(ended)
	}
}

// conclude takes down an outcome. What a target cannot break it is not blamed
// for: a should gets a warning, a choice is observed.
func (c *Check) conclude(s *stop) {
	c.status, c.message, c.blockedBy = s.status, s.text(), s.blockedBy
	c.expected, c.actual = s.expected, s.actual
	if c.status != Fail {
		return
	}
	switch c.trial.run.level(c.rule) {
	case Should:
		c.status = Warn
	case Choice:
		c.status, c.message = Observed, s.actual
	}
}

// about adds the answer's exchange to the check's evidence.
func (c *Check) about(a *Answer) {
	if !slices.Contains(c.exchanges, a.exchange) {
		c.exchanges = append(c.exchanges, a.exchange)
	}
}

// Fail ends the check: the rule is broken.
func (c *Check) Fail(expected, actual string) {
	panic(stop{status: Fail, expected: expected, actual: actual})
}

// Warn lets the check pass with a warning, unless something worse follows.
func (c *Check) Warn(expected, actual string) {
	c.status, c.expected, c.actual = Warn, expected, actual
	c.message = "expected " + expected + "; got " + actual
}

// Observe ends the check of a choice: this is what the target does.
func (c *Check) Observe(format string, args ...any) {
	panic(stop{status: Observed, message: fmt.Sprintf(format, args...)})
}

// Status judges the answer's status.
func (c *Check) Status(a *Answer, want Want) {
	c.about(a)
	switch want.verdict(a.Status()) {
	case Fail:
		c.Fail(want.String(), a.summary())
	case Warn:
		c.Warn(want.String(), a.summary())
	}
}

// Object judges that the answer's body is a JSON object.
func (c *Check) Object(a *Answer) Record {
	c.about(a)
	record, ok := asRecord(a.Value())
	if !ok {
		c.Fail("a JSON object", a.summary())
	}
	return record
}

// Array judges that the answer's body is a JSON array of objects.
func (c *Check) Array(a *Answer) []Record {
	c.about(a)
	records, ok := recordsIn(a.Value())
	if !ok {
		c.Fail("a JSON array of objects", a.summary())
	}
	return records
}

// Fields judges that each field has the value it was sent with; all that differ
// are told at once.
func (c *Check) Fields(got Record, want Fields) {
	var expected, actual []string
	for _, name := range sortedKeys(want) {
		if equalJSON(normalized(want[name]), got[name]) {
			continue
		}
		expected = append(expected, name+" "+show(want[name]))
		actual = append(actual, name+" "+showField(got, name))
	}
	if len(expected) > 0 {
		c.Fail(strings.Join(expected, ", "), strings.Join(actual, ", "))
	}
}

// Present judges that each field is there.
func (c *Check) Present(got Record, fields ...string) {
	for _, name := range fields {
		if !got.Has(name) {
			c.Fail("the field "+name, "none among "+strings.Join(sortedKeys(Fields(got)), ", "))
		}
	}
}

// Same judges that two ids are the same, as text.
func (c *Check) Same(what, want, got string) {
	if want != got {
		c.Fail(fmt.Sprintf("%s %q", what, want), fmt.Sprintf("%q", got))
	}
}

// True judges a condition.
func (c *Check) True(holds bool, expected, actual string) {
	if !holds {
		c.Fail(expected, actual)
	}
}

// Problem is what a condition still lacks: Expected and Actual of a failure.
// The zero Problem is none.
type Problem struct{ Expected, Actual string }

// Eventually judges a condition that may take until the settle time to hold:
// feeds, lists and search may lag. Only the latest look stays as evidence.
func (c *Check) Eventually(look func() Problem) {
	settle := c.trial.run.config.Settle
	if problem := c.trial.poll(settle, look); problem != (Problem{}) {
		c.Fail(problem.Expected, fmt.Sprintf("%s, still after %s", problem.Actual, settle))
	}
}

// EventuallyForGood is Eventually, and a second look when the hold time is over:
// what went must not come back. Nothing else of the story may bring it back.
func (c *Check) EventuallyForGood(look func() Problem) {
	c.Eventually(look)
	if c.vigil == nil {
		c.vigil = &vigil{}
	}
	c.vigil.since = time.Now()
	c.vigil.looks = append(c.vigil.looks, look)
}

// assertions receives what the assertion library finds.
type assertions struct{ trial *Trial }

// Success is no news.
func (assertions) Success(*httpexpect.AssertionContext) {}

// Failure ends the check with the library's finding in the project's words.
func (h assertions) Failure(_ *httpexpect.AssertionContext, f *httpexpect.AssertionFailure) {
	if f.Severity != httpexpect.SeverityError {
		return
	}
	if last := h.trial.last; f.Type == httpexpect.AssertOperation && last != nil && last.err != nil {
		panic(unjudged(last.err))
	}
	err := errors.Join(f.Errors...)
	if f.Type == httpexpect.AssertOperation && err != nil {
		panic(unjudged(err))
	}
	expected, actual := "what the assertion asks for", "something else"
	if f.Expected != nil {
		expected = show(f.Expected.Value)
	} else if err != nil {
		expected = err.Error()
	}
	if f.Actual != nil {
		actual = show(f.Actual.Value)
	}
	panic(stop{status: Fail, expected: expected, actual: actual})
}

func equalJSON(a, b any) bool {
	an, aok := a.(json.Number)
	bn, bok := b.(json.Number)
	if aok && bok {
		return sameNumber(an, bn)
	}
	al, aok := a.([]any)
	bl, bok := b.([]any)
	if aok && bok {
		return slices.EqualFunc(al, bl, equalJSON)
	}
	am, aok := a.(map[string]any)
	bm, bok := b.(map[string]any)
	if aok && bok {
		if len(am) != len(bm) {
			return false
		}
		for k, v := range am {
			if w, there := bm[k]; !there || !equalJSON(v, w) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a, b)
}
