package conformance

import (
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/model"
)

// TestDrawnStoriesCountFromOne: a user has one number in the scenario, in what was expected and
// in the reproduction, which counts from 1.
func TestDrawnStoriesCountFromOne(t *testing.T) {
	f := model.Finding{Log: []string{"user 0 is created", "user 9 connects to users [0 12] by their social ids", "user 0 deletes event 0"}}
	const want = "drawn from seed 7: user 1 is created; user 10 connects to users [1 13] by their social ids; user 1 deletes event 1"
	if got := storyText(7, f); got != want {
		t.Errorf("%s", got)
	}
	f.Seemed = "feed.merge"
	const seemed = "drawn from seed 7, where the whole story seemed to break feed.merge: user 1 is created; "
	if got := storyText(7, f); !strings.HasPrefix(got, seemed) {
		t.Errorf("%s", got)
	}
}
