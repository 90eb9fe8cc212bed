package world

import (
	"fmt"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// judgeShape compares an event in a feed with the latest answer to a write of it.
func (st *State) judgeShape(v View, which int, o value.Fields) []blame.Difference {
	e := st.Events[which]
	for _, name := range value.EventFields() {
		want := value.Set{value.Of(e.Answer, name)}.Or(e.Fields[name]...)
		for _, answer := range e.Either {
			want = want.Or(value.Of(answer, name))
		}
		if name == "object" {
			want = want.Or(leeway.Sent(name, value.Of(e.Answer, name))...)
		}
		if got := value.Of(o, name); !want.Allows(got) {
			rule, at := e.shapeRule(name, got)
			return []blame.Difference{{Rule: rule, At: at, Key: v.Key(value.ID(e.ID), "shape"),
				Expected: fmt.Sprintf("event %s with %s %s", value.ID(e.ID), name, want.Show()), Actual: value.Show(got)}}
		}
	}
	for _, name := range []string{"created_at", "updated_at"} {
		got := value.Of(o, name)
		then := func(answer value.Fields) bool { return value.SameInstant(got, value.Of(answer, name)) }
		if !then(e.Answer) && !slices.ContainsFunc(e.Either, then) {
			rule, at := e.shapeRule(name, got)
			return []blame.Difference{{Rule: rule, At: at, Key: v.Key(value.ID(e.ID), "shape"),
				Expected: fmt.Sprintf("event %s with %s %s", value.ID(e.ID), name, value.Show(e.Answer[name])), Actual: value.Show(got)}}
		}
	}
	const enabled = "enabled"
	if got, want := value.Of(o, enabled), value.Of(e.Answer, enabled); !value.Same(got, value.Absent{}) && !value.Same(want, value.Absent{}) && !value.Same(got, want) {
		return []blame.Difference{{Rule: "feed.event-shape", At: rules.Feed, Key: v.Key(value.ID(e.ID), "shape"),
			Expected: fmt.Sprintf("event %s with %s %s, as in the answer to its latest write", value.ID(e.ID), enabled, value.Show(want)), Actual: value.Show(got)}}
	}
	if got := value.ID(o["user_id"]); got != value.ID(st.Users[e.Owner].ID) {
		return []blame.Difference{{Rule: "feed.event-shape", At: rules.Feed, Key: v.Key(value.ID(e.ID), "shape"),
			Expected: fmt.Sprintf("event %s with user_id %s", value.ID(e.ID), value.ID(st.Users[e.Owner].ID)), Actual: value.Show(value.Of(o, "user_id"))}}
	}
	return nil
}

// shapeRule returns the rule to blame for a wrong value in a feed: whether it is the value
// before the latest change, one that somebody else tried to write, or another one.
func (e *Event) shapeRule(name string, got any) (string, rules.Endpoint) {
	if name == "verb" && e.foreignVerb != nil && value.Same(e.foreignVerb, got) {
		return "events.update.others", rules.UpdateEvent
	}
	if name == "verb" && got == EndedSessionsValue {
		return "auth.no-effect", rules.UpdateEvent
	}
	if name == "created_at" && e.ChangedStep > 0 {
		return "events.update.keeps-identity", rules.UpdateEvent
	}
	for _, before := range e.Earlier {
		was := value.Of(before, name)
		if value.Same(was, got) || strings.HasSuffix(name, "_at") && value.SameInstant(was, got) {
			return "feed.update-visible", rules.UpdateEvent
		}
	}
	return "feed.event-shape", rules.Feed
}

// judgeOrder returns the difference for a feed that has an older event before a newer one.
func judgeOrder(v View, objects []value.Fields) []blame.Difference {
	for i := 1; i < len(objects); i++ {
		newer, okNewer := value.Instant(objects[i]["created_at"])
		older, okOlder := value.Instant(objects[i-1]["created_at"])
		if okNewer && okOlder && newer.After(older) {
			return []blame.Difference{{Rule: "feed.order", At: rules.Feed, Key: v.Key("", "order"),
				Expected: "the newest event first", Actual: fmt.Sprintf("event %d of %d is newer than the one before it", i+1, len(objects))}}
		}
	}
	return nil
}
