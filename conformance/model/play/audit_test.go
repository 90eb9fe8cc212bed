package play

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestAuditsOfUsersWhoLeft plays each audit where one of its users has left: a story may be drawn so,
// and what becomes of a user before an audit is no reason to blame anybody.
func TestAuditsOfUsersWhoLeft(t *testing.T) {
	const one, other = 0, 1
	for kind := range story.AuditVersions + 1 {
		for _, leaver := range []int{one, other} {
			for _, often := range []int{0, 1} {
				story := story.Story{Name: "audit of who left", Slots: 3, Ops: []story.Op{{Kind: story.Follow, Actor: one, Other: other}, {Kind: story.Post, Actor: other}, {Kind: story.DeleteUser, Actor: leaver}, {Kind: story.Audit, Actor: one, Other: other, WithRecords: often%2 != 0, Extent: kind}}}
				played, err := NewPlayer(newFake(dialect{}, ""), Options{Choices: dialect{}.choices(), Pause: noPause}).Play(t.Context(), story)
				if err != nil {
					t.Fatal(err)
				}
				for _, found := range played.Differences {
					t.Errorf("audit %d with C %d, user %d left: %s: expected %s, got %s", kind, often, leaver, found.Rule, found.Expected, found.Actual)
				}
			}
		}
	}
}

// flakyFeeds shows every third feed empty.
type flakyFeeds struct {
	*fake
	reads int
}

func (f *flakyFeeds) Do(ctx context.Context, r exchange.Request) (exchange.Response, error) {
	answer, err := f.fake.Do(ctx, r)
	if r.Endpoint == rules.Feed {
		if f.reads++; f.reads%3 == 0 {
			answer.Body, answer.Evidence = []any{}, "an empty feed"
		}
	}
	return answer, err
}

// TestBothReadsAreEvidence reads a feed repeatedly, which differs once: the difference has a read that was
// right beside the one that was not, and says so.
func TestBothReadsAreEvidence(t *testing.T) {
	s := story.Story{Slots: 2, Ops: []story.Op{{Kind: story.Post, Actor: 1}, {Kind: story.Follow, Actor: 0, Other: 1}, {Kind: story.Audit, Actor: 0, Other: 1, Extent: story.AuditRepeatedly}}}
	o, err := NewPlayer(&flakyFeeds{fake: newFake(dialect{}, "")}, Options{Pause: noPause}).Play(t.Context(), s)
	if err != nil || len(o.Differences) == 0 {
		t.Fatalf("nothing shows: %v", err)
	}
	evidence := o.Differences[0].Evidence
	if n := len(evidence); !o.Differences[0].Repeated || n < 2 || evidence[n-1] != "an empty feed" || evidence[n-2] != fmt.Sprintf("%d 200 ", rules.Feed) {
		t.Errorf("the evidence is %q", evidence)
	}
	if got := o.Differences[0].Actual; !strings.HasSuffix(got, ", after the same request was answered as expected") {
		t.Errorf("nothing says that the read before was right: %q", got)
	}
}
