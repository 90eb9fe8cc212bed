package conformance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

// Probe is what Runner.Probe found out about a target, for choosing the settings of its runs.
type Probe struct {
	RoundTrip time.Duration // of one request, the median of several
	Lag       time.Duration // until a feed showed a new event
	Problem   string        // why the lag is not known, "" where it is
}

const (
	probeRequests = 9
	longestLag    = 30 * time.Second // of a feed that is worth waiting for
)

// Probe looks at the target: whether it can be judged at all, how fast it answers
// and how far its feeds lag. The users that it creates are deleted again. The
// errors are those of Run where there is nothing to judge.
func (r *Runner) Probe(ctx context.Context) (Probe, error) {
	run := newRun(r)
	defer run.wire.Close()
	if err := run.preflight(ctx); err != nil {
		return Probe{}, err
	}
	t := newT(ctx, run, &scenario{text: "probe"})
	defer run.cleanUp(ctx, t)
	var p Probe
	ended := outcomeOf(func() { p.measure(t) })
	switch {
	case ctx.Err() != nil:
		return Probe{}, fmt.Errorf("probing the target: %w", ctx.Err())
	case ended != nil && p.RoundTrip == 0:
		return Probe{}, errors.New("probing the target: " + run.redactor.Text(ended.text()))
	case ended != nil:
		p.Problem = run.redactor.Text(ended.text())
	}
	return p, nil
}

// measure measures; it stops where the target does not do what that takes.
func (p *Probe) measure(t *T) {
	reader, author := t.Actor(), t.Actor()
	if t.HasSecondApp() {
		t.ActorElsewhere()
	}
	var took []time.Duration
	for range probeRequests {
		took = append(took, t.Send(reader, rules.GetMe).exchange.Took)
	}
	slices.Sort(took)
	p.RoundTrip = took[len(took)/2]

	reader.Follow(author)
	event := author.Post(nil)
	posted := time.Now()
	read := func() []Record { return t.Send(reader, rules.Feed).Records() }
	m := t.eventually(longestLag, time.Now(), read, Condition(func(shown []Record) Mismatch {
		if slices.ContainsFunc(shown, func(r Record) bool { return r.ID() == event.ID() }) {
			return Mismatch{}
		}
		return Mismatch{Expected: "the new event in the feed of a follower", Actual: "none after " + longestLag.String()}
	}))
	if m != (Mismatch{}) {
		t.Blocked("feed.follow.new-events", "%s", m)
	}
	p.Lag = time.Since(posted)
}
