package story

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
	"golang.org/x/sync/errgroup"
)

// race sends steps at the same time. Whatever the target answers must be what it could have answered
// had it taken them in some order: the worlds after every such order are those that it may be in.
func (r *run) race(ctx context.Context, steps []Step) {
	calls := r.prepareAll(ctx, steps)
	if calls == nil {
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

// distinct returns worlds that differ in what a target may show. Too many, or those of a target that
// lags, which no read can tell apart, are united.
func (r *run) distinct(all []*World) []*World {
	const most = 8
	seen := map[string]bool{}
	var kept []*World
	for _, w := range all {
		if print := w.fingerprint(); !seen[print] {
			seen[print] = true
			kept = append(kept, w)
		}
	}
	if len(kept) == 1 || len(kept) <= most && r.player.options.Lag == 0 {
		return kept
	}
	one := kept[0]
	for _, other := range kept[1:] {
		if !one.unite(other) {
			r.lost = true // what is there is not known
		}
	}
	return []*World{one}
}

// fingerprint tells worlds apart, whatever the order in which their events were created.
func (w *World) fingerprint() string {
	var lines []string
	for i := range w.users {
		u := &w.users[i]
		lines = append(lines, fmt.Sprintf("%s %s %s %v %v %v", idText(u.id), u.name, u.password, u.lives(), u.fields, u.updated))
		for _, s := range u.sessions {
			lines = append(lines, fmt.Sprint(s.token, s.state))
		}
	}
	for i := range w.events {
		e := &w.events[i]
		line := fmt.Sprintf("%s %v %v %v", idText(e.id), e.deleted > 0, e.fields, e.answer["updated_at"])
		for reader := range w.users {
			line += fmt.Sprint(w.shows(reader, i))
		}
		lines = append(lines, line)
	}
	for p, r := range w.relations {
		if r.follow != No || r.asked != No {
			lines = append(lines, fmt.Sprintf("%v %d %d", p, r.follow, r.asked))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// unite makes a world allow what another one does, too, and reports whether it can: users and events
// that are there in one alone cannot be united.
func (w *World) unite(other *World) bool {
	if len(w.users) != len(other.users) || len(w.events) != len(other.events) {
		return false
	}
	for i := range w.users {
		u, o := &w.users[i], &other.users[i]
		if idText(u.id) != idText(o.id) || u.lives() != o.lives() || u.name != o.name || u.password != o.password {
			return false
		}
		fields := map[string]allowed{}
		for name, values := range u.fields {
			fields[name] = values.or(o.fields[name]...)
		}
		u.fields = fields
		if order, ok := orderOf(o.updated, u.updated); ok && order < 0 {
			u.updated = o.updated
		}
		for j := range u.sessions {
			k := slices.IndexFunc(o.sessions, func(s session) bool { return s.token == u.sessions[j].token })
			if k < 0 || o.sessions[k].state != u.sessions[j].state {
				u.sessions[j].state = Unknown
			}
		}
	}
	for i := range w.events {
		if idText(w.events[i].id) != idText(other.events[i].id) || (w.events[i].deleted > 0) != (other.events[i].deleted > 0) {
			return false
		}
	}
	for p := range other.relations {
		theirs := other.relation(p)
		w.relate(p, func(r *relation) {
			if r.follow != theirs.follow {
				r.follow = Unknown
			}
			if r.asked != theirs.asked {
				r.asked = Unknown
			}
			r.friendsSince = max(r.friendsSince, theirs.friendsSince)
		})
	}
	w.widen(other)
	return true
}
