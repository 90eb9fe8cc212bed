package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/rules"
)

// cap is how many entries a list must be able to hold: a server may show no more.
const promisedLength = 20

// judgeFeed compares a feed with the world.
func (w *World) judgeFeed(reader int, r Response) []Difference {
	v := own(rules.Feed, reader)
	objects, ok := r.objects()
	if r.Status != 200 || !ok {
		rule := "feed.status"
		if !slices.ContainsFunc(w.events, func(e *event) bool { return w.shows(reader, e) != No }) {
			rule = "feed.empty"
		}
		return []Difference{{Rule: rule, At: rules.Feed, Expected: "200 and an array of events", Actual: r.show(), key: v.entry("")}}
	}
	var found []Difference
	shown := map[int]int{}
	for _, o := range objects {
		id := idText(o["id"])
		which, known := w.eventByID(id)
		if !known {
			rule, at := "feed.only-connected", rules.Feed
			if o["verb"] == hauntedValue {
				rule, at = "auth.no-effect", rules.CreateEvent
			}
			found = append(found, Difference{Rule: rule, At: at, key: v.entry(id),
				Expected: "events of connected users alone", Actual: "event " + id + ", which none of them created"})
			continue
		}
		if shown[which]++; shown[which] > 1 {
			continue
		}
		if w.shows(reader, w.events[which]) == No {
			found = append(found, w.extraEvent(reader, which))
			continue
		}
		found = append(found, w.judgeShape(v, which, o)...)
	}
	found = append(found, w.repeated(reader, shown)...)
	found = append(found, w.missingEvents(reader, objects, shown)...)
	return append(found, disorder(v, objects)...)
}

// repeated are the events that a feed shows more than once.
func (w *World) repeated(reader int, shown map[int]int) []Difference {
	var found []Difference
	for which, times := range shown {
		if times < 2 || w.shows(reader, w.events[which]) == No {
			continue
		}
		e := w.events[which]
		rule := "feed.merge"
		p := pair{reader, e.owner}
		if w.relation(p).follow == Yes && w.friends(p) != No {
			rule = "feed.no-duplicates"
		}
		found = append(found, Difference{Rule: rule, At: rules.Feed, key: own(rules.Feed, reader).entry("twice " + idText(e.id)),
			Expected: "event " + idText(e.id) + " once", Actual: fmt.Sprintf("it stands there %d times", times)})
	}
	return found
}

// missingEvents are the events that a feed lacks. Of a feed longer than every
// server must show, the oldest may be cut off.
func (w *World) missingEvents(reader int, objects []Fields, shown map[int]int) []Difference {
	var found []Difference
	for which, e := range w.events {
		if w.shows(reader, e) != Yes || shown[which] > 0 {
			continue
		}
		if len(objects) >= promisedLength && olderThanAll(e.answer["created_at"], objects) {
			continue
		}
		rule, at := w.missingRule(reader, which, shown)
		found = append(found, Difference{Rule: rule, At: at, symptom: "event missing", subject: idText(e.id), key: own(rules.Feed, reader).entry(idText(e.id)),
			Expected: fmt.Sprintf("event %s of user %d in the feed of user %d", idText(e.id), e.owner, reader),
			Actual:   fmt.Sprintf("a feed of %d events without it", len(objects))})
	}
	return found
}

func olderThanAll(created any, objects []Fields) bool {
	t, ok := instant(created)
	if !ok {
		return false
	}
	for _, o := range objects {
		if other, ok := instant(o["created_at"]); ok && other.Before(t) {
			return false
		}
	}
	return true
}

// missingRule is the rule that stands for an event in a feed that lacks it: for
// what happened since it was seen there, or for how it should have come there.
func (w *World) missingRule(reader, which int, shown map[int]int) (string, rules.Endpoint) {
	e := w.events[which]
	p := pair{reader, e.owner}
	r := w.relation(p)
	last := w.seen[own(rules.Feed, reader).entry(idText(e.id))]
	switch {
	case r.follow == Yes && w.endedByOther(p, max(r.followed, last-1)):
		return "connections.delete.only-own", rules.DeleteConnection
	case e.coveted >= max(last, 1):
		return "events.delete.others", rules.DeleteEvent
	case e.haunted >= max(last, 1):
		return "auth.no-effect", rules.DeleteEvent
	}
	if last > max(r.ended, 0) {
		if rule, at := w.lossRule(p, which, w.since(last-1)); rule != "" {
			return rule, at
		}
	}
	switch {
	case len(shown) > 0 && w.followsSeveral(reader):
		return "feed.merge", rules.Feed
	case r.follow != Yes:
		return "feed.friends", rules.CreateEvent
	case e.born > r.followed && r.bySocial || r.bySocial:
		return "social.connects", rules.ConnectSocial
	case e.born > r.followed:
		return "feed.follow.new-events", rules.CreateConnection
	case r.follows > 1:
		return "feed.refollow", rules.CreateConnection
	}
	return "feed.follow.earlier-events", rules.CreateConnection
}

// followsSeveral reports whether the events of several followed users are to be in a feed.
func (w *World) followsSeveral(reader int) bool {
	authors := map[int]bool{}
	for _, e := range w.events {
		if w.shows(reader, e) == Yes && w.relation(pair{reader, e.owner}).follow == Yes {
			authors[e.owner] = true
		}
	}
	return len(authors) > 1
}

// endedByOther reports whether, since a step, the other ended its own connections
// to a user that follows it, or tried to end the follow.
func (w *World) endedByOther(p pair, step int) bool {
	return slices.ContainsFunc(w.since(step), func(h entry) bool {
		return (h.kind == Meddle && h.event < 0 || h.kind == End) && h.actor == p.to && h.other == p.from
	})
}

// lossRule is the rule that what happened has broken when an event went from a feed.
func (w *World) lossRule(p pair, which int, happened []entry) (string, rules.Endpoint) {
	for i := len(happened) - 1; i >= 0; i-- {
		switch h := happened[i]; h.kind {
		case Leave:
			return "feed.purge.keeps-others", rules.DeleteMe
		case Change:
			if h.event == which {
				return "feed.update-visible", rules.UpdateEvent
			}
		}
	}
	if len(happened) > 0 {
		return "feed.merge", rules.Feed
	}
	return "", rules.NoEndpoint
}

// extraEvent blames an event in a feed where it must not be.
func (w *World) extraEvent(reader, which int) Difference {
	e := w.events[which]
	d := Difference{symptom: "event there", key: own(rules.Feed, reader).entry(idText(e.id)),
		Expected: fmt.Sprintf("a feed of user %d without event %s of user %d", reader, idText(e.id), e.owner),
		Actual:   "the event is there"}
	r := w.relation(pair{reader, e.owner})
	owner := w.users[e.owner]
	switch {
	case e.gone != 0 && (owner.lives() || e.gone < owner.gone):
		d.Rule, d.At = "feed.event-delete", rules.DeleteEvent
	case !owner.lives():
		d.Rule, d.At = w.purgeRule(r, owner)
	case r.ended > 0:
		d.Rule, d.At = "feed.unfollow", rules.DeleteConnection
	default:
		d.Rule, d.At = "feed.only-connected", rules.Feed
	}
	return d
}

// purgeRule is the rule that stands for the events of a deleted user.
func (w *World) purgeRule(r relation, owner *user) (string, rules.Endpoint) {
	for _, h := range w.since(owner.gone) {
		if h.kind == Join && w.users[h.actor].name == owner.name {
			return "feed.purge.no-return", rules.CreateUser
		}
	}
	switch was := r.parting; {
	case was != nil && was.friends == Yes: // who may follow too
		return "feed.purge.friends", rules.DeleteMe
	case was != nil && was.follow == No && was.friends == No && r.ended > 0:
		return "feed.unfollow", rules.DeleteConnection
	}
	return "feed.purge.followers", rules.DeleteMe
}

// eventFields are the fields of an event that a client may set.
func eventFields() []string {
	return []string{"verb", "language", "priority", "location", "latitude", "longitude", "metadata", "object"}
}

// judgeShape compares an event in a feed with the event as it was last answered.
func (w *World) judgeShape(v view, which int, o Fields) []Difference {
	e := w.events[which]
	for _, name := range eventFields() {
		want := lawful{valueOf(e.answer, name)}.or(e.fields[name]...)
		if name == "object" {
			want = want.or(stated(name, valueOf(e.answer, name))...)
		}
		if got := valueOf(o, name); !want.allows(got) {
			rule, at := e.shapeRule(name, got)
			return []Difference{{Rule: rule, At: at, key: v.entry("shape " + idText(e.id)),
				Expected: fmt.Sprintf("event %s with %s %s", idText(e.id), name, want.show()), Actual: showValue(got)}}
		}
	}
	for _, name := range []string{"created_at", "updated_at"} {
		if got := valueOf(o, name); !sameInstant(got, valueOf(e.answer, name)) {
			rule, at := e.shapeRule(name, got)
			return []Difference{{Rule: rule, At: at, key: v.entry("shape " + idText(e.id)),
				Expected: fmt.Sprintf("event %s with %s %s", idText(e.id), name, showValue(e.answer[name])), Actual: showValue(got)}}
		}
	}
	if got := idText(o["user_id"]); got != idText(w.users[e.owner].id) {
		return []Difference{{Rule: "feed.event-shape", At: rules.Feed, key: v.entry("shape " + idText(e.id)),
			Expected: fmt.Sprintf("event %s with user_id %s", idText(e.id), idText(w.users[e.owner].id)), Actual: showValue(valueOf(o, "user_id"))}}
	}
	return nil
}

// shapeRule tells a value from before the latest change from one that never was.
func (e *event) shapeRule(name string, got any) (string, rules.Endpoint) {
	if name == "verb" && e.imposed != nil && same(e.imposed, got) {
		return "events.update.others", rules.UpdateEvent
	}
	if name == "verb" && got == hauntedValue {
		return "auth.no-effect", rules.UpdateEvent
	}
	if name == "created_at" && e.changed > 0 {
		return "events.update.keeps-identity", rules.UpdateEvent
	}
	for _, before := range e.earlier {
		was := valueOf(before, name)
		if same(was, got) || strings.HasSuffix(name, "_at") && sameInstant(was, got) {
			return "feed.update-visible", rules.UpdateEvent
		}
	}
	return "feed.event-shape", rules.Feed
}

// disorder is where a feed has an older event before a newer one.
func disorder(v view, objects []Fields) []Difference {
	for i := 1; i < len(objects); i++ {
		newer, okNewer := instant(objects[i]["created_at"])
		older, okOlder := instant(objects[i-1]["created_at"])
		if okNewer && okOlder && newer.After(older) {
			return []Difference{{Rule: "feed.order", At: rules.Feed, key: v.entry("order"),
				Expected: "the newest event first", Actual: fmt.Sprintf("event %d of %d is newer than the one before it", i+1, len(objects))}}
		}
	}
	return nil
}
