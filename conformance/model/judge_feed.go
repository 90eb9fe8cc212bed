package model

import (
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// judgeFeed compares a feed with the state.
func (st *State) judgeFeed(reader int, r Response) []Difference {
	v := own(rules.Feed, reader)
	objects, ok := r.objects()
	if r.Status != 200 || !ok {
		rule := "feed.status"
		if !slices.ContainsFunc(st.events, func(e *event) bool { return st.shows(reader, e) != No }) {
			rule = "feed.empty"
		}
		return []Difference{{Rule: rule, At: rules.Feed, Expected: "200 and an array of events", Actual: r.show(), key: v.key("", "")}}
	}
	var found []Difference
	shown := map[int]int{}
	for _, o := range objects {
		id := idText(o["id"])
		which, known := st.eventByID(id)
		if !known {
			rule, at := "feed.only-connected", rules.Feed
			actual := fmt.Sprintf("event %s, which none of them created", id)
			if o["verb"] == endedSessionsValue {
				rule, at = "auth.no-effect", rules.CreateEvent
			} else if which := st.copied(reader, o); which >= 0 {
				rule, at = st.copyRule(reader, which)
				actual = fmt.Sprintf("event %s, a copy of another: only its id differs", id)
			}
			found = append(found, Difference{Rule: rule, At: at, key: v.key(id, ""),
				Expected: "only events of connected users", Actual: actual})
			continue
		}
		if shown[which]++; shown[which] > 1 {
			continue
		}
		if st.shows(reader, st.events[which]) == No {
			found = append(found, st.extraEvent(reader, which))
			continue
		}
		found = append(found, st.judgeShape(v, which, o)...)
	}
	found = append(found, st.repeated(reader, shown)...)
	found = append(found, st.missingEvents(reader, objects, shown)...)
	return append(found, judgeOrder(v, objects)...)
}

// copied returns the event that an unknown event equals, now or formerly, the same event stored twice: one that was
// deleted or that the reader is to see. It returns -1 if there is none.
func (st *State) copied(reader int, o Fields) int {
	return slices.IndexFunc(st.events, func(e *event) bool {
		if idText(o["user_id"]) != idText(st.users[e.owner].id) || st.stands(e) && st.shows(reader, e) == No {
			return false
		}
		return slices.ContainsFunc(append(slices.Clone(e.earlier), e.answer), func(answer Fields) bool {
			return !slices.ContainsFunc(eventFields(), func(name string) bool {
				return !same(valueOf(o, name), valueOf(answer, name))
			})
		})
	})
}

// stands reports whether neither an event nor its owner was deleted.
func (st *State) stands(e *event) bool { return e.deletedStep == 0 && st.users[e.owner].lives() }

// copyRule returns the rule to blame for a copy of an event in a feed: that of the event itself where it is not
// to be there, else the one by which each event is shown once.
func (st *State) copyRule(reader, which int) (string, rules.Endpoint) {
	if st.stands(st.events[which]) {
		return "feed.merge", rules.Feed
	}
	d := st.extraEvent(reader, which)
	return d.Rule, d.At
}

// repeated returns the differences for events that a feed shows more than once.
func (st *State) repeated(reader int, shown map[int]int) []Difference {
	var found []Difference
	for which, times := range shown {
		if times < 2 || st.shows(reader, st.events[which]) == No {
			continue
		}
		e := st.events[which]
		rule := "feed.merge"
		p := pair{reader, e.owner}
		if st.relation(p).follow == Yes && st.friends(p) != No {
			rule = "feed.no-duplicates"
		}
		found = append(found, Difference{Rule: rule, At: rules.Feed, key: own(rules.Feed, reader).key(idText(e.id), "twice"),
			Expected: "event " + idText(e.id) + " once", Actual: fmt.Sprintf("the event %d times in the feed", times)})
	}
	return found
}

// missingEvents returns the differences for events that a feed lacks. Of a feed longer than
// every server must show, the oldest may be cut off.
func (st *State) missingEvents(reader int, objects []Fields, shown map[int]int) []Difference {
	var found []Difference
	for which, e := range st.events {
		if st.shows(reader, e) != Yes || shown[which] > 0 {
			continue
		}
		if st.pushedOut(reader, e) || st.choices.Lengths.mayBeCut(rules.Feed, len(objects)) && olderThanAll(e.answer["created_at"], objects) {
			continue
		}
		rule, at := st.missingRule(reader, which, shown)
		found = append(found, Difference{Rule: rule, At: at, symptom: "event missing", oneCause: true, key: own(rules.Feed, reader).key(idText(e.id), ""),
			Expected: fmt.Sprintf("event %s of user %d in the feed of user %d", idText(e.id), e.owner, reader),
			Actual:   fmt.Sprintf("a feed of %d events without it", len(objects))})
	}
	return found
}

func olderThanAll(created any, objects []Fields) bool {
	_, ok := instant(created)
	return ok && !slices.ContainsFunc(objects, func(o Fields) bool {
		order, ok := orderOf(o["created_at"], created)
		return ok && order < 0
	})
}

// missingRule returns the rule to blame when a feed lacks an event: that of an operation since
// the event was last shown there, or the rule by which it should have come there.
func (st *State) missingRule(reader, which int, shown map[int]int) (string, rules.Endpoint) {
	e := st.events[which]
	p := pair{reader, e.owner}
	r := st.relation(p)
	last := st.shownAt[own(rules.Feed, reader).key(idText(e.id), "")]
	switch {
	case r.follow == Yes && st.endedByOther(p, max(r.followedStep, last-1)):
		return "connections.delete.only-own", rules.DeleteConnection
	case last == 0: // it was never shown there
	case e.foreignDeleteStep >= last:
		return "events.delete.others", rules.DeleteEvent
	case e.endedSessionDeleteStep >= last:
		return "auth.no-effect", rules.DeleteEvent
	}
	if last > max(r.endedStep, 0) {
		if rule, at := lossRule(r, which, st.since(last-1)); rule != "" {
			return rule, at
		}
	} else if st.deletesSince(max(e.createdStep, r.followedStep)) {
		return "feed.purge.keeps-others", rules.DeleteMe // if it came there before, which nobody read
	}
	switch {
	case len(shown) > 0 && st.followsSeveral(reader):
		return "feed.merge", rules.Feed
	case r.follow != Yes:
		return "feed.friends", rules.CreateEvent
	case r.bySocial:
		return "social.connects", rules.ConnectSocial
	case e.createdStep > r.followedStep:
		return "feed.follow.new-events", rules.CreateConnection
	case r.followCount > 1:
		return "feed.refollow", rules.CreateConnection
	}
	return "feed.follow.earlier-events", rules.CreateConnection
}

// deletesSince reports whether a user deleted itself after a step.
func (st *State) deletesSince(step int) bool {
	return slices.ContainsFunc(st.since(step), func(h pastOp) bool { return h.kind == DeleteUser })
}

// followsSeveral reports whether events of several followed users must be in a feed.
func (st *State) followsSeveral(reader int) bool {
	authors := map[int]bool{}
	for _, e := range st.events {
		if st.shows(reader, e) == Yes && st.relation(pair{reader, e.owner}).follow == Yes {
			authors[e.owner] = true
		}
	}
	return len(authors) > 1
}

// endedByOther reports whether, since a step, the followed user ended its own connections to
// its follower, or tried to end the follow.
func (st *State) endedByOther(p pair, step int) bool {
	return slices.ContainsFunc(st.since(step), func(h pastOp) bool {
		return (h.kind == WriteForeign && h.event < 0 || h.kind == End) && h.actor == p.to && h.other == p.from
	})
}

// lossRule returns the rule to blame on the operations since an event was last shown in a feed.
func lossRule(r relation, which int, happened []pastOp) (string, rules.Endpoint) {
	for _, h := range slices.Backward(happened) {
		switch h.kind {
		case DeleteUser:
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

// extraEvent returns the difference for an event in a feed where it must not be.
func (st *State) extraEvent(reader, which int) Difference {
	e := st.events[which]
	d := Difference{symptom: "event there", key: own(rules.Feed, reader).key(idText(e.id), ""),
		Expected: fmt.Sprintf("a feed of user %d without event %s of user %d", reader, idText(e.id), e.owner),
		Actual:   "the event is there"}
	r := st.relation(pair{reader, e.owner})
	owner := st.users[e.owner]
	switch {
	case e.deletedStep != 0 && (owner.lives() || e.deletedStep < owner.deletedStep):
		d.Rule, d.At = "feed.event-delete", rules.DeleteEvent
	case !owner.lives():
		d.Rule, d.At = st.purgeRule(r, owner)
	case r.endedStep > 0:
		d.Rule, d.At = "feed.unfollow", rules.DeleteConnection
	default:
		d.Rule, d.At = "feed.only-connected", rules.Feed
		d.timeless = st.neverConnected(pair{reader, e.owner})
	}
	return d
}

// purgeRule returns the rule to blame for an event of a deleted user.
func (st *State) purgeRule(r relation, owner *user) (string, rules.Endpoint) {
	for _, h := range st.since(owner.deletedStep) {
		if h.kind == Join && st.users[h.actor].name == owner.name {
			return "feed.purge.no-return", rules.CreateUser
		}
	}
	switch was := r.atDeletion; {
	case was != nil && was.friends == Yes: // they may also follow
		return "feed.purge.friends", rules.DeleteMe
	case was != nil && was.follow == No && was.friends == No && r.endedStep > 0:
		return "feed.unfollow", rules.DeleteConnection
	}
	return "feed.purge.followers", rules.DeleteMe
}
