package conformance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/result"
)

// cleanUp deletes what a scenario created, also after an interrupt, within bounds.
func (r *run) cleanUp(ctx context.Context, t *T) {
	if r.unreachable() {
		return
	}
	ctx, cancel := context.WithDeadlineCause(context.WithoutCancel(ctx), r.cleanUpDeadline(ctx), wire.ErrTimeUp)
	defer cancel()
	t.cleanUp(ctx)
}

// cleanUpDeadline is when a clean-up that begins now must be over: when the run
// must be, and soon where a person waits for it after an interrupt.
func (r *run) cleanUpDeadline(ctx context.Context) time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	if r.cleanUpBy.IsZero() { // a run without an end
		return now.Add(cleanUpGrace)
	}
	if ctx.Err() != nil && !errors.Is(context.Cause(ctx), wire.ErrTimeUp) {
		if latest := now.Add(interruptedCleanUp); latest.Before(r.cleanUpBy) {
			r.cleanUpBy = latest
		}
	}
	return r.cleanUpBy
}

// left are the names of the users that could not be deleted.
func (r *run) left() []string {
	var left []string
	for _, t := range slices.Concat(r.played, r.discarded) {
		for _, a := range t.accounts {
			if !a.gone {
				left = append(left, cmp.Or(a.userName, a.email, a.id))
			}
		}
	}
	return left
}

// leftBehind tells of users that stay on the target.
func (r *run) leftBehind(names []string) string {
	const most = 20
	told := fmt.Sprintf("%s could not be deleted from the target: %s", result.Plural(len(names), "user"), strings.Join(names[:min(len(names), most)], ", "))
	if len(names) > most {
		told += ", …"
	}
	if r.ledger != nil {
		told += "; conform clean tries again"
	}
	return told
}
