package play

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/rules"
)

// lateRecords shows, for some time after each update of a user, the record of before.
type lateRecords struct {
	*fake
	behind  time.Duration
	shown   map[string]exchange.Response // by session, the latest record that was read in time
	updated time.Time
}

func (l *lateRecords) Do(ctx context.Context, r exchange.Request) (exchange.Response, error) {
	if was, there := l.shown[r.Session]; there && r.Endpoint == rules.GetMe && time.Since(l.updated) < l.behind {
		return was, nil
	}
	answer, err := l.fake.Do(ctx, r)
	switch r.Endpoint {
	case rules.GetMe:
		l.shown[r.Session] = answer
	case rules.UpdateMe:
		l.updated = time.Now()
	}
	return answer, err
}

// TestARecordThatIsLateIsNoFailure confirms what a record showed of before an update, on a target whose lag
// was not seen before: one that shows the update within the settle time keeps the contract.
func TestARecordThatIsLateIsNoFailure(t *testing.T) {
	const settle = time.Second
	late := story.Story{Name: "late", Slots: 1, Plain: true, Compare: story.CompareAfterEach, Ops: []story.Op{{Kind: story.LogIn}, {Kind: story.Edit, NewToken: true}}}
	for behind, broken := range map[time.Duration]bool{settle / 3: false, time.Hour: true} {
		synctest.Test(t, func(t *testing.T) {
			target := &lateRecords{fake: newFake(dialect{}, ""), shown: map[string]exchange.Response{}, behind: behind}
			p := NewPlayer(target, Options{Choices: dialect{}.choices(), Settle: settle, Pause: pauseFor})
			f := confirmed(t, p, late, func() {})
			if f.Stable != broken || (f.Late > 0) == broken {
				t.Errorf("a record %s behind: stable is %v, late by %s", behind, f.Stable, f.Late)
			}
		})
	}
}

// TestAKeptStoryAwaitsRecords plays a story as a kept one is, on a target whose lag was not seen before.
func TestAKeptStoryAwaitsRecords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		target := &lateRecords{fake: newFake(dialect{}, ""), shown: map[string]exchange.Response{}, behind: time.Second / 3}
		options := Options{Choices: dialect{}.choices(), Settle: time.Second, Pause: pauseFor, AwaitRecords: true}
		o, err := NewPlayer(target, options).Play(t.Context(), story.Story{Name: "late", Slots: 1, Plain: true, Compare: story.CompareAfterEach, Ops: []story.Op{{Kind: story.LogIn}, {Kind: story.Edit, NewToken: true}}})
		if err != nil || len(o.Differences) > 0 {
			t.Errorf("%v, %v", o.Differences, err)
		}
	})
}

func pauseFor(_ context.Context, d time.Duration) error {
	time.Sleep(d)
	return nil
}
