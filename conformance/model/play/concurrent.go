package play

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/world"
	"github.com/socialfeed/conform/conformance/rules"
	"golang.org/x/sync/errgroup"
)

// concurrentOp is an operation that is sent concurrently with others: its request, and the
// effect of a success on the state.
type concurrentOp struct {
	op story.Op
	write
	answer exchange.Response
}

// applyTo applies the operation to a state if the target accepted it.
func (c *concurrentOp) applyTo(st *world.State) {
	if c.answer.OK() {
		c.apply(st, c.answer)
	}
}

// playConcurrently sends operations concurrently, which may take effect in any order, and finds
// out in which of the lawful states the target then is.
func (t *run) playConcurrently(ctx context.Context, ops []story.Op) {
	late := t.story.DeferChecks && story.Commute(ops)
	views := t.sendConcurrently(ctx, ops, !late)
	lawful := t.states
	defer func() {
		open := t.states
		if t.player.options.Lag > 0 { // what was read may be further behind than it was before
			open = lawful
		}
		for _, other := range open {
			t.state.LeaveOpen(other)
		}
		t.states = []*world.State{t.state}
	}()
	if late {
		t.compareViews(ctx, withoutAudited(t.state, distinct(views))...)
		return
	}
	const behind = 3 // times as far as was seen: a stale view would rule out the right state
	t.pause(ctx, min(behind*t.player.options.Lag, t.player.options.Settle))
	t.compareViews(ctx, distinct(views)...)
}

// sendConcurrently sends operations concurrently and leaves the lawful states in t.states: two if
// both orders of two operations are possible, else one. If one of the operations makes no
// sense, all are played one after the other.
func (t *run) sendConcurrently(ctx context.Context, ops []story.Op, eitherOrder bool) []world.View {
	if len(ops) == 2 && ops[0].Kind == story.Join && ops[1].Kind == story.Join {
		return t.createBoth(ctx, ops[0], ops[1])
	}
	var all []*concurrentOp
	for i, o := range ops {
		c := t.prepare(ctx, o, t.index+i)
		if c == nil {
			return t.performInTurn(ctx, ops)
		}
		if i > 0 && o.SameAs(ops[i-1]) { // sent twice, in one session
			c.request = all[i-1].request
		}
		all = append(all, c)
	}
	if t.sendAll(ctx, all); t.err != nil || t.lost {
		return nil
	}
	var views []world.View
	for i, c := range all {
		if status, rule := success(c.request.Endpoint); rule != "" && c.answer.OK() && c.answer.Status != status {
			t.recordDifference(blame.Difference{Rule: rule, At: c.request.Endpoint, Expected: fmt.Sprint(status), Actual: c.answer.Show()})
		}
		t.logf("at once: %s", t.describe(c.op))
		if views = append(views, c.views...); i > 0 {
			t.player.Coverage.countOp(ops[i-1].Kind, "at once with "+c.op.Kind.String())
		}
	}
	if eitherOrder {
		back := t.state.Clone()
		for _, c := range slices.Backward(all) {
			c.applyTo(back)
		}
		t.states = append(t.states, back)
	}
	for _, c := range all {
		c.applyTo(t.state)
	}
	t.leaveNewSessionsOpen(all)
	if len(all) == 2 {
		t.judgeLostUpdate(all[0], all[1])
	}
	return append(views, t.sessionViewsOf(ops)...)
}

// leaveNewSessionsOpen sees that nothing is learned from whether a session works that was opened
// concurrently with an update of its user: it may have been opened after that.
func (t *run) leaveNewSessionsOpen(all []*concurrentOp) {
	for _, c := range all {
		if c.op.Kind != story.LogIn {
			continue
		}
		who := t.slots[c.op.Actor%t.story.Slots]
		for _, st := range t.states {
			if sessions := st.Users[who].Sessions; len(sessions) > 0 {
				sessions[len(sessions)-1].Doubted = false
			}
		}
	}
}

// describe returns the log text of an operation that is sent concurrently.
func (t *run) describe(o story.Op) string {
	words := fmt.Sprintf("user %d: %s", t.slots[o.Actor%t.story.Slots], o.Kind)
	if o.Kind.Action().OfTwo {
		words += fmt.Sprintf(" user %d", t.slots[o.Other%t.story.Slots])
	}
	return words
}

// performInTurn plays one after the other the operations that cannot be sent concurrently, but for
// reads, which were to overlap a write.
func (t *run) performInTurn(ctx context.Context, ops []story.Op) []world.View {
	var all []world.View
	for _, o := range ops {
		if o.Kind != story.Audit {
			all = append(all, t.perform(ctx, o)...)
		}
	}
	return all
}

// sessionViewsOf returns views of the sessions that operations may have begun or ended.
func (t *run) sessionViewsOf(ops []story.Op) []world.View {
	var views []world.View
	for _, o := range ops {
		if sessions := performances()[o.Kind].Sessions; sessions != nil {
			views = append(views, sessions(t, t.slots[o.Actor%t.story.Slots])...)
		}
	}
	return views
}

// withoutAudited removes the views that need no read of their own: every audit reads the feeds,
// and sessions that work are used anyway.
func withoutAudited(st *world.State, views []world.View) []world.View {
	return slices.DeleteFunc(views, func(v world.View) bool {
		if v.Session >= 0 {
			return st.Users[v.Viewer].Sessions[v.Session].State != leeway.No
		}
		return v.At == rules.Feed
	})
}

// sendAll sends the requests of operations concurrently, started in their order.
func (t *run) sendAll(ctx context.Context, all []*concurrentOp) {
	var group errgroup.Group
	for i, c := range all {
		if i > 0 {
			if t.pause(ctx, t.stagger(all[0].request.Endpoint)); t.err != nil {
				break
			}
		}
		c.request.App = t.number
		group.Go(func() (err error) {
			c.answer, err = t.player.target.Do(ctx, c.request)
			for n := 1; n < story.ConcurrentReads && err == nil && !t.story.DeferChecks && c.op.Kind == story.Audit; n++ {
				c.answer, err = t.player.target.Do(ctx, c.request)
			}
			return err
		})
	}
	t.err = cmp.Or(group.Wait(), t.err)
	t.outcome.Requests += len(all)
	for _, c := range all {
		t.evidence = append(t.evidence, c.answer.Evidence)
		t.lost = t.lost || c.answer.Status >= 500 // it may have taken effect nevertheless
	}
}
