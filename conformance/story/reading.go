package story

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

// read plays a read: until it agrees with some world or the settle time is over. Worlds that the
// answer rules out are dropped.
func (r *run) read(ctx context.Context, a *Action, s Step) {
	const firstPause, lastPause = 15 * time.Millisecond, 200 * time.Millisecond
	c, ok := r.prepare(ctx, a, s)
	if !ok {
		return
	}
	done := slices.Clone(r.evidence)
	wait := firstPause
	for waited := time.Duration(0); ; waited += wait {
		r.evidence = slices.Clone(done)
		r.ask(ctx, a, &c)
		if r.err != nil || r.lost || c.skip {
			return
		}
		found, seenBy := r.compare(a, c)
		if len(found) == 0 {
			r.agree(a, c, done)
			return
		}
		if waited >= r.patience(c.Endpoint, found, seenBy) {
			r.say(a, c)
			for _, d := range found {
				r.player.timedOut[seenBy.blame(d).Rule] = true
			}
			r.report(seenBy, found, c.Request)
			r.leaveOpen(found)
			r.evidence = done
			return
		}
		wait = min(max(2*waited, firstPause), lastPause)
		r.pause(ctx, wait)
	}
}

// ask sends a read, or takes the answer if it was sent before.
func (r *run) ask(ctx context.Context, a *Action, c *call) {
	if before, there := r.ahead[r.index]; there && before.Request.key() == c.Request.key() {
		delete(r.ahead, r.index)
		c.answer = before.answer
		r.worked(c.Request.Session)
		r.keep(c.Endpoint, c.answer)
		return
	}
	delete(r.ahead, r.index)
	r.waitForLag(ctx)
	r.sendIn(ctx, a, c)
}

// compare returns the differences that no world explains and that were not reported yet, and the
// world that explains most.
func (r *run) compare(a *Action, c call) ([]Diff, *World) {
	if c.answer.isImagined() {
		return nil, r.world()
	}
	var fewest []Diff
	seenBy := r.world()
	for i, w := range r.worlds {
		var found []Diff
		if e, why := a.expected(w, c.Step); why != notRefused {
			if !(c.answer.Refused() && (e.Refusals == nil || slices.Contains(e.Refusals, c.answer.Status))) {
				found = []Diff{{Kind: WrongStatus, Step: c.Step, At: c.Endpoint, Status: c.answer.Status, Got: c.answer.Body, Expect: e, App: c.App, View: sighting{at: c.Endpoint, viewer: -1, owner: -1, subject: -1}}}
			}
		} else {
			found = a.Compare(w, c)
		}
		found = slices.DeleteFunc(found, func(d Diff) bool { return r.reported[d.key()] })
		if i == 0 || len(found) < len(fewest) {
			fewest, seenBy = found, w
		}
	}
	return fewest, seenBy
}

// agree keeps what a read has shown, and the worlds that it agrees with. What may lag rules out
// none on a target that was seen to.
func (r *run) agree(a *Action, c call, done []any) {
	r.right[c.Request.key()] = c.answer.Evidence
	r.evidence = done
	if len(r.worlds) > 1 && !c.answer.isImagined() && (r.player.options.Lag == 0 || !mayLag(c.Endpoint)) {
		r.worlds = slices.DeleteFunc(r.worlds, func(w *World) bool {
			_, why := a.expected(w, c.Step)
			return why == notRefused && len(slices.DeleteFunc(a.Compare(w, c), func(d Diff) bool { return r.reported[d.key()] })) > 0
		})
	}
	for _, w := range r.worlds {
		w.show(c)
	}
}

// show keeps which users and events a read has shown, and whose id is unknown in an application.
func (w *World) show(c call) {
	v := c.readDiff(w).View
	if c.Endpoint == rules.GetUser && c.answer.Refused() {
		if who, _ := w.who(c.User, false); w.users[who].app != w.users[v.owner].app {
			w.shown[sighting{at: rules.GetUser, viewer: w.users[who].app, owner: v.owner, subject: -1}] = w.now()
		}
	}
	objects, _ := c.answer.objects()
	for _, o := range objects {
		if c.Endpoint == rules.Feed {
			v.isEvent = true
			v.subject, _ = w.eventByID(c.App, idText(o["id"]))
		} else {
			v.subject, _ = w.userByID(c.App, idText(o["id"]))
		}
		if v.subject >= 0 {
			w.shown[v] = w.now()
		}
	}
}

// leaveOpen makes it unknown whether users are connected whom a list lacks that social ids were to
// connect: what depends on that is not judged.
func (r *run) leaveOpen(found []Diff) {
	for _, w := range r.worlds {
		for _, d := range found {
			if d.Kind != Missing || d.View.isEvent || d.View.owner < 0 || d.View.subject < 0 {
				continue
			}
			for _, p := range []pair{{d.View.owner, d.View.subject}, {d.View.subject, d.View.owner}} {
				if w.relation(p).bySocial {
					w.relate(p, func(r *relation) { r.follow, r.asked = Unknown, Unknown })
				}
			}
		}
	}
}

// patience returns how long differences may last: feeds, lists and searches may lag, other reads
// may not. Once a rule was waited for in vain, it is only waited for a few times the observed lag.
func (r *run) patience(at rules.Endpoint, found []Diff, w *World) time.Duration {
	if !mayLag(at) {
		return 0
	}
	p := r.player
	for _, d := range found {
		rule := w.blame(d).Rule
		if d.Kind == Foreign || d.Kind == WrongStatus || d.Timeless { // lag is no explanation
			return 0
		}
		if !p.timedOut[rule] && (p.awaited == "" || p.awaited == rule || p.options.Lag > 0) {
			return p.options.Settle
		}
	}
	const often = 3
	return often * p.options.Lag
}

// waitForLag waits, if the target is known to lag, until the latest write may be visible: reading
// earlier costs requests and proves nothing.
func (r *run) waitForLag(ctx context.Context) {
	const most = 500 * time.Millisecond
	if left := min(r.player.options.Lag, most) - time.Since(r.wrote); r.player.options.Lag > 0 && left > 0 {
		r.pause(ctx, left)
	}
}

// readAhead sends the reads that come next at once. One whose user may first have to log in, or
// whose session may have ended, is left out.
func (r *run) readAhead(ctx context.Context) {
	most := r.player.options.ReadsAtOnce
	if most < 2 || len(r.ahead) > 0 || len(r.worlds) > 1 {
		return
	}
	var ready []call
	var steps []int
	asked := map[readKey]bool{}
	for i := r.index; i < len(r.story.Steps) && len(ready) < most; i++ {
		s := r.story.Steps[i]
		a := r.player.table[s.Do]
		if !a.reads() || s.Beside || !r.entered(s) {
			break
		}
		c, ok := r.ready(a, s)
		if !ok || asked[c.Request.key()] {
			continue
		}
		asked[c.Request.key()] = true
		ready, steps = append(ready, c), append(steps, i)
	}
	if len(ready) < 2 {
		return
	}
	r.waitForLag(ctx)
	var mu sync.Mutex
	var group sync.WaitGroup
	for i := range ready {
		r.outcome.Requests++
		group.Go(func() {
			c := ready[i]
			answer, err := r.player.target.Do(ctx, c.Request)
			mu.Lock()
			defer mu.Unlock()
			if err == nil && answer.Status != 401 && answer.Status < 500 && answer.Status != 429 {
				c.answer = answer
				r.ahead[steps[i]] = c
			}
		})
	}
	group.Wait()
}

// entered reports whether all users of a step exist.
func (r *run) entered(s Step) bool {
	return !slices.ContainsFunc(s.roles(), func(role int) bool { _, there := r.world().who(role, false); return !there })
}

// ready returns the call of a read that can be sent at once.
func (r *run) ready(a *Action, s Step) (call, bool) {
	q, ok := a.Request(r.world(), s)
	if !ok || s.In > 0 || s.Session > 0 {
		return call{}, false
	}
	who, _ := r.world().who(s.User, false)
	u := &r.world().users[who]
	i := u.latest()
	if i < 0 || u.sessions[i].state != Yes {
		return call{}, false
	}
	q.App, q.Session = u.app, u.sessions[i].token
	return call{Step: s, Request: q}, true
}
