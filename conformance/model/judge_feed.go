package model

import (
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// promisedLength is how many entries a list must be able to hold: a server may show no more.
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
			if o["verb"] == endedSessionsValue {
				rule, at = "auth.no-effect", rules.CreateEvent
			} else if w.copied(reader, o) {
				rule = "feed.merge" // each event once
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

// copied reports whether an event that nobody created is, or was, like one that somebody
// did whose events the reader is to see, or was: the same event, stored twice.
func (w *World) copied(reader int, o Fields) bool {
	return slices.ContainsFunc(w.events, func(e *event) bool {
		stands := e.gone == 0 && w.users[e.owner].lives()
		if idText(o["user_id"]) != idText(w.users[e.owner].id) || stands && w.shows(reader, e) == No {
			return false
		}
		return slices.ContainsFunc(append(slices.Clone(e.earlier), e.answer), func(answer Fields) bool {
			return !slices.ContainsFunc(eventFields(), func(name string) bool {
				return !same(valueOf(o, name), valueOf(answer, name))
			})
		})
	})
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
	case last == 0: // it was never seen there, whatever else was tried
	case e.coveted >= last:
		return "events.delete.others", rules.DeleteEvent
	case e.endedUse >= last:
		return "auth.no-effect", rules.DeleteEvent
	}
	if last > max(r.ended, 0) {
		if rule, at := lossRule(r, which, w.since(last-1)); rule != "" {
			return rule, at
		}
	}
	switch {
	case len(shown) > 0 && w.followsSeveral(reader):
		return "feed.merge", rules.Feed
	case r.follow != Yes:
		return "feed.friends", rules.CreateEvent
	case r.bySocial:
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
		return (h.kind == Trespass && h.event < 0 || h.kind == End) && h.actor == p.to && h.other == p.from
	})
}

// lossRule is the rule that what happened has broken when an event went from a feed.
func lossRule(r relation, which int, happened []entry) (string, rules.Endpoint) {
	for i := len(happened) - 1; i >= 0; i-- {
		switch h := happened[i]; h.kind {
		case Leave:
			return "feed.purge.keeps-others", rules.DeleteMe
		case Change:
			switch {
			case h.event == which && r.follow == Yes:
				return "feed.follow.new-events", rules.Feed
			case h.event == which:
				return "feed.friends", rules.CreateEvent
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
