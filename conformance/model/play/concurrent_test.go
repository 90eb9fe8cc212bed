package play

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/model/draw"
	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/model/world"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestWhatIsUndoneAtOnceStaysUndone sends a deletion first among concurrent operations: what
// the others create must be gone, if they are not refused.
func TestWhatIsUndoneAtOnceStaysUndone(t *testing.T) {
	story := story.Story{Name: "at once", Slots: 3, Plain: true, DeferChecks: true, Ops: append([]story.Op{{Kind: story.Follow, Actor: 1}, {Kind: story.Post, Actor: 0}},
		draw.AtOnce(story.Op{Kind: story.DeleteUser, Actor: 0}, story.Op{Kind: story.Post, Actor: 0}, story.Op{Kind: story.LogIn, Actor: 0}, story.Op{Kind: story.Follow, Actor: 2, Other: 0})...)}
	outcome, err := NewPlayer(newFake(dialect{}, ""), Options{Choices: dialect{}.choices(), Pause: noPause}).Play(t.Context(), story)
	if err != nil || len(outcome.Differences) > 0 {
		t.Errorf("a right target shows %v (%v)", outcome.Differences, err)
	}
}

// failing carries out deletions of events and answers them with 500.
type failing struct{ *fake }

func (f failing) Do(ctx context.Context, request exchange.Request) (exchange.Response, error) {
	answer, err := f.fake.Do(ctx, request)
	if request.Endpoint == rules.DeleteEvent {
		answer.Status = 500
	}
	return answer, err
}

// TestWhatFailsAtOnceMayHaveTakenEffect has two deletions of an event fail, whose event is gone
// all the same: that they fail is a rule of its own.
func TestWhatFailsAtOnceMayHaveTakenEffect(t *testing.T) {
	for _, late := range []bool{false, true} {
		story := story.Story{Name: "at once", Slots: 2, Plain: true, DeferChecks: late, Ops: append([]story.Op{{Kind: story.Follow, Actor: 1}, {Kind: story.Post, Actor: 0}},
			append(draw.AtOnce(story.Op{Kind: story.Remove, Actor: 0}, story.Op{Kind: story.Remove, Actor: 0}), story.Op{Kind: story.Audit, Actor: 1})...)}
		outcome, err := NewPlayer(failing{newFake(dialect{}, "")}, Options{Choices: dialect{}.choices(), Pause: noPause}).Play(t.Context(), story)
		if err != nil || len(outcome.Differences) > 0 {
			t.Errorf("late %v: it shows %v (%v)", late, outcome.Differences, err)
		}
	}
}

// reversing has the first of two updates of an event arrive after the second.
type reversing struct {
	*fake
	second chan struct{}
}

func (r *reversing) Do(ctx context.Context, request exchange.Request) (exchange.Response, error) {
	if fields, ok := request.Body.(value.Fields); ok && request.Endpoint == rules.UpdateEvent {
		if _, first := fields["location"]; first {
			<-r.second
		} else {
			defer close(r.second)
		}
	}
	return r.fake.Do(ctx, request)
}

// TestUpdatesThatNobodySaw changes an event twice at once, and nobody reads it until later:
// either change may have come last.
func TestUpdatesThatNobodySaw(t *testing.T) {
	ops := append([]story.Op{{Kind: story.Post, Actor: 1, Values: 1}}, draw.AtOnce(story.Op{Kind: story.Change, Actor: 1, Values: 2}, story.Op{Kind: story.Change, Actor: 1, Values: 3})...)
	story := story.Story{Name: "at once", Slots: 2, Compare: story.CompareEvery, Ops: append(ops, story.Op{Kind: story.Follow, Actor: 0, Other: 1}, story.Op{Kind: story.Audit})}
	for name, d := range map[string]dialect{"keeping": {}, "replacing": {clears: true}, "replacing, by the second": {clears: true, wholeSeconds: true}} {
		target := &reversing{fake: newFake(d, ""), second: make(chan struct{})}
		outcome, err := NewPlayer(target, Options{Choices: d.choices(), Pause: noPause}).Play(t.Context(), story)
		if err != nil || len(outcome.Differences) > 0 {
			t.Errorf("a right target, %s, shows %v (%v)", name, outcome.Differences, err)
		}
	}
}

// behind serves the next reading of a feed after two changes of an event as it was between them.
type behind struct {
	*fake
	mu      sync.Mutex
	changes int
	reader  string
	between exchange.Response
}

func (b *behind) Do(ctx context.Context, request exchange.Request) (exchange.Response, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if request.Endpoint == rules.Feed && b.changes == 2 {
		b.changes = 0
		return b.between, nil
	}
	answer, err := b.fake.Do(ctx, request)
	switch request.Endpoint {
	case rules.CreateConnection:
		b.reader = request.Session
	case rules.UpdateEvent:
		if b.changes++; b.changes == 1 {
			b.between, err = b.fake.Do(ctx, exchange.Request{Endpoint: rules.Feed, Session: b.reader})
		}
	}
	return answer, err
}

// TestAStaleFeedDoesNotSayWhichChangeWasLast changes an event twice at once on a target that was
// seen to lag, and reads a feed that is further behind than it was before.
func TestAStaleFeedDoesNotSayWhichChangeWasLast(t *testing.T) {
	for name, d := range map[string]dialect{"keeping": {}, "replacing": {clears: true}} {
		ops := append([]story.Op{{Kind: story.Follow, Actor: 0, Other: 1}, {Kind: story.Post, Actor: 1, Values: 1}}, draw.AtOnce(story.Op{Kind: story.Change, Actor: 1, Values: 2}, story.Op{Kind: story.Change, Actor: 1, Values: 3})...)
		story := story.Story{Name: "at once", Slots: 2, Ops: append(ops, story.Op{Kind: story.Audit, Extent: story.AuditFeeds})}
		options := Options{Choices: d.choices(), Pause: noPause, Lag: time.Millisecond}
		outcome, err := NewPlayer(&behind{fake: newFake(d, "")}, options).Play(t.Context(), story)
		if err != nil || len(outcome.Differences) > 0 {
			t.Errorf("a right target, %s, shows %v (%v)", name, outcome.Differences, err)
		}
	}
}

// TestOnlyUpdatesLeaveEventsOpen has two events created at once, in either order: each is as it
// was answered.
func TestOnlyUpdatesLeaveEventsOpen(t *testing.T) {
	posted := func(ids ...string) *world.State {
		st := &world.State{}
		for _, id := range ids {
			st.Posted(0, value.Fields{"verb": id}, value.Fields{"id": id, "verb": id})
		}
		return st
	}
	st := posted("a", "b")
	st.LeaveOpen(posted("b", "a"))
	for _, e := range st.Events {
		if len(e.Either) > 0 || len(e.Fields["verb"]) != 1 {
			t.Errorf("event %v may also be %v, or have a verb of %v", e.ID, e.Either, e.Fields["verb"])
		}
	}
}

// loggingInLast has the first login arrive after the first update of a user, though they are sent at once.
type loggingInLast struct {
	*fake
	updated chan struct{}
	logins  atomic.Int64
}

func (l *loggingInLast) Do(ctx context.Context, request exchange.Request) (exchange.Response, error) {
	switch request.Endpoint {
	case rules.Login:
		if l.logins.Add(1) == 1 {
			<-l.updated
		}
	case rules.UpdateMe:
		defer sync.OnceFunc(func() {
			select {
			case <-l.updated:
			default:
				close(l.updated)
			}
		})()
	}
	return l.fake.Do(ctx, request)
}

// TestASessionOpenedBesideAnUpdateTeachesNothing has updates end all sessions, which is not known, and a
// login arrive after the update beside it: that its session works does not say that updates keep any.
func TestASessionOpenedBesideAnUpdateTeachesNothing(t *testing.T) {
	for _, late := range []bool{false, true} {
		d := dialect{updateEnds: true}
		choices := d.choices()
		choices.UpdateKeeps = leeway.Unknown
		record := story.Op{Kind: story.Audit, Actor: 0, Extent: story.AuditOwnRecord}
		story := story.Story{Name: "at once", Slots: 2, Plain: true, DeferChecks: late, Ops: append(draw.AtOnce(story.Op{Kind: story.LogIn, Actor: 0, ByEmail: true}, story.Op{Kind: story.Edit, Actor: 0, Values: 1}),
			record, story.Op{Kind: story.LogIn, Actor: 0, ByEmail: true}, story.Op{Kind: story.Edit, Actor: 0, Values: 2}, record)}
		target := &loggingInLast{fake: newFake(d, ""), updated: make(chan struct{})}
		outcome, err := NewPlayer(target, Options{Choices: choices, Pause: noPause}).Play(t.Context(), story)
		if err != nil || len(outcome.Differences) > 0 {
			t.Errorf("late %v: a right target shows %v (%v)", late, outcome.Differences, err)
		}
	}
}

// TestConcurrentRequestsAreAimed sends the second of two requests while the target is at work on the
// first: nearly together, or after the share of its time that the story says.
func TestConcurrentRequestsAreAimed(t *testing.T) {
	for _, tc := range []struct {
		apart      int
		took, want time.Duration
	}{
		{0, 0, 200 * time.Microsecond},
		{0, 40 * time.Microsecond, 200 * time.Microsecond}, // less would change their order
		{0, 2 * time.Millisecond, 500 * time.Microsecond},
		{0, 80 * time.Millisecond, time.Millisecond},
		{3, 80 * time.Millisecond, 60 * time.Millisecond},
		{2, 40 * time.Microsecond, 200 * time.Microsecond},
		{3, time.Minute, 100 * time.Millisecond},
	} {
		var paused time.Duration
		p := NewPlayer(newFake(dialect{}, ""), Options{Pause: func(_ context.Context, d time.Duration) error {
			paused = d
			return nil
		}})
		through := p.newRun(story.Story{Slots: 2, Stagger: tc.apart})
		if tc.took > 0 {
			through.timed(rules.CreateEvent, tc.took+time.Second)
			through.timed(rules.CreateEvent, tc.took)
			through.timed(rules.CreateEvent, tc.took+time.Second)
		}
		through.sendAll(t.Context(), []*concurrentOp{{write: write{request: exchange.Request{Endpoint: rules.CreateEvent}}}, {write: write{request: exchange.Request{Endpoint: rules.Feed}}}})
		if paused != tc.want {
			t.Errorf("%d quarters of %s: %s, want %s", tc.apart, tc.took, paused, tc.want)
		}
	}
}
