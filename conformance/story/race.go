package story

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
	"golang.org/x/sync/errgroup"
)

// race sends steps at the same time. Whatever the target answers must be what it could have answered
// had it taken them in some order: the worlds after every such order are those that it may be in.
func (r *run) race(ctx context.Context, steps []Step) {
	calls := r.prepareAll(ctx, steps)
	if calls == nil || r.openInSomeOrder(calls) {
		r.inTurn(ctx, steps)
		return
	}
	if r.sendAll(ctx, calls); r.err != nil || r.lost {
		return
	}
	var next []*World
	var fewest []Diff
	var seenBy *World
	for _, w := range r.worlds {
		for order := range orders(len(calls)) {
			after, found, open := r.inOrder(w, calls, order)
			if open { // one replaces the other, or not
				r.lost = !r.dry()
				return
			}
			if len(found) == 0 || r.dry() {
				next = append(next, after)
			}
			if seenBy == nil || len(found) < len(fewest) {
				fewest, seenBy = found, after
			}
		}
	}
	for _, c := range calls {
		r.say(r.player.table[c.Do], c)
	}
	if len(next) == 0 {
		r.report(seenBy, fewest, Request{})
		next = []*World{seenBy}
	}
	r.worlds = r.distinct(next)
}

// prepareAll returns the calls of steps, nil if one of them makes no sense.
func (r *run) prepareAll(ctx context.Context, steps []Step) []call {
	var calls []call
	for _, s := range steps {
		if s.Do == "wait" || !r.enter(ctx, s) {
			return nil
		}
		c, ok := r.prepare(ctx, r.player.table[s.Do], s)
		if !ok {
			return nil
		}
		calls = append(calls, c)
	}
	return calls
}

// openInSomeOrder reports whether the outcome of the calls, if all succeed, is open in some order.
func (r *run) openInSomeOrder(calls []call) bool {
	imagined := slices.Clone(calls)
	target := &imaginary{}
	for i := range imagined {
		e, _ := r.player.table[calls[i].Do].expected(r.world(), calls[i].Step)
		imagined[i].answer = target.answer(e, calls[i].Request)
	}
	for order := range orders(len(calls)) {
		if _, _, open := r.inOrder(r.world(), imagined, order); open {
			return true
		}
	}
	return false
}

// inTurn plays one after the other steps that cannot be sent at the same time.
func (r *run) inTurn(ctx context.Context, steps []Step) {
	for _, s := range steps {
		if r.err == nil && !r.lost {
			s.Beside = false
			r.perform(ctx, s)
		}
	}
}

// inOrder returns the world after the calls in an order, and how their answers differ from it, or that
// the outcome of this order is open. What a read shows while something is written is open.
func (r *run) inOrder(w *World, calls []call, order []int) (after *World, found []Diff, open bool) {
	for _, i := range order {
		c := calls[i]
		a := r.player.table[c.Do]
		if a.reads() || !c.answer.OK() && !c.answer.Refused() {
			continue
		}
		if _, possible := a.Request(w, c.Step); !possible && a.Name != "log in" {
			who, _ := w.who(c.User, false)
			switch {
			case !c.answer.OK() || c.repeats(calls):
			case w.users[who].lives():
				return w, nil, true
			default: // whoever is deleted does nothing any more
				found = append(found, Diff{Kind: LostUpdate, At: c.Endpoint, Step: c.Step, View: sighting{viewer: -1, owner: -1, subject: -1}})
			}
			continue
		}
		var diffs []Diff
		w, diffs = w.judge(a, c, true)
		found = append(found, diffs...)
	}
	return w, found, false
}

// repeats reports whether another call is the same request, which may be answered alike.
func (c call) repeats(calls []call) bool {
	n := 0
	for _, o := range calls {
		if o.Do == c.Do && o.User == c.User {
			n++
		}
	}
	return n > 1
}

// sendAll sends calls at the same time, started in their order.
func (r *run) sendAll(ctx context.Context, calls []call) {
	var group errgroup.Group
	for i := range calls {
		if i > 0 {
			if r.pause(ctx, r.stagger(calls[0].Endpoint)); r.err != nil {
				break
			}
		}
		c := &calls[i]
		a := r.player.table[c.Do]
		if r.dry() {
			c.answer = r.imagined(a, *c)
			continue
		}
		const reads = 5 // of a read, so that one of them overlaps the write
		group.Go(func() (err error) {
			for n := 0; n == 0 || a.reads() && n < reads && err == nil; n++ {
				c.answer, err = r.player.target.Do(ctx, c.Request)
			}
			return err
		})
	}
	r.err = cmp.Or(group.Wait(), r.err)
	r.outcome.Requests += len(calls)
	for _, c := range calls {
		if r.err == nil {
			r.keep(c.Endpoint, c.answer)
		}
	}
}

// stagger is the pause between requests that are sent at the same time: long enough for them to
// arrive in the same order each time that a story is played, and short enough for the target still to
// work on one when the next arrives, or as long as the story says.
func (r *run) stagger(first rules.Endpoint) time.Duration {
	const least, most, longest = 200 * time.Microsecond, time.Millisecond, 100 * time.Millisecond
	if r.story.Stagger > 0 {
		return min(max(least, time.Duration(r.story.Stagger)*r.quickest[first]/4), longest)
	}
	quickest := time.Duration(0)
	for _, took := range r.quickest {
		if quickest == 0 || took < quickest {
			quickest = took
		}
	}
	return min(max(least, quickest/4), most)
}

// timed keeps the shortest time that the target took for a request that was sent alone.
func (r *run) timed(at rules.Endpoint, took time.Duration) {
	if before, known := r.quickest[at]; !known || took < before {
		r.quickest[at] = took
	}
}

// orders yields the orders of so many things.
func orders(n int) func(yield func([]int) bool) {
	return func(yield func([]int) bool) {
		all := make([]int, n)
		for i := range all {
			all[i] = i
		}
		permute(all, 0, yield)
	}
}

func permute(all []int, from int, yield func([]int) bool) bool {
	if from == len(all) {
		return yield(all)
	}
	for i := from; i < len(all); i++ {
		all[from], all[i] = all[i], all[from]
		if !permute(all, from+1, yield) {
			return false
		}
		all[from], all[i] = all[i], all[from]
	}
	return true
}
