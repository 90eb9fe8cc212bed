package conformance_test

import (
	"sync/atomic"
	"testing"
	"time"

	. "github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestOneLookServesSeveralRules counts the looks that conditions take: one for all that hold for
// its answer, until the scenario writes, and a new one where an answer will not do.
func TestOneLookServesSeveralRules(t *testing.T) {
	grows := func(look int32) int { return int(look) } // each look shows one event more
	for name, tc := range map[string]struct {
		play  func(t *T, reader *Actor)
		looks int32
	}{
		"the same look": {func(t *T, reader *Actor) {
			t.Judge("feed.unfollow", func(c *Check) {
				c.Eventually(readFeed(t, reader), ofLength(1))
				c.Eventually(readFeed(t, reader), ofLength(1))
			})
		}, 1},
		"another condition": {func(t *T, reader *Actor) {
			t.Judge("feed.unfollow", func(c *Check) {
				c.Eventually(readFeed(t, reader), ofLength(1))
				c.Eventually(readFeed(t, reader), ofLength(2))
			})
		}, 2},
		"after a write": {func(t *T, reader *Actor) {
			t.Judge("feed.unfollow", func(c *Check) {
				c.Eventually(readFeed(t, reader), ofLength(1))
				t.Actor()
				c.Eventually(readFeed(t, reader), ofLength(2))
			})
		}, 2},
		"what is sent by itself": {func(t *T, reader *Actor) {
			t.Judge("feed.unfollow", func(c *Check) {
				c.Eventually(readFeed(t, reader), ofLength(1))
				c.Status(t.Send(reader, rules.Feed), OneOf(200))
			})
		}, 2},
		"after a reading that ended the check": {func(t *T, reader *Actor) {
			t.Judge("feed.unfollow", func(c *Check) {
				c.Eventually(readFeed(t, reader), ofLength(1))
				c.Eventually(func() []Record { t.Skip("not this one"); return nil }, ofLength(1))
			})
			t.Judge("feed.order", func(c *Check) { c.Status(t.Send(reader, rules.Feed), OneOf(200)) })
		}, 2},
		"by another header": {func(t *T, reader *Actor) {
			t.Judge("feed.unfollow", func(c *Check) {
				c.Eventually(readFeed(t, reader), ofLength(1))
				read := func() []Record { return t.Send(reader, rules.Feed, Header("Accept", "*/*")).Records() }
				c.Eventually(read, ofLength(2))
			})
		}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			var looks atomic.Int32
			f.instead = feedOf(&looks, grows)
			config := f.config("feed.unfollow", "feed.order")
			config.Settle = 10 * time.Second
			report := judged(t, config, func(s *Suite) {
				s.Scenario("looks", Covers("feed.unfollow", "feed.order"), func(t *T) {
					tc.play(t, t.Actor())
					t.Judge("feed.order", func(*Check) {})
				})
			})
			expectRule(t, report, "feed.order", result.Pass, "")
			if rule := ruleOf(t, report, "feed.unfollow"); rule.Status != result.Pass && rule.Status != result.Skipped {
				t.Errorf("feed.unfollow is %s", rule.Status)
			}
			if got := looks.Load(); got != tc.looks {
				t.Errorf("%d looks, want %d", got, tc.looks)
			}
		})
	}
}
