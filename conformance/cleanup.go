package conformance

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/socialfeed/conform/conformance/accounts"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/result"
)

// Bounds of the clean-up of a run.
const (
	cleanUpGrace       = 90 * time.Second // where the run itself has no end
	interruptedCleanUp = 20 * time.Second // where a person waits for it
	overrun            = 500 * time.Millisecond
	cleanUpRounds      = 3 // after the scenarios' own, as long as answers are missing
)

// cleanUpShare is the part of a run's time that is left to its clean-up.
func cleanUpShare(timeout time.Duration) time.Duration {
	const tenth, most = 10, 10 * time.Second
	return min(timeout/tenth, most)
}

// cleanUp deletes what a scenario created, also after an interrupt, within bounds.
func (r *run) cleanUp(ctx context.Context, t *T) {
	if r.unreachable() {
		t.uncleaned = true
		return
	}
	ctx, cancel := context.WithDeadlineCause(context.WithoutCancel(ctx), r.cleanUps.deadline(ctx), r.timeUp())
	defer cancel()
	t.cleanUp(ctx)
}

// cleanUpAgain deletes, at a run's end, what scenarios could not delete because no answer came:
// the target may have paused.
func (r *run) cleanUpAgain(ctx context.Context) {
	for range cleanUpRounds {
		uncleaned := r.uncleaned()
		if len(uncleaned) == 0 || !r.answersAgain(ctx) {
			return
		}
		byCrew(r.crew, uncleaned, func(t *T) { r.cleanUp(ctx, t) })
	}
}

// uncleaned are the scenarios whose clean-up is missing an answer.
func (r *run) uncleaned() []*T {
	var uncleaned []*T
	for _, t := range r.plays.all() {
		if t.uncleaned {
			uncleaned = append(uncleaned, t)
		}
	}
	return uncleaned
}

// answersAgain reports whether a target that went silent answers.
func (r *run) answersAgain(ctx context.Context) bool {
	ctx, cancel := context.WithDeadlineCause(context.WithoutCancel(ctx), r.cleanUps.deadline(ctx), r.timeUp())
	defer cancel()
	there := r.pings(ctx, 1)
	if there {
		r.revive()
	}
	return there
}

// cleanUpTime is how long a run may clean up.
type cleanUpTime struct {
	mu sync.Mutex
	by time.Time // the end of all clean-up, zero where the run has none
}

// deadline is when a clean-up that begins now must be over: when the run
// must be, and soon where a person waits for it after an interrupt.
func (c *cleanUpTime) deadline(ctx context.Context) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if c.by.IsZero() {
		return now.Add(cleanUpGrace)
	}
	if ctx.Err() != nil && !errors.As(context.Cause(ctx), new(wire.TimeUpError)) {
		if latest := now.Add(interruptedCleanUp); latest.Before(c.by) {
			c.by = latest
		}
	}
	return c.by
}

// hurryIfInterrupted has the run hurry once a person ends it.
func (r *run) hurryIfInterrupted(ctx context.Context) (stop func() bool) {
	return context.AfterFunc(ctx, func() {
		if !errors.As(context.Cause(ctx), new(wire.TimeUpError)) {
			r.wire.Hurry()
		}
	})
}

// undeleted are the names of the users that could not be deleted.
func (r *run) undeleted() []string {
	var names []string
	for _, t := range r.plays.all() {
		for _, a := range t.accounts {
			if !a.Gone {
				names = append(names, cmp.Or(a.UserName, a.Email, a.ID))
			}
		}
	}
	return names
}

// undeletedNote returns a message about the users that stay on the target.
func (r *run) undeletedNote(names []string) string {
	note := result.UndeletedNote(names)
	if r.ledger != nil {
		note += "; conform clean tries again"
	}
	return note
}

// cleanUp deletes what the scenario created, some users at the same time.
func (t *T) cleanUp(ctx context.Context) {
	const atOnce = 8
	var parts []*T // each with one user, since what is recorded of a scenario is recorded in turn
	for _, a := range t.accounts {
		part := newT(ctx, t.run, t.scenario)
		part.accounts, part.unjudged = accounts.List{a}, t.unjudged
		parts = append(parts, part)
	}
	sideBySide(min(t.run.crew.size(), atOnce), parts, (*T).removeAll)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ctx, t.uncleaned, t.accounts = ctx, false, nil
	for _, part := range parts {
		t.uncleaned = t.uncleaned || part.uncleaned
		t.accounts = append(t.accounts, part.accounts...)
		for _, x := range part.exchanged { // on which a reproduction may rest
			t.transcript.Add(x)
		}
	}
}

// removeAll deletes the scenario's users, one after the other.
func (t *T) removeAll() {
	remover := t.remover()
	for _, a := range t.accounts {
		a.Gone = (a.Gone || remover.Remove(a)) && remover.RemoveDouble(a)
	}
}
