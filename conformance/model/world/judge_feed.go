package world

import (
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// judgeFeed compares a feed with the state.
func (st *State) judgeFeed(reader int, r exchange.Response) []blame.Difference {
	v := Own(rules.Feed, reader)
	objects, ok := r.Objects()
	if r.Status != 200 || !ok {
		rule := "feed.status"
		if !slices.ContainsFunc(st.Events, func(e *Event) bool { return st.shows(reader, e) != leeway.No }) {
			rule = "feed.empty"
		}
		return []blame.Difference{{Rule: rule, At: rules.Feed, Expected: "200 and an array of events", Actual: r.Show(), Key: v.Key("", "")}}
	}
	var found []blame.Difference
	shown := map[int]int{}
	for _, o := range objects {
		id := value.ID(o["id"])
		which, known := st.EventByID(id)
		if !known {
			rule, at := "feed.only-connected", rules.Feed
			actual := fmt.Sprintf("event %s, which none of them created", id)
			if o["verb"] == EndedSessionsValue {
				rule, at = "auth.no-effect", rules.CreateEvent
			} else if which := st.copied(reader, o); which >= 0 {
				rule, at = st.copyRule(reader, which)
				actual = fmt.Sprintf("event %s, a copy of another: only its id differs", id)
			}
			found = append(found, blame.Difference{Rule: rule, At: at, Key: v.Key(id, ""),
				Expected: "only events of connected users", Actual: actual})
			continue
		}
		if shown[which]++; shown[which] > 1 {
			continue
		}
		if st.shows(reader, st.Events[which]) == leeway.No {
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
func (st *State) copied(reader int, o value.Fields) int {
	return slices.IndexFunc(st.Events, func(e *Event) bool {
		if value.ID(o["user_id"]) != value.ID(st.Users[e.Owner].ID) || st.stands(e) && st.shows(reader, e) == leeway.No {
			return false
		}
		return slices.ContainsFunc(append(slices.Clone(e.Earlier), e.Answer), func(answer value.Fields) bool {
			return !slices.ContainsFunc(value.EventFields(), func(name string) bool {
				return !value.Same(value.Of(o, name), value.Of(answer, name))
			})
		})
	})
}

// stands reports whether neither an event nor its owner was deleted.
func (st *State) stands(e *Event) bool { return e.DeletedStep == 0 && st.Users[e.Owner].Lives() }

// copyRule returns the rule to blame for a copy of an event in a feed: that of the event itself where it is not
// to be there, else the one by which each event is shown once.
func (st *State) copyRule(reader, which int) (string, rules.Endpoint) {
	if st.stands(st.Events[which]) {
		return "feed.merge", rules.Feed
	}
	d := st.extraEvent(reader, which)
	return d.Rule, d.At
}

// repeated returns the differences for events that a feed shows more than once.
func (st *State) repeated(reader int, shown map[int]int) []blame.Difference {
	var found []blame.Difference
	for which, times := range shown {
		if times < 2 || st.shows(reader, st.Events[which]) == leeway.No {
			continue
		}
		e := st.Events[which]
		rule := "feed.merge"
		p := Pair{reader, e.Owner}
		if st.Relation(p).Follow == leeway.Yes && st.Friends(p) != leeway.No {
			rule = "feed.no-duplicates"
		}
		found = append(found, blame.Difference{Rule: rule, At: rules.Feed, Key: Own(rules.Feed, reader).Key(value.ID(e.ID), "twice"),
			Expected: "event " + value.ID(e.ID) + " once", Actual: fmt.Sprintf("the event %d times in the feed", times)})
	}
	return found
}

// missingEvents returns the differences for events that a feed lacks. Of a feed longer than
// every server must show, the oldest may be cut off.
func (st *State) missingEvents(reader int, objects []value.Fields, shown map[int]int) []blame.Difference {
	var found []blame.Difference
	for which, e := range st.Events {
		if st.shows(reader, e) != leeway.Yes || shown[which] > 0 {
			continue
		}
		if st.pushedOut(reader, e) || st.Choices.Lengths.MayBeCut(rules.Feed, len(objects)) && olderThanAll(e.Answer["created_at"], objects) {
			continue
		}
		rule, at := st.missingRule(reader, which, shown)
		found = append(found, blame.Difference{Rule: rule, At: at, Symptom: "event missing", OneCause: true, Key: Own(rules.Feed, reader).Key(value.ID(e.ID), ""),
			Expected: fmt.Sprintf("event %s of user %d in the feed of user %d", value.ID(e.ID), e.Owner, reader),
			Actual:   fmt.Sprintf("a feed of %d events without it", len(objects))})
	}
	return found
}

func olderThanAll(created any, objects []value.Fields) bool {
	_, ok := value.Instant(created)
	return ok && !slices.ContainsFunc(objects, func(o value.Fields) bool {
		order, ok := value.Order(o["created_at"], created)
		return ok && order < 0
	})
}

// missingRule returns the rule to blame when a feed lacks an event: that of an operation since
// the event was last shown there, or the rule by which it should have come there.
func (st *State) missingRule(reader, which int, shown map[int]int) (string, rules.Endpoint) {
	e := st.Events[which]
	p := Pair{reader, e.Owner}
	r := st.Relation(p)
	last := st.shownAt[Own(rules.Feed, reader).Key(value.ID(e.ID), "")]
	switch {
	case r.Follow == leeway.Yes && st.endedByOther(p, max(r.followedStep, last-1)):
		return "connections.delete.only-own", rules.DeleteConnection
	case last == 0: // it was never shown there
	case e.foreignDeleteStep >= last:
		return "events.delete.others", rules.DeleteEvent
	case e.endedSessionDeleteStep >= last:
		return "auth.no-effect", rules.DeleteEvent
	}
	if last > max(r.EndedStep, 0) {
		if rule, at := lossRule(r, which, st.since(last-1)); rule != "" {
			return rule, at
		}
	} else if st.deletesSince(max(e.createdStep, r.followedStep)) {
		return "feed.purge.keeps-others", rules.DeleteMe // if it came there before, which nobody read
	}
	switch {
	case len(shown) > 0 && st.followsSeveral(reader):
		return "feed.merge", rules.Feed
	case r.Follow != leeway.Yes:
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
	return slices.ContainsFunc(st.since(step), func(h pastOp) bool { return h.kind == story.DeleteUser })
}

// followsSeveral reports whether events of several followed users must be in a feed.
func (st *State) followsSeveral(reader int) bool {
	authors := map[int]bool{}
	for _, e := range st.Events {
		if st.shows(reader, e) == leeway.Yes && st.Relation(Pair{reader, e.Owner}).Follow == leeway.Yes {
			authors[e.Owner] = true
		}
	}
	return len(authors) > 1
}

// endedByOther reports whether, since a step, the followed user ended its own connections to
// its follower, or tried to end the follow.
func (st *State) endedByOther(p Pair, step int) bool {
	return slices.ContainsFunc(st.since(step), func(h pastOp) bool {
		return (h.kind == story.WriteForeign && h.event < 0 || h.kind == story.End) && h.actor == p.To && h.other == p.From
	})
}

// lossRule returns the rule to blame on the operations since an event was last shown in a feed.
func lossRule(r Relation, which int, happened []pastOp) (string, rules.Endpoint) {
	for _, h := range slices.Backward(happened) {
		switch h.kind {
		case story.DeleteUser:
			return "feed.purge.keeps-others", rules.DeleteMe
		case story.Change:
			switch {
			case h.event == which && r.Follow == leeway.Yes:
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
func (st *State) extraEvent(reader, which int) blame.Difference {
	e := st.Events[which]
	d := blame.Difference{Symptom: "event there", Key: Own(rules.Feed, reader).Key(value.ID(e.ID), ""),
		Expected: fmt.Sprintf("a feed of user %d without event %s of user %d", reader, value.ID(e.ID), e.Owner),
		Actual:   "the event is there"}
	r := st.Relation(Pair{reader, e.Owner})
	owner := st.Users[e.Owner]
	switch {
	case e.DeletedStep != 0 && (owner.Lives() || e.DeletedStep < owner.deletedStep):
		d.Rule, d.At = "feed.event-delete", rules.DeleteEvent
	case !owner.Lives():
		d.Rule, d.At = st.purgeRule(r, owner)
	case r.EndedStep > 0:
		d.Rule, d.At = "feed.unfollow", rules.DeleteConnection
	default:
		d.Rule, d.At = "feed.only-connected", rules.Feed
		d.Timeless = st.neverConnected(Pair{reader, e.Owner})
	}
	return d
}

// purgeRule returns the rule to blame for an event of a deleted user.
func (st *State) purgeRule(r Relation, owner *User) (string, rules.Endpoint) {
	for _, h := range st.since(owner.deletedStep) {
		if h.kind == story.Join && st.Users[h.actor].Name == owner.Name {
			return "feed.purge.no-return", rules.CreateUser
		}
	}
	switch was := r.AtDeletion; {
	case was != nil && was.friends == leeway.Yes: // they may also follow
		return "feed.purge.friends", rules.DeleteMe
	case was != nil && was.follow == leeway.No && was.friends == leeway.No && r.EndedStep > 0:
		return "feed.unfollow", rules.DeleteConnection
	}
	return "feed.purge.followers", rules.DeleteMe
}
