package conformance

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/conformance/explore"
	"github.com/socialfeed/conform/conformance/grid"
	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/play"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// gridPlay sends a batch of the grid's cases with users of its own. Each endpoint is first seen to
// accept the plain request. What must be refused is the subject's, and must change nothing of
// what the subject and its reader see. What may be accepted is the open user's.
type gridPlay struct {
	d             *drawing
	t             *T
	subject, open *Actor
	reader        *Actor            // follows the subject
	stranger      *Actor            // whom nobody follows
	events        map[*Actor]string // the id of one event of the subject's and of the open user's
	controls      map[rules.Endpoint]*gridControl
	requests      int
	shown         []string // the rules of which a difference showed
}

// gridControl is what an endpoint answers to plain requests.
type gridControl struct {
	accepts, acceptsFurther bool
	exchange                *wire.Exchange
}

// playCases plays cases, and judges the rules of those that show a difference each time.
func (d *drawing) playCases(ctx context.Context, j explore.Job) {
	t := newT(ctx, d.run, &scenario{text: result.StoryPrefix + j.Name(), kept: j.Kept != nil})
	defer d.cleanUpStory(ctx, t)
	g := &gridPlay{d: d, t: t, controls: map[rules.Endpoint]*gridControl{}}
	err := g.play(ctx, j.Cases)
	d.mu.Lock()
	d.drawn.Stories++
	d.drawn.Requests += g.requests
	d.mu.Unlock()
	if j.Kept != nil {
		d.countKept(ctx, t, j.Kept, slices.Contains(g.shown, j.Kept.Rule), err)
	}
	d.run.report(d.progress(t.scenario.text))
}

// play sends the cases, and looks at the end whether the refused ones have changed anything.
func (g *gridPlay) play(ctx context.Context, cases []grid.Case) error {
	var before any
	if outcomeOf(func() { g.arrange(); before = g.seen() }) != nil {
		return g.d.run.ended(ctx) // the rules about what was arranged say why
	}
	for _, c := range cases {
		if err := g.d.run.ended(ctx); err != nil {
			return err
		}
		outcomeOf(func() { g.try(c) }) // a request without an answer is reported by the passive rules
	}
	outcomeOf(func() {
		if after := g.seen(); !jsonvalue.Equal(before, after) {
			g.blameChange(cases, after)
		}
	})
	return g.d.run.ended(ctx)
}

func (g *gridPlay) arrange() {
	t := g.t
	g.subject, g.open, g.reader, g.stranger = t.Actor(), t.AnyActor(), t.Actor(), t.AnyActor()
	g.reader.Follow(g.subject)
	g.events = map[*Actor]string{g.subject: g.subject.Post(nil).ID(), g.open: g.open.Post(nil).ID()}
	t.Require("feed.follow.new-events", func() []Record { return t.Send(g.reader, rules.Feed).Records() }, Condition(func(feed []Record) Mismatch {
		if slices.ContainsFunc(feed, func(each Record) bool { return each.ID() == g.events[g.subject] }) {
			return Mismatch{}
		}
		return Mismatch{Expected: "the event of a followed user in the feed", Actual: "none"}
	}))
}

// try sends a case, and judges its rule where the answer is wrong each time that it is sent.
func (g *gridPlay) try(c grid.Case) {
	control := g.control(c.Endpoint)
	if !control.accepts {
		return // without an accepted control a refusal proves nothing
	}
	g.count([]grid.Case{c})
	answer := g.send(&c)
	if allowed(c, answer) {
		return
	}
	seen := 0
	for range confirmations {
		if again := g.send(&c); !allowed(c, again) {
			answer = again
			seen++
		}
	}
	if g.stillAccepts(c, answer) {
		g.judge(c, expectedOf(c), answer.summary(), seen, control.exchange, answer.exchange)
	}
}

// count counts the cases as tried.
func (g *gridPlay) count(cases []grid.Case) {
	g.d.mu.Lock()
	defer g.d.mu.Unlock()
	for _, c := range cases {
		g.d.coverage["input "+c.Endpoint.String()+" "+c.Field+"/"+c.Class]++
	}
}

// stillAccepts reports whether an answer is about the case: not where the sender's session has ended
// since the endpoint accepted the plain request.
func (g *gridPlay) stillAccepts(c grid.Case, answer *Answer) bool {
	if len(c.Refused) > 0 { // the subject's, whom a plain request would change
		return c.Endpoint.Caller() != rules.SessionUser || answer.Status() != http.StatusUnauthorized
	}
	return g.sendBy(g.sender(c.Endpoint, g.open), c.Endpoint, nil).Succeeded()
}

// allowed reports whether a server may answer a case so.
func allowed(c grid.Case, answer *Answer) bool {
	switch status := answer.Status(); {
	case len(c.Refused) > 0:
		return slices.Contains(c.Refused, status)
	case c.Accepted:
		return status/100 == 2
	default:
		return status < 500
	}
}

// expectedOf is what the contract asks of a server that gets a case.
func expectedOf(c grid.Case) string {
	switch {
	case len(c.Refused) > 0:
		return fmt.Sprintf("%d for %s", c.Refused[0], c)
	case c.Accepted:
		return fmt.Sprintf("%d for %s, as without it", c.Endpoint.Success(), c)
	}
	return fmt.Sprintf("no 5xx for %s", c)
}

// judge makes a check of a case's rule, once for each rule at each endpoint.
func (g *gridPlay) judge(c grid.Case, expected, actual string, seen int, evidence ...any) {
	difference := blame.Difference{Rule: c.Rule, At: c.Endpoint, Expected: expected, Actual: actual, Evidence: evidence}
	d := g.d
	g.shown = append(g.shown, c.Rule)
	place, known := d.run.placeOf(difference)
	if !known || !d.takes(place) {
		return
	}
	d.judgeFinding(g.t, place, play.Finding{
		Difference: difference, Seen: seen, Stable: seen == confirmations, Inputs: []rules.Input{c.Input},
		Log: []string{fmt.Sprintf("%s is sent %s", c.Endpoint, expected)},
	})
}

// control sends plain requests to an endpoint, once.
func (g *gridPlay) control(at rules.Endpoint) *gridControl {
	control, known := g.controls[at]
	if !known {
		control = &gridControl{}
		g.controls[at] = control
		answer := g.sendBy(g.sender(at, g.open), at, nil)
		control.accepts, control.exchange = answer.Succeeded(), answer.exchange
		if control.accepts && at.Request().HasFurther() {
			control.acceptsFurther = g.sendBy(g.open, at, carryFurther).Succeeded()
		}
	}
	return control
}

// send sends a case. What must be refused carries further fields, if the endpoint takes them: none
// of them must show afterwards.
func (g *gridPlay) send(c *grid.Case) *Answer {
	by := g.open
	cases := []grid.Case{*c}
	further := false
	if len(c.Refused) > 0 {
		by = g.subject
		further = g.controls[c.Endpoint].acceptsFurther
	}
	return g.sendCases(g.sender(c.Endpoint, by), cases, further)
}

// sendCases sends a request with some cases, all of one endpoint.
func (g *gridPlay) sendCases(by *Actor, cases []grid.Case, further bool) *Answer {
	var what []string
	for _, c := range cases {
		what = append(what, c.String())
	}
	return g.sendBy(by, cases[0].Endpoint, func(m *grid.Message) {
		if further {
			carryFurther(m)
		}
		grid.ApplyAll(m, cases)
	}, tried(what))
}

func carryFurther(m *grid.Message) {
	for name, value := range m.Further {
		m.Body[name] = value
	}
}

// sender is who sends a request to an endpoint: a new user, where the request may end its session.
func (g *gridPlay) sender(at rules.Endpoint, otherwise *Actor) *Actor {
	if at.EndsSession() {
		return g.t.Actor()
	}
	return otherwise
}
