package conformance

import (
	"context"
	"sync"
	"testing"

	"github.com/socialfeed/conform/conformance/model"
	"github.com/socialfeed/conform/conformance/rules"
)

// drawingOf is the drawn stories of a run without scenarios, on a target that is not there.
func drawingOf(t *testing.T, config Config) *drawing {
	t.Helper()
	config.Target = Target{BaseURL: "https://127.0.0.1:1", AppToken: "app-token"}
	j, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	return &drawing{run: newRun(j), coverage: model.Coverage{}, known: map[rules.Place]bool{}}
}

// TestFindingsOfStoriesStopAtFailures has drawn stories find as many failures as may be.
func TestFindingsOfStoriesStopAtFailures(t *testing.T) {
	const most = 2
	d := drawingOf(t, Config{MaxFailures: most})
	story := newT(t.Context(), d.run, &scenario{text: "a story"})
	for i, rule := range []string{"feed.empty", "feed.merge", "feed.status"} {
		if ended := d.ended(t.Context()) != nil; ended != (i >= most) {
			t.Errorf("ended after %d failures: %v", i, ended)
		}
		d.conclude(story, rules.Place{Rule: rule, At: rules.Feed}, model.Finding{Stable: true, Difference: model.Difference{Rule: rule, At: rules.Feed}})
	}
}

// TestProgressOfStoriesIsNoRace tells the progress of one story while another one fails.
func TestProgressOfStoriesIsNoRace(t *testing.T) {
	d := drawingOf(t, Config{Progress: func(Progress) {}})
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // nothing is sent
	story := newT(ctx, d.run, &scenario{text: "a story"})
	var group sync.WaitGroup
	group.Go(func() { d.playJob(ctx, job{story: model.Story{Slots: 1}}) })
	group.Go(func() {
		d.conclude(story, rules.Place{Rule: "feed.status", At: rules.Feed}, model.Finding{Stable: true, Difference: model.Difference{Rule: "feed.status", At: rules.Feed}})
	})
	group.Wait()
}
