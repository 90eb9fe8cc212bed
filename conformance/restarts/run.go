package restarts

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Config says what is judged, and for how long.
type Config struct {
	Target  Target
	Process Process
	Seed    int64
	// Budget is for how long stories are drawn. Those of the common interruptions are played in any case, and one
	// that showed something is played again after it.
	Budget time.Duration
	// AtFirst ends the run at the first finding, which is not shortened.
	AtFirst bool
	// Running has stories that neither wait for a restart nor make one, whatever they find.
	Running bool
}

// Outcome is what a run found.
type Outcome struct {
	Findings []*Finding // one for a rule
	Stories  int
	Restarts int
	Requests map[string]int // by method
	Ignored  []string       // views that were left out, since they are wrong without a restart too
	Notes    []string
	// BlockedBy is the rule of an operation that the target does not carry out without a restart either,
	// "" for none.
	BlockedBy string

	survived []survival
	ignored  map[view]bool
}

const (
	replays      = 4 // of a story that showed something, until it shows it again
	shrinkings   = 60
	shrinkFor    = 20 * time.Second
	shrinkSettle = 200 * time.Millisecond

	// settled is how old what was written must be to be none of the latest writes.
	settled = time.Second
)

// runner plays stories.
type runner struct {
	config  Config
	out     Outcome
	numeric bool
	early   *user // who was there before the story; nil until there is one
	forgets bool  // the target was seen to keep nothing
	broken  bool  // the target may be since the latest play
	lag     time.Duration
}

func newRunner(c Config) *runner {
	return &runner{config: c, out: Outcome{ignored: map[view]bool{}, Requests: map[string]int{}}}
}

// Run plays stories on a target that may run already, until the budget is used up. The error is why
// it ended before.
func Run(ctx context.Context, c Config) (Outcome, error) {
	r := newRunner(c)
	until := time.Now().Add(c.Budget)
	if err := r.learnViews(ctx); err != nil {
		var refused refusedError
		if errors.As(err, &refused) {
			r.out.BlockedBy = refused.kind.rule()
			return r.out, nil
		}
		return r.out, err
	}
	var failed error
	draw(uint64(c.Seed), func(s Story) bool {
		failed = r.try(ctx, s)
		enough := r.out.Stories >= len(common()) && time.Now().After(until) || r.config.AtFirst && len(r.out.Findings) > 0
		return failed == nil && ctx.Err() == nil && !enough
	})
	return r.out, errors.Join(ctx.Err(), failed)
}

// play plays a story by users of its own.
func (r *runner) play(ctx context.Context, s Story, settle time.Duration) (*player, error) {
	t := r.config.Target
	t.Settle = settle
	p := newPlayer(t, r.config.Process)
	p.ignored, p.numericIDs, p.lag = r.out.ignored, r.numeric, r.lag
	p.calm = !slices.ContainsFunc(s.Steps, func(step Step) bool { return step.Interrupt != nil })
	p.restarted = r.out.Restarts > 0
	if r.broken && !r.config.Running { // it may be better when it is started again
		r.broken = false
		if err := r.config.Process.End(ctx, Kill); err != nil {
			return p, err
		}
		t.Client.CloseIdleConnections()
	}
	if err := r.config.Process.Start(ctx); err != nil {
		return p, fmt.Errorf("starting the target: %w", err)
	}
	if err := r.before(ctx, p); err != nil {
		return p, err
	}
	err := p.play(ctx, s)
	if n := len(p.survived); n > 0 {
		last := p.survived[n-1]
		if !last.session {
			r.early.token = ""
		}
		if !last.early {
			r.early, r.forgets = nil, true
		}
	}
	r.numeric, r.lag = p.numericIDs, max(r.lag, p.lag)
	for method, n := range p.sent {
		r.out.Requests[method] += n
	}
	r.out.Restarts += p.starts
	if p.found != nil {
		r.broken = true
		p.found.Story, p.found.Timeline = s, p.timeline()
		p.found.recording = p.recording(s)
	} else {
		p.cleanUp(ctx)
	}
	return p, err
}

// before sees that there is a user who was there before the story.
func (r *runner) before(ctx context.Context, p *player) error {
	if r.early == nil {
		u := &user{name: p.run + "early", password: "hashed-" + p.run}
		a := p.call(ctx, createUser(u, "early"))
		if !a.ok() {
			return refusedError{Create, a, 0}
		}
		u.token = a.field("session_token")
		if r.early = u; !r.forgets && !r.config.Running {
			pause(ctx, settled)
		}
	}
	if r.early.token == "" {
		if a := p.call(ctx, logInAs(r.early)); a.ok() {
			r.early.token = a.field("session_token")
		}
	}
	p.early = r.early
	return nil
}

// learnViews plays one of each operation without a restart. A view that shows something else than
// it should is left out from then on.
func (r *runner) learnViews(ctx context.Context) error {
	var s Story
	for _, kind := range []Kind{Post, Post, Edit, Update, Unfollow, Login, Logout, Remove, Delete, Create, Post} {
		s.Steps = append(s.Steps, Step{Do: kind, Slot: 0, Other: 1})
	}
	for range 3 { // a view may be wrong only where another is right
		p, err := r.play(ctx, s, r.config.Target.Settle)
		if err != nil {
			return err
		}
		if p.found == nil {
			return nil
		}
		if len(p.found.wrong) == 0 {
			return fmt.Errorf("what is there cannot be read without a restart either: %s", p.found.Actual)
		}
		for _, m := range p.found.wrong {
			r.out.ignored[m.fact.view] = true
		}
		r.out.Ignored = nil
		for _, v := range slices.Sorted(maps.Keys(r.out.ignored)) {
			r.out.Ignored = append(r.out.Ignored, string(v))
		}
	}
	return errors.New("what is there is shown otherwise than it should be without a restart, too")
}

// try plays a story, and again where it shows something that is not known yet.
func (r *runner) try(ctx context.Context, s Story) error {
	p, err := r.play(ctx, s, r.config.Target.Settle)
	if err != nil {
		return err
	}
	r.out.Stories++
	r.out.survived = append(r.out.survived, p.survived...)
	if p.found == nil || slices.ContainsFunc(r.out.Findings, func(f *Finding) bool { return f.Rule == p.found.Rule }) {
		return nil
	}
	again, why, err := r.confirm(ctx, p.found)
	if again == nil {
		r.out.Notes = append(r.out.Notes, fmt.Sprintf("a story with a restart showed once that %s may be broken, %s: %s", p.found.Rule, why, p.found.Actual))
		return err
	}
	if !r.config.AtFirst {
		again = r.shrink(ctx, again)
	}
	r.out.Findings = append(r.out.Findings, again)
	return err
}

// confirm plays a story without its interruptions, which must show nothing, and then as it is until
// it shows the same again. Otherwise it says why not.
func (r *runner) confirm(ctx context.Context, f *Finding) (*Finding, string, error) {
	calm, err := r.play(ctx, f.Story.uninterrupted(), r.config.Target.Settle)
	if err == nil && calm.found != nil && calm.found.Rule == Serves && f.Rule == Serves { // from the restart on it is so
		return f, "", nil
	}
	if err != nil || calm.found != nil {
		return nil, "and so did the same without a restart", ctx.Err()
	}
	for range replays {
		p, err := r.play(ctx, f.Story, r.config.Target.Settle)
		if ctx.Err() != nil || err != nil && p.found == nil {
			return nil, "and could not be played again", err
		}
		if p.found != nil && p.found.Rule == f.Rule {
			return p.found, "", nil
		}
	}
	return nil, fmt.Sprintf("and not in %d others", replays), nil
}

// shrink leaves out what the finding does not need.
func (r *runner) shrink(ctx context.Context, f *Finding) *Finding {
	shortest, until, plays := f, time.Now().Add(shrinkFor), 0
	for again := true; again; {
		again = false
		shortest.Story.smaller(func(s Story) bool {
			if plays++; plays > shrinkings || time.Now().After(until) || ctx.Err() != nil {
				return false
			}
			p, err := r.play(ctx, s, min(shrinkSettle, r.config.Target.Settle))
			if again = err == nil && p.found != nil && p.found.Rule == f.Rule; again {
				shortest = p.found
			}
			return !again
		})
	}
	if shortest == f {
		return f
	}
	p, err := r.play(ctx, shortest.Story, r.config.Target.Settle)
	if err != nil || p.found == nil || p.found.Rule != f.Rule { // it needs more time, or luck
		return f
	}
	return p.found
}
