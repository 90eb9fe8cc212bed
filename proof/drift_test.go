package proof_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/like"
)

// toldApart compares the report of every dialect with that of every other: the
// choices that changed are exactly the settings that differ, and nothing else did.
func toldApart(t *testing.T, dialects []refserver.Dialect, reports []*result.Report) {
	apart := 0
	for i, old := range dialects {
		for k, other := range dialects {
			d := result.Compare(reports[i], reports[k])
			want := differing(like.Answers(old.Choices), like.Answers(other.Choices))
			if got := drifted(t, d); !maps.Equal(got, want) {
				t.Errorf("from %s to %s the choices change: %v\nthe settings: %v", old.Name, other.Name, got, want)
			}
			if d.Empty() != (len(want) == 0 && len(d.Judged)+len(d.Unjudged) == 0) {
				t.Errorf("from %s to %s: empty is %t", old.Name, other.Name, d.Empty())
			}
			for _, change := range slices.Concat(d.Broken, d.Mended, d.Judged, d.Unjudged) {
				if change.Rule == "feed.purge.no-return" && old.Choices.ReserveUserNames != other.Choices.ReserveUserNames {
					continue // which nobody can judge where no name is used again
				}
				t.Errorf("from %s to %s: %s at %s turns from %q to %q: %s",
					old.Name, other.Name, change.Rule, change.Endpoint, change.Old, change.New, change.Message)
			}
			if len(want) > 0 {
				apart++
			}
		}
	}
	// A few differ only in what no choice asks about, such as how long a feed lags.
	if pairs := len(dialects) * (len(dialects) - 1); apart < pairs/2 {
		t.Errorf("of %d pairs of dialects %d differ in a choice: there is next to nothing to tell apart", pairs, apart)
	}
}

// differing are the rules whose answers differ, each with how.
func differing(old, now map[string]string) map[string]string {
	changes := map[string]string{}
	for rule, answer := range old {
		if now[rule] != answer {
			changes[rule] = turn(answer, now[rule])
		}
	}
	return changes
}

func turn(old, now string) string { return fmt.Sprintf("%s → %s", old, now) }

// drifted are the rules that a comparison lists, each with how it changed: in the
// same way wherever it is asked.
func drifted(t *testing.T, d *result.Diff) map[string]string {
	t.Helper()
	changes := map[string]string{}
	for _, c := range d.Drift {
		how := turn(c.Old, c.New)
		if known, listed := changes[c.Rule]; listed && known != how {
			t.Errorf("%s changes at %s otherwise than elsewhere: %s, and %s", c.Rule, c.Endpoint, how, known)
		}
		changes[c.Rule] = how
	}
	return changes
}
