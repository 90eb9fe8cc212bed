package conformance_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/onsi/gomega"
	"github.com/onsi/gomega/types"
	. "github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
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

func readFeed(t *T, reader *Actor) func() []Record {
	return func() []Record { return t.Send(reader, rules.Feed).Records() }
}

// ofLength asks for a feed of so many events.
func ofLength(want int) types.GomegaMatcher {
	return Condition(func(feed []Record) Mismatch {
		if len(feed) == want {
			return Mismatch{}
		}
		return Mismatch{Expected: "another feed", Actual: "this one"}
	})
}

func TestWhatIsGoneMustStayGone(t *testing.T) {
	for name, tc := range map[string]struct {
		events func(look int32) int
		settle time.Duration
		status result.Status
		says   string
	}{
		"gone at once":        {func(int32) int { return 0 }, 10 * time.Second, result.Pass, ""},
		"gone after a while":  {func(look int32) int { return int(max(0, 3-look)) }, 10 * time.Second, result.Pass, ""},
		"never gone":          {func(int32) int { return 1 }, 60 * time.Millisecond, result.Fail, "this one, still after 60ms"},
		"back at second look": {func(look int32) int { return int(look - 1) }, 10 * time.Second, result.Fail, "this one, though an earlier read was as expected"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			var looks atomic.Int32
			f.instead = feedOf(&looks, tc.events)
			config := f.config("feed.unfollow", "versions.status")
			config.Settle = tc.settle
			report := judged(t, config, func(s *Suite) {
				s.ScenarioWithRecheck("goes and stays", Covers("feed.unfollow"), func(t *T) {
					reader := t.Actor()
					t.Judge("feed.unfollow", func(c *Check) { c.EventuallyStays(readFeed(t, reader), ofLength(0)) })
				})
				s.Scenario("stands beside it", Covers("versions.status"), func(t *T) {
					t.Judge("versions.status", func(*Check) {})
				})
			})
			expectRule(t, report, "feed.unfollow", tc.status, tc.says)
			expectRule(t, report, "versions.status", result.Pass, "")
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
			s.ScenarioWithRecheck(rule, Covers(rule), func(t *T) {
				t.Judge(rule, func(c *Check) {
					c.EventuallyStays(func() time.Duration { looked[i] = time.Since(start); return looked[i] }, gomega.BeNumerically(">", 0))
				})
			})
		}
	})
	if report.Verdict != result.Conformant {
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
		s.Scenario("comes", Covers("feed.follow.new-events"), func(t *T) {
			reader := t.Actor()
			t.Judge("feed.follow.new-events", func(c *Check) { c.Eventually(readFeed(t, reader), ofLength(1)) })
		})
	})
	expectRule(t, report, "feed.follow.new-events", result.Pass, "")
	if looks.Load() != 3 {
		t.Errorf("%d looks, want 3", looks.Load())
	}
}

// What is awaited in vain blocks by the rule that stands for it, and is not
// waited for again.
func TestAwaitBlocks(t *testing.T) {
	f := newFake(t)
	config := oneByOne(f.config("feed.merge", "feed.order", "feed.status"))
	config.Settle = 300 * time.Millisecond
	var looks [2]int
	report := judged(t, config, func(s *Suite) {
		for i, rule := range []string{"feed.merge", "feed.order"} {
			s.Scenario(rule, Covers(rule), func(t *T) {
				t.Send(t.Actor(), rules.Feed)
				t.Require("feed.follow.new-events", func() []Record { looks[i]++; return nil }, ofLength(1))
				t.Judge(rule, func(*Check) {})
			})
		}
		s.Scenario("a condition that holds", Covers("feed.status"), func(t *T) {
			t.Require("feed.follow.new-events", func() []Record { return nil }, ofLength(0))
			t.Judge("feed.status", func(*Check) {})
		})
	})
	for _, rule := range []string{"feed.merge", "feed.order"} {
		check := expectRule(t, report, rule, result.Blocked, "needs another feed; got this one").Checks[0]
		if check.BlockedBy != "feed.follow.new-events" || len(check.Exchanges) != 1 || !strings.HasSuffix(check.Exchanges[0].Request.URL, "/feed") {
			t.Errorf("%s is blocked by %q on %d exchanges", rule, check.BlockedBy, len(check.Exchanges))
		}
	}
	expectRule(t, report, "feed.status", result.Pass, "")
	if min(looks[0], looks[1]) != 1 || max(looks[0], looks[1]) < 2 {
		t.Errorf("%v looks, want one to give up at once and one to wait", looks)
	}
}

// TestATargetThatLagsIsAskedLate has a feed show what was posted a while later: once that is
// known, the feed is not read over and over after each post.
func TestATargetThatLagsIsAskedLate(t *testing.T) {
	const lag = 100 * time.Millisecond
	f := newFake(t)
	var looks, posted atomic.Int32
	var latest atomic.Pointer[time.Time]
	feed := feedOf(&looks, func(int32) int {
		n := int(posted.Load())
		if time.Since(*latest.Load()) < lag {
			n--
		}
		return n
	})
	f.instead = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPost && r.URL.Path == "/0.2/user/events" {
			now := time.Now()
			latest.Store(&now)
			answer(w, 201, map[string]any{"id": posted.Add(1), "verb": "like"})
			return true
		}
		return feed(w, r)
	}
	var first, second int32
	config := f.config("feed.follow.new-events")
	config.Settle = 10 * time.Second
	report := judged(t, config, func(s *Suite) {
		s.Scenario("posts twice", Covers("feed.follow.new-events"), func(t *T) {
			reader := t.Actor()
			t.Judge("feed.follow.new-events", func(c *Check) {
				t.Send(reader, rules.CreateEvent, JSON(Fields{"verb": "like"})).Done()
				c.Eventually(readFeed(t, reader), ofLength(1))
				first = looks.Load()
				t.Send(reader, rules.CreateEvent, JSON(Fields{"verb": "like"})).Done()
				c.Eventually(readFeed(t, reader), ofLength(2))
				second = looks.Load() - first
			})
		})
	})
	expectRule(t, report, "feed.follow.new-events", result.Pass, "")
	if first < 2 || second < 1 || second > 2 {
		t.Errorf("the feed was read %d times after the first post, and %d times after the second", first, second)
	}
}
