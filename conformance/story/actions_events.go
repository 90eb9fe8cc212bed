package story

import (
	"fmt"
	"maps"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// eventActions are those on events: endpoints 18, 19 and 20.
func eventActions() []*Action {
	return []*Action{
		{Name: "post", Weight: 4, At: rules.CreateEvent, Plans: planPost, Request: requestPost, Expect: succeeds(201, "events.create.status", rules.CreateEvent),
			Apply: applyPost, Compare: comparePost, Views: viewsOfEvents,
			Required: map[string]string{"verb": "events.create.verb-required"},
			Say:      func(s Step) string { return fmt.Sprintf("creates event %d", s.Event) }},
		{Name: "change event", Weight: 6, At: rules.UpdateEvent, Plans: planChange, Request: requestChange, Expect: expectOnEvent(200, "events.update", rules.UpdateEvent),
			Apply: applyChange, Compare: compareChange, Views: viewsOfEvents,
			Say: func(s Step) string { return fmt.Sprintf("changes event %d%s%s", s.Event, ofOther(s), variant(s)) }},
		{Name: "delete event", Weight: 4, At: rules.DeleteEvent, Plans: planRemove, Request: requestRemove, Expect: expectOnEvent(204, "events.delete", rules.DeleteEvent),
			Apply: applyRemove, Views: viewsOfEvents,
			Say: func(s Step) string { return fmt.Sprintf("deletes event %d%s", s.Event, ofOther(s)) }},
	}
}

func ofOther(s Step) string {
	if s.Other == 0 {
		return ""
	}
	return fmt.Sprintf(" of user %d", s.Other)
}

func requestPost(w *World, s Step) (Request, bool) {
	who, there := w.who(s.User, false)
	body := maps.Clone(s.Body)
	if body == nil {
		body = plainEvent()
	}
	if body["verb"] == nil {
		body["verb"] = plainEvent()["verb"]
	}
	_, labelled := w.labels[s.Event]
	return Request{Endpoint: rules.CreateEvent, Body: body}, there && (w.users[who].lives() || s.Session > 0) && !labelled
}

func applyPost(w *World, c call) {
	who, _ := w.who(c.User, false)
	w.posted(who, c.Event, c.Request.Body, c.answer.object())
}

func comparePost(w *World, c call) []Diff {
	which := len(w.events) - 1
	made, d := c.answer.object(), c.diffOf(which)
	if idText(made["id"]) == "" {
		d.Kind, d.Want, d.Got = WrongID, allowed{"of its own"}, c.answer.Body
		return []Diff{d}
	}
	var found []Diff
	if owner := w.users[w.events[which].owner].id; idText(made["user_id"]) != idText(owner) {
		each := d
		each.Kind, each.Field, each.Want, each.Got = WrongField, "user_id", allowed{owner}, valueOf(made, "user_id")
		found = append(found, each)
	}
	return append(found, w.diffWritten(d, which, made)...)
}

// diffOf returns the beginning of a difference that the answer to a write of an event shows.
func (c call) diffOf(which int) Diff {
	return Diff{Step: c.Step, At: c.Endpoint, Status: c.answer.Status, App: c.App, View: sighting{at: c.Endpoint, viewer: -1, owner: -1, isEvent: true, subject: which}}
}

// diffWritten compares the answer to a write of an event with what was written. What differs is
// taken over, so that it is reported once.
func (w *World) diffWritten(d Diff, which int, answer Fields) []Diff {
	e := &w.events[which]
	choices := w.choices[w.users[e.owner].app]
	fields := maps.Clone(e.fields)
	var found []Diff
	for _, name := range eventFields() {
		want, sent := e.fields[name]
		if !sent {
			want = choices.unset(name)
		}
		got := valueOf(answer, name)
		if want.allows(got) {
			continue
		}
		fields[name] = want.or(got)
		each := d
		each.Kind, each.Field, each.Want, each.Got = WrongField, name, want, got
		found = append(found, each)
	}
	e.fields = fields
	return found
}

// eventOf returns the event that a step names, of its owner; false if it was not created.
func (w *World) eventOf(s Step) (int, bool) {
	which, there := w.labels[s.Event]
	if !there {
		return -1, false
	}
	owner, known := w.who(s.owner(), s.Former)
	return which, known && w.events[which].owner == owner
}

// onEvent reports whether a step on an event makes sense, and which event it is.
func (w *World) onEvent(s Step) (int, bool) {
	which, there := w.eventOf(s)
	who, known := w.who(s.User, false)
	if !there || !known || !w.users[who].lives() && s.Session == 0 {
		return -1, false
	}
	if w.elsewhere(pair{who, w.events[which].owner}) {
		_, own := w.eventByID(w.users[who].app, idText(w.events[which].id))
		return which, !own
	}
	return which, true
}

// requestChange returns the request that changes an event: to a body, to what it was before, or to
// similar values.
func requestChange(w *World, s Step) (Request, bool) {
	which, ok := w.onEvent(s)
	if !ok {
		return Request{}, false
	}
	e := &w.events[which]
	body := Fields{}
	switch s.How {
	case back:
		if len(e.earlier) == 0 {
			return Request{}, false
		}
		for _, name := range eventFields() {
			if v := valueOf(e.earlier[len(e.earlier)-1], name); !same(v, absent{}) {
				body[name] = v
			}
		}
	case unchanged:
		for name, values := range e.fields {
			if _, missing := values.first().(absent); len(values) == 1 && !missing {
				body[name] = values[0]
			}
		}
	case similar:
		maps.Copy(body, e.similarFields())
	}
	maps.Copy(body, s.Body)
	w.respectKeyLimit(body, e.fields["metadata"], Unknown)
	return Request{Endpoint: rules.UpdateEvent, ID: idText(e.id), Body: body}, len(body) > 0
}

func requestRemove(w *World, s Step) (Request, bool) {
	which, ok := w.onEvent(s)
	if !ok {
		return Request{}, false
	}
	return Request{Endpoint: rules.DeleteEvent, ID: idText(w.events[which].id)}, true
}

// expectOnEvent returns what a write of an event is answered with: another user's must be refused,
// and so must one that was deleted, though a second deletion may succeed.
func expectOnEvent(status int, part string, at rules.Endpoint) func(*World, Step) Expect {
	return func(w *World, s Step) Expect {
		which, _ := w.eventOf(s)
		who, _ := w.who(s.User, false)
		switch {
		case w.elsewhere(pair{who, w.events[which].owner}):
			if at == rules.DeleteEvent {
				return Expect{Status: status, Either: true, Rule: isolation, At: rules.GetUser}
			}
			return Expect{Rule: isolation, At: rules.GetUser}
		case !w.stands(which):
			if at == rules.DeleteEvent {
				return Expect{Status: status, Either: true, Rule: part + ".unknown", At: at}
			}
			return Expect{Rule: part + ".unknown", At: at}
		case w.events[which].owner != who:
			return Expect{Refusals: []int{403, 404}, Rule: part + ".others", At: at}
		}
		return Expect{Status: status, Rule: part + ".status", At: at}
	}
}

// mine reports whether the event of a step stands and is its user's.
func (w *World) mine(s Step) (int, bool) {
	which, there := w.eventOf(s)
	who, _ := w.who(s.User, false)
	return which, there && w.stands(which) && w.events[which].owner == who
}

func applyChange(w *World, c call) {
	if which, own := w.mine(c.Step); own {
		w.changedEvent(which, c.Request.Body, c.answer.object())
	}
}

func compareChange(w *World, c call) []Diff {
	which, own := w.mine(c.Step)
	if !own {
		return nil
	}
	e, now, d := &w.events[which], c.answer.object(), c.diffOf(which)
	var found []Diff
	if idText(now["id"]) != idText(e.id) || idText(now["user_id"]) != idText(w.users[e.owner].id) {
		each := d
		each.Kind, each.Want, each.Got = WrongID, allowed{e.id}, valueOf(now, "id")
		found = append(found, each)
	}
	if was := e.earlier[len(e.earlier)-1]; !sameInstant(now["created_at"], was["created_at"]) {
		each := d
		each.Kind, each.Field, each.Want, each.Got = WrongTime, "created_at", allowed{valueOf(was, "created_at")}, valueOf(now, "created_at")
		found = append(found, each)
	}
	written := w.diffWritten(d, which, now)
	if _, sent := c.Request.Body["verb"]; !sent { // that the verb stays is a rule of its own
		if i := slices.IndexFunc(written, func(d Diff) bool { return d.Field == "verb" }); i >= 0 {
			written = written[i : i+1]
		}
	}
	return append(found, written...)
}

func applyRemove(w *World, c call) {
	if which, own := w.mine(c.Step); own {
		w.deletedEvent(which)
		return
	}
	which, _ := w.eventOf(c.Step)
	who, _ := w.who(c.User, false)
	w.record(past{do: "delete event", user: who, other: w.events[which].owner, event: which, refused: byAbsence})
}
