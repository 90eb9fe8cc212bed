package model

import (
	"cmp"
	"context"
	"fmt"
	"maps"

	"github.com/socialfeed/conform/conformance/rules"
)

// events returns the events of a user that are not deleted, oldest first.
func (t *run) events(owner int) []int {
	var all []int
	for i, e := range t.state.events {
		if e.owner == owner && e.deletedStep == 0 && t.state.users[owner].lives() {
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
func (t *run) post(ctx context.Context, o Op, p pair) []view {
	who := p.from
	send := func(fields Fields) Response {
		return t.sendAs(ctx, who, Request{Endpoint: rules.CreateEvent, Body: fields})
	}
	d := t.payloads.event(o.Values)
	t.aboutUser(d, o.Values)
	answer, sent := t.sendAwkward(d, send)
	if !t.expectAccepted(answer, rules.CreateEvent, sent, send) {
		return nil
	}
	made := answer.object()
	if idText(made["id"]) == "" {
		t.recordDifference(Difference{Rule: "events.create.body", At: rules.CreateEvent, Expected: "an id", Actual: answer.show()})
		return nil
	}
	if got := idText(made["user_id"]); got != idText(t.state.users[who].id) {
		t.recordDifference(Difference{Rule: "events.create.owner", At: rules.CreateEvent, Expected: "user_id " + idText(t.state.users[who].id), Actual: showValue(valueOf(made, "user_id"))})
	}
	which := t.state.posted(who, sent, made)
	t.count(Post, "%d", min(len(t.events(who)), 4))
	t.logf("user %d creates event %d%s", who, which, t.valuesSuffix(o.Values, sent))
	t.judgeEvent(which, made, rules.CreateEvent)
	return t.feedViews(who)
}

// aboutUser makes the object of an event, now and then, a user of the story, to whom the event is
// nothing special.
func (t *run) aboutUser(d *drawnPayload, v int) {
	const often = 3
	living := t.living()
	if _, has := d.fields["object"]; !has || t.story.Plain || scatter(v)%often != 0 || len(living) == 0 {
		return
	}
	d.drop("object")
	who := living[scatter(v)/often%len(living)]
	if first, there := t.slots[0]; there && scatter(v)%2 == 0 { // who is deleted in most stories
		who = first
	}
	u := t.state.users[who]
	custom, _ := u.fields["custom_id"].first().(string)
	ids := []string{idText(u.id), u.name, cmp.Or(custom, u.name), idText(u.id)} // some are known by another name
	about := Fields{"id": ids[scatter(v)/2%len(ids)], "type": "user"}
	d.fields["object"], d.fallback["object"] = about, about
}

// judgeEvent judges the answer to a write of an event.
func (t *run) judgeEvent(which int, answer Fields, at rules.Endpoint) {
	e := t.state.events[which]
	for _, name := range eventFields() {
		want, sent := e.fields[name]
		if !sent {
			want = t.state.choices.unset(name)
		}
		got := valueOf(answer, name)
		if want.allows(got) {
			continue
		}
		e.fields[name] = want.or(got) // reported once
		rule, booked := createRule(name, want, got)
		if at == rules.UpdateEvent {
			rule, booked = "events.update.applies", rules.UpdateEvent
		}
		t.recordDifference(Difference{Rule: rule, At: booked, Expected: name + " " + want.show(), Actual: name + " " + showValue(got)})
	}
}

// change gives an event new values, or those that it had before its latest change.
func (t *run) change(ctx context.Context, o Op, p pair, changes func(*run, Op, *event) *drawnPayload) []view {
	who := p.from
	which := t.event(who, o.Event)
	if which < 0 {
		return nil
	}
	e := t.state.events[which]
	d := changes(t, o, e)
	if d == nil {
		return nil
	}
	t.respectKeyLimit(d, e.fields["metadata"])
	send := func(fields Fields) Response {
		return t.sendAs(ctx, who, Request{Endpoint: rules.UpdateEvent, ID: idText(e.id), Body: fields})
	}
	answer, sent := t.sendAwkward(d, send)
	if !t.expectAccepted(answer, rules.UpdateEvent, sent, send) {
		return nil
	}
	now := answer.object()
	if idText(now["id"]) != idText(e.id) || idText(now["user_id"]) != idText(t.state.users[who].id) || !sameInstant(now["created_at"], e.answer["created_at"]) {
		t.recordDifference(Difference{Rule: "events.update.keeps-identity", At: rules.UpdateEvent,
			Expected: fmt.Sprintf("id %s, user_id %s and created_at %s", idText(e.id), idText(t.state.users[who].id), showValue(e.answer["created_at"])), Actual: answer.show()})
	}
	_, verb := sent["verb"]
	verbWas := e.fields["verb"]
	t.count(o.Kind, "%v %d", e.changedStep > 0, min(len(sent), 3))
	t.state.changed(which, sent, now)
	t.logf("user %d changes event %d%s", who, which, t.valuesSuffix(max(o.Values, 1), sent))
	if got := valueOf(now, "verb"); !verb && !verbWas.allows(got) {
		t.recordDifference(Difference{Rule: "events.update.partial", At: rules.UpdateEvent, Expected: "verb " + verbWas.show(), Actual: showValue(got)})
	} else {
		t.judgeEvent(which, now, rules.UpdateEvent)
	}
	return t.feedViews(who)
}

// newValues returns new values of an event, each third time of a single field.
func newValues(t *run, o Op, _ *event) *drawnPayload {
	d := t.payloads.event(o.Values)
	if o.Values%3 == verbAlone {
		return d.keepOne(o.Values)
	}
	return d
}

func similarValues(t *run, _ Op, e *event) *drawnPayload {
	return t.payloads.begin(e.similarFields())
}

// formerValues returns the values that an event had before its latest change, nil if there was none.
func formerValues(t *run, _ Op, e *event) *drawnPayload {
	if len(e.earlier) == 0 {
		return nil
	}
	return t.payloads.begin(e.previousFields())
}

// respectKeyLimit drops metadata from an update if it could, merged with the present metadata,
// exceed the contract's limit of keys.
func (t *run) respectKeyLimit(d *drawnPayload, was lawful) {
	const most = 10
	newer, _ := d.fields["metadata"].(map[string]any)
	for _, each := range was {
		older, _ := each.(map[string]any)
		if newer != nil && len(merged(older, newer)) > most {
			d.drop("metadata")
		}
	}
}

// remove deletes an event.
func (t *run) remove(ctx context.Context, o Op, p pair) []view {
	who := p.from
	w, there := t.removal(o, who)
	if !there {
		return nil
	}
	which := t.event(who, o.Event)
	answer := t.sendAs(ctx, who, w.request)
	if !t.expect(answer, 204, "events.delete.status", rules.DeleteEvent) {
		return nil
	}
	t.count(Remove, "%v %d", t.state.events[which].changedStep > 0, min(len(t.events(who)), 3))
	w.apply(t.state, answer)
	t.logf("user %d deletes event %d", who, which)
	return w.views
}

// expectAccepted judges the status of a write and reports whether it succeeded. If the target
// refuses it with metadata and accepts it without, the rule to blame is the one about the
// Limits that the metadata reaches.
func (t *run) expectAccepted(answer Response, at rules.Endpoint, sent Fields, send func(Fields) Response) bool {
	status, rule := success(at)
	limited := limitRule(sent["metadata"], rule)
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
