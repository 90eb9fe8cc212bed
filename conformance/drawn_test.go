package conformance

import (
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
