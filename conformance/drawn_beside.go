package conformance

import (
	"context"
	"sync/atomic"

	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/rules"
)

// part is something that a plain run plays beside its stories, with the requests that it takes at most on a sound
// target.
type part struct {
	cost story.Cost
	play func()
}

// playBeside plays the parts beside the stories of a plain run. What the stories may send is reckoned before, so that
// it does not depend on how far the parts have come.
func (d *drawing) playBeside(ctx context.Context, parts ...part) {
	plan := d.newPlan()
	plan.Left = plan.Left.Minus(d.owed)
	for _, p := range parts {
		plan.Left = plan.Left.Minus(p.cost)
	}
	ended := make(chan struct{})
	var open atomic.Int32
	if open.Store(int32(len(parts))); len(parts) == 0 {
		close(ended)
	}
	var all []func()
	for _, p := range parts {
		all = append(all, func() {
			p.play()
			if open.Add(-1) == 0 {
				close(ended)
			}
		})
	}
	all = append(all, func() {
		d.playKept(ctx)
		d.playPlain(ctx, plan, ended)
	})
	sideBySide(min(d.run.crew.size(), len(all)), all, func(play func()) { play() })
}

// early is a drawing that begins while rechecks of the scenarios are still to come. Until the scenarios have been
// judged it judges nothing.
type early struct {
	*drawing
	ended  chan struct{} // closed when the stories have been played
	judged chan struct{} // closed when the scenarios have been judged
}

// drawEarly begins to play stories where a distant target makes it worth it and nothing speaks against it so far: all that is left of the scenarios is to see
// that what was deleted stays away.
func (r *run) drawEarly(ctx context.Context, watched []*played) {
	if r.config.Deep > 0 || r.crew.size() == 1 || !r.crew.distant() || r.Lagged() > 0 || len(r.traffic.Differences()) > 0 {
		return
	}
	d := r.newDrawing(ctx)
	if d == nil || len(d.blockers(nil)) > 0 {
		return
	}
	r.early = &early{d, make(chan struct{}), make(chan struct{})}
	d.judged, d.owed = r.early.judged, rechecksCost(watched)
	go func() {
		defer close(r.early.ended)
		d.play(ctx)
	}()
}

// rechecksCost returns the requests of rechecks that are still to come.
func rechecksCost(watched []*played) story.Cost {
	var c story.Cost
	for _, p := range watched {
		for _, check := range p.t.checks {
			if check.recheck != nil {
				c.Reads += len(check.recheck.readings)
			}
		}
	}
	return c
}

// conclude waits for the stories, once the scenarios have been judged: where that has brought up what would break a
// story, nothing has been judged by any.
func (e *early) conclude() *drawing {
	if e == nil {
		return nil
	}
	close(e.judged)
	<-e.ended
	e.settle()
	return e.drawing
}

// settle waits until the scenarios have been judged, where that is still to come.
func (d *drawing) settle() {
	d.settled.Do(func() {
		if d.judged == nil {
			return
		}
		<-d.judged
		d.broken, d.obstacles = d.run.brokenRules(), d.run.obstacles()
		d.void = len(d.blockers(nil)) > 0
	})
}

// isKnown reports whether scenarios have found a rule broken, or what breaks all stories.
func (d *drawing) isKnown(rule string) bool {
	d.settle()
	return d.void || d.broken[rule] != nil
}

// takes reports whether a difference is to be judged at a place: it is selected, and nothing has judged it before.
func (d *drawing) takes(place rules.Place) bool {
	return !d.isKnown(place.Rule) && d.run.selected.Includes(place.Rule, place.At) && d.claim(place)
}
