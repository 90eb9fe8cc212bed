package model

import (
	"context"
	"sync"

	"github.com/socialfeed/conform/conformance/rules"
)

// A pair of operations at once may come in either order: what follows must agree
// with one of them.

// concurrent is an operation of two at once: its request, and what its success does to a world.
type concurrent struct {
	request Request
	apply   func(*World, Response)
	views   []view
}

// atOnce sends two requests together and leaves the lawful outcomes in t.worlds.
// Where either makes no sense, both are played one after the other.
func (t *telling) atOnce(ctx context.Context, first, second Op) ([]view, error) {
	one, err := t.prepare(ctx, first)
	if err != nil {
		return nil, err
	}
	other, err := t.prepare(ctx, second)
	if err != nil {
		return nil, err
	}
	if one == nil || other == nil {
		views, err := t.perform(ctx, first)
		if err != nil {
			return nil, err
		}
		further, err := t.perform(ctx, second)
		return append(views, further...), err
	}
	answers, errs := t.both(ctx, one.request, other.request)
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	t.tell("at once: %s and %s", first, second)
	t.player.Coverage.did(first.Kind, "at once with "+second.Kind.String())
	forth, back := t.world.clone(), t.world
	for _, order := range []struct {
		world *World
		order [2]int
	}{{forth, [2]int{0, 1}}, {back, [2]int{1, 0}}} {
		for _, i := range order.order {
			if answers[i].OK() {
				[]*concurrent{one, other}[i].apply(order.world, answers[i])
			}
		}
	}
	t.worlds = []*World{forth, back}
	t.world = forth
	return append(one.views, other.views...), nil
}

// both sends two requests at once.
func (t *telling) both(ctx context.Context, first, second Request) ([2]Response, [2]error) {
	var answers [2]Response
	var errs [2]error
	var group sync.WaitGroup
	start := make(chan struct{})
	for i, r := range []Request{first, second} {
		group.Go(func() {
			<-start
			answers[i], errs[i] = t.player.target.Do(ctx, r)
		})
	}
	close(start)
	group.Wait()
	t.outcome.Requests += len(answers)
	t.evidence = append(t.evidence, answers[0].Evidence, answers[1].Evidence)
	return answers, errs
}

// prepare readies an operation to be sent at once with another, nil where it
// makes no sense in the state of the world.
func (t *telling) prepare(ctx context.Context, o Op) (*concurrent, error) {
	a, err := t.actor(ctx, o.A)
	if err != nil || a < 0 || !t.world.users[a].lives() {
		return nil, err
	}
	b, err := t.actor(ctx, o.B)
	if err != nil || b < 0 {
		return nil, err
	}
	token, err := t.session(ctx, a)
	if err != nil || token == "" {
		return nil, err
	}
	c := &concurrent{request: Request{Session: token}}
	t.aim(c, o, pair{a, b})
	if c.apply == nil {
		return nil, nil
	}
	return c, nil
}

// aim gives an operation its request and its effect.
func (t *telling) aim(c *concurrent, o Op, p pair) {
	u := t.world.users[p.from]
	which := t.event(p.from, o.C)
	switch o.Kind {
	case Post:
		fields := Fields{"verb": "like", "priority": o.String()}
		c.request.Endpoint, c.request.Body = rules.CreateEvent, fields
		c.apply = func(w *World, r Response) { w.posted(p.from, fields, r.object()) }
		c.views = t.readers(p.from)
	case Leave:
		c.request.Endpoint = rules.DeleteMe
		c.apply = func(w *World, _ Response) { w.left(p.from) }
		c.views = without(t.readers(p.from), p.from)
	case Follow:
		if p.from == p.to || t.world.relation(p).asked != No {
			return
		}
		c.request.Endpoint, c.request.Body = rules.CreateConnection, Fields{"user_to_id": t.world.users[p.to].id, "type": "follow"}
		c.apply = func(w *World, _ Response) { w.followed(p) }
		c.views = without([]view{own(rules.MyFollows, p.from), own(rules.MyFollowers, p.to), own(rules.Feed, p.from)}, -1)
	case Ask:
		if p.from == p.to || t.world.relation(p).follow != No || t.world.relation(p).asked != No || t.world.relation(p.reversed()).follow != No {
			return
		}
		c.request.Endpoint, c.request.Body = rules.CreateConnection, Fields{"user_to_id": t.world.users[p.to].id, "type": "friend"}
		c.apply = func(w *World, _ Response) { w.asked(p) }
		c.views = []view{own(rules.MyFriends, p.from), own(rules.MyFriends, p.to)}
	case End:
		if p.from == p.to || t.world.friends(p) != No {
			return
		}
		c.request.Endpoint, c.request.ID = rules.DeleteConnection, idText(t.world.users[p.to].id)
		c.apply = func(w *World, _ Response) { w.ended(p) }
		c.views = []view{own(rules.MyFollows, p.from), own(rules.MyFollowers, p.to), own(rules.Feed, p.from)}
	case Change:
		if which < 0 {
			return
		}
		fields := Fields{"verb": "changed", "location": o.String()}
		c.request.Endpoint, c.request.ID, c.request.Body = rules.UpdateEvent, idText(t.world.events[which].id), fields
		c.apply = func(w *World, r Response) { w.changed(which, fields, r.object()) }
		c.views = t.readers(p.from)
	case Remove:
		if which < 0 {
			return
		}
		c.request.Endpoint, c.request.ID = rules.DeleteEvent, idText(t.world.events[which].id)
		c.apply = func(w *World, _ Response) { w.removed(which) }
		c.views = t.readers(p.from)
	case Edit:
		fields := Fields{"user_name": u.name, "email": u.email, "password": u.password, "last_name": o.String()}
		c.request.Endpoint, c.request.Body = rules.UpdateMe, fields
		c.apply = func(w *World, r Response) { w.edited(p.from, fields, r.object()) }
		c.views = []view{own(rules.GetMe, p.from)}
	}
}

func without(views []view, who int) []view {
	var kept []view
	for _, v := range views {
		if v.viewer != who {
			kept = append(kept, v)
		}
	}
	return kept
}
