package conformance

import (
	"context"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/conformance/explore"
	"github.com/socialfeed/conform/conformance/grid"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// together sends many of the grid's cases in few requests: each carries a group of cases that need
// not be refused. A request that is refused is tried by halves. A case that is refused by itself leaves the
// groups of the endpoints that follow: it would hide the others there.
func (d *drawing) together(ctx context.Context) part {
	most, arranged := story.Cost{Writes: 20, Reads: 3, Deletes: 20}, story.Cost{Writes: 1}
	t := newT(ctx, d.run, &scenario{text: result.StoryPrefix + "requests with many peculiarities"})
	g := &gridPlay{d: d, t: t, open: t.reusingActor(reusableUser.untouched), stranger: t.reusedActor(), controls: map[rules.Endpoint]*gridControl{}}
	for _, a := range []*Actor{g.open, g.stranger} {
		if a == nil {
			arranged.Writes++
		}
	}
	return part{most.Plus(arranged), func() {
		defer d.cleanUpStory(ctx, t)
		if outcomeOf(g.arrangeOpen) == nil { // else the rules about what was arranged say why
			g.playTogether(ctx, most)
		}
	}}
}

// playTogether sends groups of cases, with so many requests at most.
func (g *gridPlay) playTogether(ctx context.Context, most story.Cost) {
	d := g.d
	together := &groupPlay{gridPlay: g, left: most, refused: map[string]bool{}}
	for cases := range grid.Together(uint64(d.run.config.Seed)) {
		if left := together.left; d.run.ended(ctx) != nil || left.Writes <= 0 && left.Reads <= 0 {
			break
		}
		outcomeOf(func() { together.try(cases) }) // a request without an answer is reported by the passive rules
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.drawn.Requests += g.requests
}

// arrangeOpen arranges the user whose requests may succeed.
func (g *gridPlay) arrangeOpen() {
	if g.open == nil {
		g.open = g.t.Actor()
	}
	if g.stranger == nil {
		g.stranger = g.t.AnyActor()
	}
	g.events = map[*Actor]string{g.open: g.open.Post(nil).ID()}
}

// groupPlay sends groups of cases.
type groupPlay struct {
	*gridPlay
	updated *Actor          // whose updates may change what it logs in by
	left    story.Cost      // what it may still send
	refused map[string]bool // the classes that were refused by themselves
}

// try sends a group.
func (g *groupPlay) try(cases []grid.Case) {
	cases = slices.DeleteFunc(slices.Clone(cases), func(c grid.Case) bool { return g.refused[c.Class] })
	if len(cases) == 0 {
		return
	}
	at := cases[0].Endpoint
	cost := explore.RequestCost(at, true)
	if !cost.Within(g.left) {
		return
	}
	g.left = g.left.Minus(cost)
	answer := g.sendCases(g.by(at), cases, false)
	unwanted := cases[0].Reception == grid.Unwanted // as all of a group
	switch status := answer.Status(); {
	case status < http.StatusBadRequest:
		g.count(cases)
	case len(cases) == 1 && allowed(cases[0], answer), unwanted && status < http.StatusInternalServerError:
		g.refused[cases[0].Class] = !unwanted
		g.count(cases)
	case len(cases) == 1:
		g.gridPlay.try(cases[0])
	default:
		half := len(cases) / 2
		g.try(cases[:half])
		g.try(cases[half:])
	}
}

// by is who sends a group to an endpoint.
func (g *groupPlay) by(at rules.Endpoint) *Actor {
	if !at.ChangesLogin() {
		return g.sender(at, g.open)
	}
	if g.updated == nil {
		g.updated = g.t.Actor()
	}
	return g.updated
}
