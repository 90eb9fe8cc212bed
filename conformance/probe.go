package conformance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Probe is what a first look at a target found, for choosing the settings of its runs.
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
func (j *Judge) Probe(ctx context.Context) (Probe, error) {
	r, _, err := prepare(j.config, j.pacer.permit, j.register)
	if err != nil {
		return Probe{}, err
	}
	defer r.wire.close()
	if err := r.preflight(ctx); err != nil {
		return Probe{}, err
	}
	t, err := newTrial(ctx, r, &scenario{text: "probe"})
	if err != nil {
		return Probe{}, err
	}
	defer r.cleanUp(ctx, t)
	var p Probe
	ended := func() (ended *stop) {
		defer func() { ended = catch(recover()) }()
		p.look(t)
		return nil
	}()
	switch {
	case ctx.Err() != nil:
		return Probe{}, fmt.Errorf("probing the target: %w", ctx.Err())
	case ended != nil && p.RoundTrip == 0:
		return Probe{}, errors.New("probing the target: " + r.redactor.text(ended.text()))
	case ended != nil:
		p.Problem = r.redactor.text(ended.text())
	}
	return p, nil
}

// look measures; it stops where the target does not do what that takes.
func (p *Probe) look(t *Trial) {
	reader, author := t.Actor(), t.Actor()
	if t.HasSecondApp() {
		t.ActorElsewhere()
	}
	var took []time.Duration
	for range probeRequests {
		t.Send(reader, GetMe)
		took = append(took, t.last.took)
	}
	slices.Sort(took)
	p.RoundTrip = took[len(took)/2]

	reader.Follow(author)
	event := author.Post(nil)
	posted := time.Now()
	problem := t.poll(longestLag, func() Problem {
		shown := slices.ContainsFunc(t.Send(reader, Feed).Records(), func(r Record) bool { return r.ID() == event.ID() })
		if shown {
			return Problem{}
		}
		return Problem{Expected: "the new event in the feed of a follower", Actual: "none after " + longestLag.String()}
	})
	if problem != (Problem{}) {
		t.Blocked("feed.follow.new-events", "expected %s; got %s", problem.Expected, problem.Actual)
	}
	p.Lag = time.Since(posted)
}
