package model

import (
	"context"
	"fmt"
	"maps"

	"github.com/socialfeed/conform/conformance/rules"
)

// events are the events of a user that stand, oldest first.
func (t *playthrough) events(owner int) []int {
	var all []int
	for i, e := range t.world.events {
		if e.owner == owner && e.gone == 0 && t.world.users[owner].lives() {
			all = append(all, i)
		}
	}
	return all
}

// event is the user's event that an operation chooses, -1 where there is none.
func (t *playthrough) event(owner, which int) int {
	all := t.events(owner)
	if len(all) == 0 {
		return -1
	}
	return all[abs(which)%len(all)]
}

func (t *playthrough) post(ctx context.Context, o Op, who int) []view {
	send := func(fields Fields) Response {
		return t.sendAs(ctx, who, Request{Endpoint: rules.CreateEvent, Body: fields})
	}
	answer, sent := t.sendAwkward(t.payloads.event(o.V), send)
	if !t.expectTaken(answer, rules.CreateEvent, sent, send) {
		return nil
	}
	made := answer.object()
	if idText(made["id"]) == "" {
		t.differ(Difference{Rule: "events.create.body", At: rules.CreateEvent, Expected: "an id", Actual: answer.show()})
		return nil
	}
	if got := idText(made["user_id"]); got != idText(t.world.users[who].id) {
		t.differ(Difference{Rule: "events.create.owner", At: rules.CreateEvent, Expected: "user_id " + idText(t.world.users[who].id), Actual: showValue(valueOf(made, "user_id"))})
	}
	which := t.world.posted(who, sent, made)
	t.covered(Post, "%d", min(len(t.events(who)), 4))
	t.tell("user %d creates event %d%s", who, which, t.with(o.V, sent))
	t.judgeEvent(which, made, rules.CreateEvent)
	return t.readers(who)
}

// judgeEvent judges the answer to a write of an event.
func (t *playthrough) judgeEvent(which int, answer Fields, at rules.Endpoint) {
	e := t.world.events[which]
	for _, name := range eventFields() {
		want, sent := e.fields[name]
		if !sent {
			want = t.world.choices.unset(name)
		}
		got := valueOf(answer, name)
		if want.allows(got) {
			continue
		}
		e.fields[name] = want.or(got) // told once
		rule, booked := createRule(name, want, got)
		if at == rules.UpdateEvent {
			rule, booked = "events.update.applies", rules.UpdateEvent
		}
		t.differ(Difference{Rule: rule, At: booked, Expected: name + " " + want.show(), Actual: name + " " + showValue(got)})
	}
}

func createRule(field string, want lawful, got any) (string, rules.Endpoint) {
	switch field {
	case "verb":
		return unicodeRule(want, got, rules.CreateEvent, "events.create.body")
	case "latitude", "longitude":
		return "events.create.coordinates", rules.CreateEvent
	}
	return unicodeRule(want, got, rules.CreateEvent, "events.create.echo")
}

// change gives an event new values, or those that it had before its latest change.
func (t *playthrough) change(ctx context.Context, o Op, who int) []view {
	which := t.event(who, o.C)
	if which < 0 {
		return nil
	}
	e := t.world.events[which]
	d := t.payloads.event(o.V)
	if o.Kind == ChangeBack {
		if len(e.earlier) == 0 {
			return nil
		}
		d = t.payloads.begin(e.asItWas())
	} else if o.Kind == Tweak {
		d = t.payloads.begin(e.nearly())
	} else if abs(o.V)%3 == 2 { // one field alone
		d = d.one(o.V)
	}
	t.spare(d, e.fields["metadata"])
	send := func(fields Fields) Response {
		return t.sendAs(ctx, who, Request{Endpoint: rules.UpdateEvent, ID: idText(e.id), Body: fields})
	}
	answer, sent := t.sendAwkward(d, send)
	if !t.expectTaken(answer, rules.UpdateEvent, sent, send) {
		return nil
	}
	now := answer.object()
	if idText(now["id"]) != idText(e.id) || idText(now["user_id"]) != idText(t.world.users[who].id) || !sameInstant(now["created_at"], e.answer["created_at"]) {
		t.differ(Difference{Rule: "events.update.keeps-identity", At: rules.UpdateEvent,
			Expected: fmt.Sprintf("id %s, user_id %s and created_at %s", idText(e.id), idText(t.world.users[who].id), showValue(e.answer["created_at"])), Actual: answer.show()})
	}
	_, verb := sent["verb"]
	verbWas := e.fields["verb"]
	t.covered(o.Kind, "%v %d", e.changed > 0, min(len(sent), 3))
	t.world.changed(which, sent, now)
	t.tell("user %d changes event %d%s", who, which, t.with(max(o.V, 1), sent))
	if got := valueOf(now, "verb"); !verb && !verbWas.allows(got) {
		t.differ(Difference{Rule: "events.update.partial", At: rules.UpdateEvent, Expected: "verb " + verbWas.show(), Actual: showValue(got)})
	} else {
		t.judgeEvent(which, now, rules.UpdateEvent)
	}
	return t.readers(who)
}

// spare leaves metadata out of an update where, added to what there is, it could
// have more keys than the contract's Limits allow.
func (t *playthrough) spare(d *payload, was lawful) {
	const most = 10
	newer, _ := d.fields["metadata"].(map[string]any)
	for _, each := range was {
		older, _ := each.(map[string]any)
		if newer != nil && len(merged(older, newer)) > most {
			d.leaveOut("metadata")
		}
	}
}

// asItWas are the values that an event had before its latest change.
func (e *event) asItWas() Fields {
	before := e.earlier[len(e.earlier)-1]
	fields := Fields{}
	for _, name := range eventFields() {
		if v := valueOf(before, name); !same(v, absent{}) {
			fields[name] = v
		}
	}
	return fields
}

// one keeps one of the fields.
func (d *payload) one(v int) *payload {
	names := eventFields()
	for i := range names {
		name := names[(abs(v)/3+i)%len(names)]
		if _, there := d.fields[name]; there {
			return d.only(name)
		}
	}
	return d
}

func (t *playthrough) remove(ctx context.Context, o Op, who int) []view {
	which := t.event(who, o.C)
	if which < 0 {
		return nil
	}
	readers := t.readers(who)
	answer := t.sendAs(ctx, who, Request{Endpoint: rules.DeleteEvent, ID: idText(t.world.events[which].id)})
	if !t.expect(answer, 204, "events.delete.status", rules.DeleteEvent) {
		return nil
	}
	t.covered(Remove, "%v %d", t.world.events[which].changed > 0, min(len(t.events(who)), 3))
	t.world.removed(which)
	t.tell("user %d deletes event %d", who, which)
	return readers
}

// expectTaken judges the status of a write and reports whether it succeeded. One that is
// refused with metadata, and taken without, is for the rule about the contract's Limits that
// the metadata reach.
func (t *playthrough) expectTaken(answer Response, at rules.Endpoint, sent Fields, send func(Fields) Response) bool {
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
	t.lost = true // what it has now the story does not know
	return false
}
