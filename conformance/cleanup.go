package conformance

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
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
			if !a.gone {
				names = append(names, cmp.Or(a.userName, a.email, a.id))
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
		part.accounts, part.unjudged = []*account{a}, t.unjudged
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
	for _, a := range t.accounts {
		a.gone = (a.gone || t.remove(a)) && t.removeDouble(a)
	}
}

// removeDouble deletes what a request that was sent twice may have created besides an account
// that is deleted.
func (t *T) removeDouble(a *account) bool {
	if !a.doubtful {
		return true
	}
	second := &account{app: a.app, userName: a.userName, email: a.email, passwords: a.passwords, doubtful: true}
	return t.remove(second)
}

// remove deletes one account: by a token it has, one that is surely its own first, else by
// logging in once more.
func (t *T) remove(a *account) bool {
	var latest *wire.Exchange // nil where nothing was sent for the account
	for _, token := range a.likelyTokens() {
		x, gone, missing := t.removeBy(a, token)
		if gone || missing {
			return gone
		}
		latest = cmp.Or(x, latest)
	}
	for _, password := range a.passwords {
		for _, login := range []Fields{
			{"user_name": a.userName, "password": password},
			{"email": a.email, "password": password},
		} {
			if !t.run.holders.worthLogin() {
				return false
			}
			token, x := t.login(a.app, login)
			if latest = cmp.Or(x, latest); token == "" {
				continue
			}
			x, gone, missing := t.removeBy(a, token)
			if gone || missing {
				return gone
			}
			latest = cmp.Or(x, latest)
			t.run.holders.recordLogin(Basic{a.app, token})
		}
	}
	if latest == nil || latest.Err != nil {
		return false
	}
	refused := latest.Status/100 == 4 // there is nobody to log in to
	if !a.doubtful {
		return refused && a.maybeGone && latest.Endpoint == rules.Login && t.run.answers.served(rules.Login)
	}
	return refused || !t.run.answers.served(rules.CreateUser) && !t.run.answers.served(rules.Login) // a target that serves neither has made no user
}

// removeBy deletes an account by a session of it, with an exchange that is nil where nothing was
// sent. It reports whether the account is gone, and where it is not, whether the target seems to
// have no such endpoint: it answers as for an unknown path, and has never deleted a user.
func (t *T) removeBy(a *account, token string) (x *wire.Exchange, gone, missing bool) {
	session := Basic{a.app, token}
	if t.run.holders.record(session, a, rules.Login.BlockingRule()); t.opensOthers(session, a) {
		return nil, false, false
	}
	x, answered := t.exchange(http.MethodDelete, rules.DeleteMe.Path(), session, nil)
	a.maybeGone = a.maybeGone || !answered || x.Repeated
	if !answered {
		return x, false, false
	}
	served := t.run.answers.served(rules.DeleteMe)
	absent := x.Status == http.StatusNotFound || x.Status == http.StatusGone
	return x, x.Status/100 == 2 || absent && served, !served && (absent || saysAbsent(x.Status))
}

// opensOthers reports whether a session that the target gave for an account may be another user's,
// who would be deleted in its place. One that was given to two users is, unless it shows this one;
// of the others a target is asked that gave somebody's session to somebody else before.
func (t *T) opensOthers(session Basic, a *account) bool {
	shared, mixedUp, reliable := t.run.holders.suspicions(session)
	switch {
	case !reliable:
		return shared
	case !shared && (!mixedUp || slices.Contains(a.own, session.Session)):
		return false
	}
	x, answered := t.exchange(http.MethodGet, rules.GetMe.Path(), session, nil)
	if !answered || x.Status/100 != 2 {
		return shared
	}
	value, _ := x.Value()
	shown, _ := jsonvalue.AsRecord(value)
	return a.isOther(shown) || shared && shown.ID() == ""
}
