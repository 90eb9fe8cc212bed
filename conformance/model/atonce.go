package model

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
	"golang.org/x/sync/errgroup"
)

// Operations at once may come in any order: what follows must agree with one of them.

// concurrent is an operation that is sent together with others: its request, and what
// its success does to a world.
type concurrent struct {
	op      Op
	request Request
	apply   func(*World, Response)
	views   []view
	answer  Response
}

// happen does to a world what the operation did.
func (c *concurrent) happen(w *World) {
	if c.answer.OK() {
		c.apply(w, c.answer)
	}
}

// together plays operations at once, and finds out which of the lawful outcomes came of them.
func (t *playthrough) together(ctx context.Context, ops []Op) {
	late := t.story.Late && commute(ops)
	views := t.atOnce(ctx, ops, !late)
	defer func() {
		for _, other := range t.worlds[1:] {
			t.world.leaveOpen(other)
		}
		t.worlds = []*World{t.world}
	}()
	if late {
		t.look(ctx, unaudited(t.world, distinct(views))...)
		return
	}
	t.pause(ctx, t.player.options.Lag) // a stale view would rule the right outcome out
	t.look(ctx, distinct(views)...)
}

// commute reports whether operations come to the same in any order: what belongs to
// somebody or something that was deleted is gone, whenever it came.
func commute(ops []Op) bool {
	for i, one := range ops {
		for _, other := range ops[i+1:] {
			same := one.Kind == other.Kind
			switch one.Kind {
			case Edit, Change:
				if same {
					return false
				}
			case Follow, Ask, End:
				if other.Kind == End || !same && (other.Kind == Follow || other.Kind == Ask) {
					return false
				}
			}
		}
	}
	return true
}

// atOnce sends requests together and leaves the lawful outcomes in t.worlds: of two
// that may come in either order two, otherwise one. Where one of them makes no sense,
// all are played one after the other.
func (t *playthrough) atOnce(ctx context.Context, ops []Op, eitherOrder bool) []view {
	if len(ops) == 2 && ops[0].Kind == Join && ops[1].Kind == Join {
		return t.joinBoth(ctx, ops[0], ops[1])
	}
	var all []*concurrent
	for _, o := range ops {
		c := t.prepare(ctx, o)
		if c == nil {
			return t.oneByOne(ctx, ops)
		}
		all = append(all, c)
	}
	if t.release(ctx, all); t.err != nil {
		return nil
	}
	var views []view
	for i, c := range all {
		if status, rule := success(c.request.Endpoint); rule != "" && c.answer.OK() && c.answer.Status != status {
			t.differ(Difference{Rule: rule, At: c.request.Endpoint, Expected: fmt.Sprint(status), Actual: c.answer.show()})
		}
		t.tell("at once: %s", t.inWords(c.op))
		if views = append(views, c.views...); i > 0 {
			t.player.Coverage.did(ops[i-1].Kind, "at once with "+c.op.Kind.String())
		}
	}
	if eitherOrder {
		back := t.world.clone()
		for _, c := range slices.Backward(all) {
			c.happen(back)
		}
		t.worlds = append(t.worlds, back)
	}
	for _, c := range all {
		c.happen(t.world)
	}
	if len(all) == 2 {
		t.lostUpdate(all[0], all[1])
	}
	return append(views, t.sessionsOfAll(ops)...)
}

// inWords tells an operation that is sent beside another.
func (t *playthrough) inWords(o Op) string {
	words := fmt.Sprintf("user %d: %s", t.slots[o.A%t.story.Slots], o.Kind)
	if o.Kind.ofTwo() {
		words += fmt.Sprintf(" user %d", t.slots[o.B%t.story.Slots])
	}
	return words
}

// oneByOne plays operations that cannot be sent together.
func (t *playthrough) oneByOne(ctx context.Context, ops []Op) []view {
	var all []view
	for _, o := range ops {
		all = append(all, t.perform(ctx, o)...)
	}
	return all
}

// sessionsOfAll are the sessions that operations may have begun or ended.
func (t *playthrough) sessionsOfAll(ops []Op) []view {
	var views []view
	for _, o := range ops {
		switch o.Kind {
		case LogIn, LogOut, Leave:
			who := t.slots[o.A%t.story.Slots]
			views = append(views, t.sessions(who)...)
			if o.Kind == Leave {
				for i := range t.world.users[who].sessions {
					views = append(views, view{at: rules.Feed, viewer: who, owner: who, session: i})
				}
			}
		}
	}
	return views
}

// unaudited leaves out the views that need no look of their own: every audit reads the
// feeds, and a session that works is used anyway.
func unaudited(w *World, views []view) []view {
	return slices.DeleteFunc(views, func(v view) bool {
		if v.session >= 0 {
			return w.users[v.viewer].sessions[v.session].state != No
		}
		return v.at == rules.Feed
	})
}

// often is how many times an audit beside a write is sent, so that one of the times falls
// into the write.
const often = 7

// stagger is the pause between requests that are sent together: they arrive in the same
// order each time that a story is played, and a target that takes its time still works on
// one when the next arrives.
const stagger = time.Millisecond

// release sends the requests of operations together, in their order.
func (t *playthrough) release(ctx context.Context, all []*concurrent) {
	var group errgroup.Group
	for i, c := range all {
		if i > 0 {
			if t.pause(ctx, stagger); t.err != nil {
				break
			}
		}
		c.request.App = t.number
		group.Go(func() (err error) {
			c.answer, err = t.player.target.Do(ctx, c.request)
			for n := 1; n < often && err == nil && !t.story.Late && c.op.Kind == Audit; n++ {
				c.answer, err = t.player.target.Do(ctx, c.request)
			}
			return err
		})
	}
	t.err = cmp.Or(group.Wait(), t.err)
	t.outcome.Requests += len(all)
	for _, c := range all {
		t.evidence = append(t.evidence, c.answer.Evidence)
	}
}
