package play

import (
	"cmp"
	"context"
	"fmt"
	"maps"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/body"
	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/model/world"
	"github.com/socialfeed/conform/conformance/rules"
)

// events returns the events of a user that are not deleted, oldest first.
func (t *run) events(owner int) []int {
	var all []int
	for i, e := range t.state.Events {
		if e.Owner == owner && e.DeletedStep == 0 && t.state.Users[owner].Lives() {
			all = append(all, i)
		}
	}
	return all
}

// event returns the user's event that an operation chooses, -1 if there is none.
func (t *run) event(owner, which int) int {
	all := t.events(owner)
	if len(all) == 0 {
		return -1
	}
	return all[which%len(all)]
}

// post creates an event.
func (t *run) post(ctx context.Context, o story.Op, p world.Pair) []world.View {
	who := p.From
	send := func(fields value.Fields) exchange.Response {
		return t.sendAs(ctx, who, exchange.Request{Endpoint: rules.CreateEvent, Body: fields})
	}
	d := t.payloads.Event(o.Values)
	t.aboutUser(d, o.Values)
	answer, sent := t.sendAwkward(d, send)
	if !t.expectAccepted(answer, rules.CreateEvent, sent, send) {
		return nil
	}
	made := answer.Object()
	if value.ID(made["id"]) == "" {
		t.recordDifference(blame.Difference{Rule: "events.create.body", At: rules.CreateEvent, Expected: "an id", Actual: answer.Show()})
		return nil
	}
	if got := value.ID(made["user_id"]); got != value.ID(t.state.Users[who].ID) {
		t.recordDifference(blame.Difference{Rule: "events.create.owner", At: rules.CreateEvent, Expected: "user_id " + value.ID(t.state.Users[who].ID), Actual: value.Show(value.Of(made, "user_id"))})
	}
	which := t.state.Posted(who, sent, made)
	t.count(story.Post, "%d", min(len(t.events(who)), 4))
	t.logf("user %d creates event %d%s", who, which, t.valuesSuffix(o.Values, sent))
	t.judgeEvent(which, made, rules.CreateEvent)
	return t.feedViews(who)
}

// aboutUser makes the object of an event, now and then, a user of the story, to whom the event is
// nothing special.
func (t *run) aboutUser(d *body.Drawn, v int) {
	const often = 3
	living := t.living()
	if _, has := d.Fields["object"]; !has || t.story.Plain || value.Scatter(v)%often != 0 || len(living) == 0 {
		return
	}
	d.Drop("object")
	who := living[value.Scatter(v)/often%len(living)]
	if first, there := t.slots[0]; there && value.Scatter(v)%2 == 0 { // who is deleted in most stories
		who = first
	}
	u := t.state.Users[who]
	custom, _ := u.Fields["custom_id"].First().(string)
	ids := []string{value.ID(u.ID), u.Name, cmp.Or(custom, u.Name), value.ID(u.ID)} // some are known by another name
	about := value.Fields{"id": ids[value.Scatter(v)/2%len(ids)], "type": "user"}
	d.Fields["object"], d.Fallback["object"] = about, about
}

// judgeEvent judges the answer to a write of an event.
func (t *run) judgeEvent(which int, answer value.Fields, at rules.Endpoint) {
	e := t.state.Events[which]
	for _, name := range value.EventFields() {
		want, sent := e.Fields[name]
		if !sent {
			want = t.state.Choices.Unset(name)
		}
		got := value.Of(answer, name)
		if want.Allows(got) {
			continue
		}
		e.Fields[name] = want.Or(got) // reported once
		rule, booked := blame.Created(name, want, got)
		if at == rules.UpdateEvent {
			rule, booked = "events.update.applies", rules.UpdateEvent
		}
		t.recordDifference(blame.Difference{Rule: rule, At: booked, Expected: name + " " + want.Show(), Actual: name + " " + value.Show(got)})
	}
}

// change gives an event new values, or those that it had before its latest change.
func (t *run) change(ctx context.Context, o story.Op, p world.Pair, changes func(*run, story.Op, *world.Event) *body.Drawn) []world.View {
	who := p.From
	which := t.event(who, o.Event)
	if which < 0 {
		return nil
	}
	e := t.state.Events[which]
	d := changes(t, o, e)
	if d == nil {
		return nil
	}
	t.respectKeyLimit(d, e.Fields["metadata"])
	send := func(fields value.Fields) exchange.Response {
		return t.sendAs(ctx, who, exchange.Request{Endpoint: rules.UpdateEvent, ID: value.ID(e.ID), Body: fields})
	}
	answer, sent := t.sendAwkward(d, send)
	if !t.expectAccepted(answer, rules.UpdateEvent, sent, send) {
		return nil
	}
	now := answer.Object()
	if value.ID(now["id"]) != value.ID(e.ID) || value.ID(now["user_id"]) != value.ID(t.state.Users[who].ID) || !value.SameInstant(now["created_at"], e.Answer["created_at"]) {
		t.recordDifference(blame.Difference{Rule: "events.update.keeps-identity", At: rules.UpdateEvent,
			Expected: fmt.Sprintf("id %s, user_id %s and created_at %s", value.ID(e.ID), value.ID(t.state.Users[who].ID), value.Show(e.Answer["created_at"])), Actual: answer.Show()})
	}
	_, verb := sent["verb"]
	verbWas := e.Fields["verb"]
	t.count(o.Kind, "%v %d", e.ChangedStep > 0, min(len(sent), 3))
	t.state.Changed(which, sent, now)
	t.logf("user %d changes event %d%s", who, which, t.valuesSuffix(max(o.Values, 1), sent))
	if got := value.Of(now, "verb"); !verb && !verbWas.Allows(got) {
		t.recordDifference(blame.Difference{Rule: "events.update.partial", At: rules.UpdateEvent, Expected: "verb " + verbWas.Show(), Actual: value.Show(got)})
	} else {
		t.judgeEvent(which, now, rules.UpdateEvent)
	}
	return t.feedViews(who)
}

// newValues returns new values of an event, each third time of a single field.
func newValues(t *run, o story.Op, _ *world.Event) *body.Drawn {
	d := t.payloads.Event(o.Values)
	if o.Values%3 == story.VerbAlone {
		return d.KeepOne(o.Values)
	}
	return d
}

func similarValues(t *run, _ story.Op, e *world.Event) *body.Drawn {
	return t.payloads.Begin(e.SimilarFields())
}

// formerValues returns the values that an event had before its latest change, nil if there was none.
func formerValues(t *run, _ story.Op, e *world.Event) *body.Drawn {
	if len(e.Earlier) == 0 {
		return nil
	}
	return t.payloads.Begin(e.PreviousFields())
}

// respectKeyLimit drops metadata from an update if it could, merged with the present metadata,
// exceed the contract's limit of keys.
func (t *run) respectKeyLimit(d *body.Drawn, was value.Set) {
	const most = 10
	newer, _ := d.Fields["metadata"].(map[string]any)
	for _, each := range was {
		older, _ := each.(map[string]any)
		if newer != nil && len(value.Merge(older, newer)) > most {
			d.Drop("metadata")
		}
	}
}

// remove deletes an event.
func (t *run) remove(ctx context.Context, o story.Op, p world.Pair) []world.View {
	who := p.From
	w, there := t.removal(o, who)
	if !there {
		return nil
	}
	which := t.event(who, o.Event)
	answer := t.sendAs(ctx, who, w.request)
	if !t.expect(answer, 204, "events.delete.status", rules.DeleteEvent) {
		return nil
	}
	t.count(story.Remove, "%v %d", t.state.Events[which].ChangedStep > 0, min(len(t.events(who)), 3))
	w.apply(t.state, answer)
	t.logf("user %d deletes event %d", who, which)
	return w.views
}

// expectAccepted judges the status of a write and reports whether it succeeded. If the target
// refuses it with metadata and accepts it without, the rule to blame is the one about the
// Limits that the metadata reaches.
func (t *run) expectAccepted(answer exchange.Response, at rules.Endpoint, sent value.Fields, send func(value.Fields) exchange.Response) bool {
	status, rule := success(at)
	limited := blame.Limit(sent["metadata"], rule)
	if !answer.Refused() || limited == rule {
		return t.expect(answer, status, rule, at)
	}
	without := maps.Clone(sent)
	delete(without, "metadata")
	again := send(without)
	if !again.OK() {
		return t.expect(answer, status, rule, at)
	}
	t.expect(answer, status, limited, at)
	t.lost = true // its fields are unknown now
	return false
}
