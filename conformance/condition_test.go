package conformance_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/onsi/gomega"
	"github.com/onsi/gomega/types"
	. "github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// What a matcher finds stands in a report as expected and got, be the matcher a
// Condition, several of them, or one of Gomega's own.
func TestMatchersTellWhatWasExpected(t *testing.T) {
	f := newFake(t)
	short := Condition(func(text string) Mismatch {
		if len(text) < 4 {
			return Mismatch{}
		}
		return Mismatch{Expected: "a short text", Actual: text}
	})
	for name, tc := range map[string]struct {
		matcher          types.GomegaMatcher
		expected, actual string
	}{
		"a condition":           {short, "a short text", "hello"},
		"the second of two":     {gomega.And(gomega.HavePrefix("h"), short), "a short text", "hello"},
		"a matcher of Gomega's": {gomega.HaveSuffix("x"), "the value to have suffix <string>: x", "<string>: hello"},
		"a negated condition":   {gomega.Not(Condition(func(string) Mismatch { return Mismatch{} })), "what the matcher asks for", "expected a mismatch; got \"hello\""},
	} {
		t.Run(name, func(t *testing.T) {
			report := judged(t, f.config("feed.status", "feed.empty", "feed.merge"), func(s *Suite) {
				s.Scenario("matches", Covers("feed.status", "feed.empty", "feed.merge"), func(t *T) {
					t.Judge("feed.status", func(c *Check) { c.Expect("hello", tc.matcher) })
					t.Judge("feed.empty", func(c *Check) { c.Eventually(func() string { return "hello" }, tc.matcher) })
					t.Require("feed.friends", func() string { return "hello" }, tc.matcher)
				})
			})
			check := expectRule(t, report, "feed.status", result.Fail, "expected "+tc.expected).Checks[0]
			if tc.actual != "" && check.Actual != tc.actual {
				t.Errorf("got %q, want %q", check.Actual, tc.actual)
			}
			expectRule(t, report, "feed.empty", result.Fail, "still after 60ms")
			expectRule(t, report, "feed.merge", result.Blocked, "needs "+tc.expected)
		})
	}
}

// What a reading comes to ends the check at once, however long it may take to settle.
func TestAReadingThatCannotBeJudgedEndsTheWait(t *testing.T) {
	f := newFake(t)
	config := f.config("feed.status", "feed.empty", "feed.merge", "feed.order")
	config.Settle = time.Minute
	start := time.Now()
	report := judged(t, config, func(s *Suite) {
		s.Scenario("reads in vain", Covers(config.Selection.Rules...), func(t *T) {
			reader := t.Actor()
			t.Judge("feed.status", func(c *Check) {
				c.Eventually(func() []Record { return t.Send(reader, rules.GetUser, IDText("99")).Records() }, gomega.BeEmpty())
			})
			t.Judge("feed.empty", func(c *Check) {
				c.Eventually(func() *Answer {
					answer := t.Send(reader, rules.Feed)
					c.Status(answer, OneOf(418))
					return answer
				}, gomega.BeNil())
			})
			t.Judge("feed.merge", func(c *Check) { c.Eventually(func() string { panic("out of range") }, gomega.BeEmpty()) })
			t.Judge("feed.order", func(c *Check) {
				c.Eventually(func() int { return 1 }, Condition(func(string) Mismatch { return Mismatch{} }))
			})
		})
	})
	expectRule(t, report, "feed.status", result.Blocked, "answered 404")
	expectRule(t, report, "feed.empty", result.Fail, "418")
	expectRule(t, report, "feed.merge", result.Error, "a defect of the suite: out of range")
	expectRule(t, report, "feed.order", result.Error, "a condition on string is asked about int")
	if took := time.Since(start); took > config.Settle/2 {
		t.Errorf("that took %s", took)
	}
}

// Only the latest of many readings stays as evidence, also where it is the one
// that cannot be judged.
func TestTheLatestReadingStaysAsEvidence(t *testing.T) {
	f := newFake(t)
	config := f.config("feed.status", "feed.empty")
	config.Settle = 10 * time.Second
	report := judged(t, config, func(s *Suite) {
		s.Scenario("reads often", Covers(config.Selection.Rules...), func(t *T) {
			reader := t.Actor()
			var looks atomic.Int32
			read := func() int32 { t.Send(reader, rules.Feed).Done(); return looks.Add(1) }
			t.Judge("feed.status", func(c *Check) {
				c.Eventually(read, gomega.BeNumerically(">", 3))
				c.Fail("another", "this one")
			})
			t.Judge("feed.empty", func(c *Check) {
				c.Eventually(func() int32 {
					if looks.Load() > 6 {
						t.Send(reader, rules.GetUser, IDText("99")).Done()
					}
					return read()
				}, gomega.BeZero())
			})
		})
	})
	for rule, status := range map[string]int{"feed.status": 200, "feed.empty": 404} {
		check := ruleOf(t, report, rule).Checks[0]
		if len(check.Exchanges) != 1 || check.Exchanges[0].Response.Status != status {
			t.Errorf("%s: %s with %d exchanges", rule, check.Message, len(check.Exchanges))
		}
	}
}
