package explore

import (
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/model/play"
)

// TestDrawnStoriesCountFromOne: a user has one number in the scenario, in what was expected and
// in the reproduction, which counts from 1.
func TestDrawnStoriesCountFromOne(t *testing.T) {
	f := play.Finding{Log: []string{"user 0 is created", "user 9 connects to users [0 12] by their social ids", "user 0 deletes event 0"}}
	const want = "drawn from seed 7: user 1 is created; user 10 connects to users [1 13] by their social ids; user 1 deletes event 1"
	if got := StoryText("drawn from seed 7", f); got != want {
		t.Errorf("%s", got)
	}
	long := play.Finding{Log: append(slices.Repeat([]string{"user 0 posts event 0"}, 100), "user 1 lists its followers")}
	if got := StoryText("drawn from seed 7", long); len(got) > 900 || !strings.HasPrefix(got, "drawn from seed 7: … ") || !strings.HasSuffix(got, "; user 2 lists its followers") {
		t.Errorf("%s", got)
	}
	f.Seemed, f.Unfinished = "feed.merge", true
	const seemed = "drawn from the corpus, not shortened further for lack of time, where the whole story seemed to break feed.merge: user 1 is created; "
	if got := StoryText("drawn from the corpus", f); !strings.HasPrefix(got, seemed) {
		t.Errorf("%s", got)
	}
}
