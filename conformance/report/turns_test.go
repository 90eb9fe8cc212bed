package report

import (
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/report/screen"
	"github.com/socialfeed/conform/conformance/result"
)

// What was blocked until now did not break just now.
func TestTurnsTellWhatIsNewlyJudged(t *testing.T) {
	var b strings.Builder
	if err := screen.Turns(&b, []result.Turn{
		{Rule: "feed.order", Was: result.Blocked, Is: result.Fail, Message: "late"},
		{Rule: "feed.empty", Was: result.Pass, Is: result.Fail, Message: "full"},
		{Rule: "feed.status", Was: result.Fail, Is: result.Blocked},
		{Rule: "feed.limit", Was: result.Blocked, Is: result.Pass},
	}, nil, screen.Layout{}); err != nil {
		t.Fatal(err)
	}
	want := "  ✓ green feed.limit\n  ✗ red feed.empty: full\n  ✗ newly judged, red feed.order: late\n  – not judged feed.status\n"
	if got := b.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
