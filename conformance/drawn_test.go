package conformance

import (
	"cmp"
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/accounts"
	"github.com/socialfeed/conform/conformance/explore"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/play"
	"github.com/socialfeed/conform/conformance/model/reuse"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// drawingOf is the drawn stories of a run without scenarios, on a target that is not there.
func drawingOf(t *testing.T, config Config) *drawing {
	t.Helper()
	config.Target.BaseURL, config.Target.AppToken = cmp.Or(config.Target.BaseURL, "https://127.0.0.1:1"), "app-token"
	j, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	return &drawing{run: newRun(j), coverage: play.Coverage{}, known: map[rules.Place]bool{}, most: plainMost}
}

// TestFindingsOfStoriesStopAtFailures has drawn stories find as many failures as may be.
func TestFindingsOfStoriesStopAtFailures(t *testing.T) {
	const most = 2
	d := drawingOf(t, Config{MaxFailures: most})
	story := newT(t.Context(), d.run, &scenario{text: "a story"})
	for i, rule := range []string{"feed.empty", "feed.merge", "feed.status"} {
		if ended := d.run.ended(t.Context()) != nil; ended != (i >= most) {
			t.Errorf("ended after %d failures: %v", i, ended)
		}
		d.judgeFinding(story, rules.Place{Rule: rule, At: rules.Feed}, play.Finding{Stable: true, Difference: blame.Difference{Rule: rule, At: rules.Feed}})
	}
}

// TestDeepRunsSayHowFarTheyAre tells of the stories of a deep run, and of those of a plain one nothing.
func TestDeepRunsSayHowFarTheyAre(t *testing.T) {
	for _, deep := range []time.Duration{0, time.Hour} {
		d := drawingOf(t, Config{Deep: deep})
		d.until = time.Now().Add(deep)
		d.coverage["an operation"], d.drawn.Stories = 7, 3
		told := d.progress("a story")
		if counted := told.Stories == 3 && told.Covered == 1 && told.Left > deep/2 && told.Left <= deep; counted != (deep > 0) {
			t.Errorf("deep %s: %+v", deep, told)
		}
		d.until = time.Now().Add(-time.Second)
		if over := d.progress("a story"); over.Left < 0 {
			t.Errorf("%s are left", over.Left)
		}
	}
}

// TestADifferenceThatIsNotPlayedAgainIsNotPassed ends a run while a difference is looked into.
func TestADifferenceThatIsNotPlayedAgainIsNotPassed(t *testing.T) {
	d := drawingOf(t, Config{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	shown := blame.Difference{Rule: "feed.merge", At: rules.Feed, Expected: "an event of user 0", Actual: "none"}
	drawn := story.Story{Slots: 1, Ops: []story.Op{{Kind: story.Post}}}
	if err := d.confirmDifference(ctx, newT(ctx, d.run, &scenario{text: "a story"}), explore.Job{Story: drawn}, shown); err == nil {
		t.Fatal("a story was played again in a run that had ended")
	}
	played := d.run.plays.counted
	if len(played) != 1 || played[0].checks[0].status != result.Error {
		t.Fatalf("%d stories have checks, want one that could not be judged", len(played))
	}
	if said := played[0].checks[0].message; !strings.Contains(said, "an event of user 1") {
		t.Errorf("it counts from 0: %s", said)
	}
	if kept, err := story.ParseCorpusEntry(played[0].checks[0].story); err != nil || !slices.Equal(kept.Story.Ops, drawn.Ops) {
		t.Errorf("what a later run is to play first is %v: %v", kept, err)
	}
}

// TestProgressOfStoriesIsNoRace tells the progress of one story while another one fails.
func TestProgressOfStoriesIsNoRace(t *testing.T) {
	d := drawingOf(t, Config{Progress: func(Progress) {}})
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // nothing is sent
	told := newT(ctx, d.run, &scenario{text: "a story"})
	var group sync.WaitGroup
	group.Go(func() { d.playAndConfirm(ctx, explore.Job{Story: story.Story{Slots: 1}}) })
	group.Go(func() {
		d.judgeFinding(told, rules.Place{Rule: "feed.status", At: rules.Feed}, play.Finding{Stable: true, Difference: blame.Difference{Rule: "feed.status", At: rules.Feed}})
	})
	group.Wait()
}

// TestProbedLimitsLeaveStoriesTheirBudget has a scenario use up a limit and rest: what stories
// may send is what they may where none did.
func TestProbedLimitsLeaveStoriesTheirBudget(t *testing.T) {
	const requests = 5
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer server.Close()
	d := drawingOf(t, Config{Target: Target{BaseURL: server.URL, AllowHTTP: true}})
	scenario := newT(t.Context(), d.run, &scenario{text: "a scenario"})
	read := func() {
		for range requests {
			scenario.Send(Anonymous{}, rules.Versions)
		}
	}
	whole := d.budget()
	scenario.Unpaced(read)
	if left := d.budget(); left != whole || d.run.sent().Reads != requests {
		t.Errorf("%d reads that probed a limit leave %+v of %+v", d.run.sent().Reads, left, whole)
	}
	read()
	if left := d.budget(); left != whole.Minus(story.Cost{Reads: requests}) {
		t.Errorf("%d reads leave %+v of %+v", requests, left, whole)
	}
}

// TestPaceIsFoundInTime asks a target that answers slowly whether it limits requests: neither
// the time of the drawn stories is spent on that, nor is it said to serve what was not sent.
func TestPaceIsFoundInTime(t *testing.T) {
	const limit, took = 50, 5 * time.Millisecond
	for name, test := range map[string]struct {
		left   time.Duration
		lifted bool
	}{"time enough": {time.Minute, true}, "less than it takes": {limit * took / 5, false}} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { time.Sleep(took) }))
			defer server.Close()
			d := drawingOf(t, Config{Target: Target{BaseURL: server.URL, AllowHTTP: true}, RateLimitOf: limit, Deep: time.Minute})
			d.until = time.Now().Add(test.left)
			created := &wire.Exchange{Method: http.MethodPost, URL: d.run.url(rules.CreateUser.Path())}
			d.run.reusable.all = []reusableUser{{User: reuse.User{App: "app-token", Session: "session"}, account: &accounts.Account{}, created: created}}
			d.findPace(t.Context())
			if lifted := len(d.run.notes) > 0; lifted != test.lifted {
				t.Errorf("the pace is lifted: %v, want %v", lifted, test.lifted)
			}
		})
	}
}
