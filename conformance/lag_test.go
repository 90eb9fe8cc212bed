package conformance_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	. "github.com/socialfeed/conform/conformance"
)

// feedOf answers a feed's reader with as many events as a function says for the
// n-th look, from 1.
func feedOf(looks *atomic.Int32, events func(look int32) int) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/0.2/user/feed" {
			return false
		}
		list := make([]map[string]any, events(looks.Add(1)))
		for i := range list {
			list[i] = map[string]any{"id": i, "verb": "like"}
		}
		answer(w, 200, list)
		return true
	}
}

func feedIs(t *Trial, reader *Actor, want int) func() Problem {
	return func() Problem {
		if got := len(t.Send(reader, Feed).Records()); got != want {
			return Problem{Expected: "another feed", Actual: "this one"}
		}
		return Problem{}
	}
}

func TestWhatIsGoneMustStayGone(t *testing.T) {
	for name, tc := range map[string]struct {
		events func(look int32) int
		settle time.Duration
		status Status
		says   string
	}{
		"gone at once":        {func(int32) int { return 0 }, 10 * time.Second, Pass, ""},
		"gone after a while":  {func(look int32) int { return int(max(0, 3-look)) }, 10 * time.Second, Pass, ""},
		"never gone":          {func(int32) int { return 1 }, 60 * time.Millisecond, Fail, "this one, still after 60ms"},
		"back at second look": {func(look int32) int { return int(look - 1) }, 10 * time.Second, Fail, "this one, after it had been as expected before"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			var looks atomic.Int32
			f.instead = feedOf(&looks, tc.events)
			config := f.config("feed.unfollow", "versions.status")
			config.Settle = tc.settle
			report := judged(t, config, func(s *Suite) {
				s.Scenario("goes and stays", Judges("feed.unfollow"), func(t *Trial) {
					reader := t.Actor()
					t.Judge("feed.unfollow", func(c *Check) { c.EventuallyForGood(feedIs(t, reader, 0)) })
				})
				s.Scenario("stands beside it", Judges("versions.status"), func(t *Trial) {
					t.Judge("versions.status", func(*Check) {})
				})
			})
			expectRule(t, report, "feed.unfollow", tc.status, tc.says)
			expectRule(t, report, "versions.status", Pass, "")
			if f.left() != 0 {
				t.Errorf("%d users are left behind", f.left())
			}
		})
	}
}

// Second looks wait for the hold time, all together.
func TestSecondLooksWaitTogether(t *testing.T) {
	f := newFake(t)
	config := f.config("feed.unfollow", "feed.event-delete", "feed.purge.followers")
	config.Hold = 300 * time.Millisecond
	var looked [3]time.Duration
	start := time.Now()
	report := judged(t, config, func(s *Suite) {
		for i, rule := range config.Selection.Rules {
			s.Scenario(rule, Judges(rule), func(t *Trial) {
				t.Judge(rule, func(c *Check) {
					c.EventuallyForGood(func() Problem { looked[i] = time.Since(start); return Problem{} })
				})
			})
		}
	})
	if report.Verdict != Conformant {
		t.Errorf("the verdict is %s", report.Verdict)
	}
	for i, at := range looked {
		if at < config.Hold {
			t.Errorf("the second look of scenario %d was after %s", i, at)
		}
	}
}

func TestEventuallyWaitsForPresence(t *testing.T) {
	f := newFake(t)
	var looks atomic.Int32
	f.instead = feedOf(&looks, func(look int32) int { return int(look / 3) })
	config := f.config("feed.follow.new-events")
	config.Settle = 10 * time.Second
	report := judged(t, config, func(s *Suite) {
		s.Scenario("comes", Judges("feed.follow.new-events"), func(t *Trial) {
			reader := t.Actor()
			t.Judge("feed.follow.new-events", func(c *Check) { c.Eventually(feedIs(t, reader, 1)) })
		})
	})
	expectRule(t, report, "feed.follow.new-events", Pass, "")
	if looks.Load() != 3 {
		t.Errorf("%d looks, want 3", looks.Load())
	}
}

// What is awaited in vain blocks by the rule that stands for it, and is not
// waited for again.
func TestAwaitBlocks(t *testing.T) {
	f := newFake(t)
	config := f.config("feed.merge", "feed.order", "feed.status")
	config.Settle = 300 * time.Millisecond
	never := Problem{Expected: "another feed", Actual: "this one"}
	var looks [2]int
	report := judged(t, config, func(s *Suite) {
		for i, rule := range []string{"feed.merge", "feed.order"} {
			s.Scenario(rule, Judges(rule), func(t *Trial) {
				t.Send(t.Actor(), Feed)
				t.Await("feed.follow.new-events", func() Problem { looks[i]++; return never })
				t.Judge(rule, func(*Check) {})
			})
		}
		s.Scenario("a condition that holds", Judges("feed.status"), func(t *Trial) {
			t.Await("feed.follow.new-events", func() Problem { return Problem{} })
			t.Judge("feed.status", func(*Check) {})
		})
	})
	for _, rule := range []string{"feed.merge", "feed.order"} {
		check := expectRule(t, report, rule, Blocked, "needs another feed; got this one").Checks[0]
		if check.BlockedBy != "feed.follow.new-events" || len(check.Exchanges) != 1 || !strings.HasSuffix(check.Exchanges[0].Request.URL, "/feed") {
			t.Errorf("%s is blocked by %q on %d exchanges", rule, check.BlockedBy, len(check.Exchanges))
		}
	}
	expectRule(t, report, "feed.status", Pass, "")
	if min(looks[0], looks[1]) != 1 || max(looks[0], looks[1]) < 2 {
		t.Errorf("%v looks, want one to give up at once and one to wait", looks)
	}
}
