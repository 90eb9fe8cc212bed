package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/rules"
)

// judgeShape compares an event in a feed with the latest answer to a write of it.
func (st *State) judgeShape(v view, which int, o Fields) []Difference {
	e := st.events[which]
	for _, name := range eventFields() {
		want := lawful{valueOf(e.answer, name)}.or(e.fields[name]...)
		for _, answer := range e.either {
			want = want.or(valueOf(answer, name))
		}
		if name == "object" {
			want = want.or(lawfulSent(name, valueOf(e.answer, name))...)
		}
		if got := valueOf(o, name); !want.allows(got) {
			rule, at := e.shapeRule(name, got)
			return []Difference{{Rule: rule, At: at, key: v.key(idText(e.id), "shape"),
				Expected: fmt.Sprintf("event %s with %s %s", idText(e.id), name, want.show()), Actual: showValue(got)}}
		}
	}
	for _, name := range []string{"created_at", "updated_at"} {
		got := valueOf(o, name)
		then := func(answer Fields) bool { return sameInstant(got, valueOf(answer, name)) }
		if !then(e.answer) && !slices.ContainsFunc(e.either, then) {
			rule, at := e.shapeRule(name, got)
			return []Difference{{Rule: rule, At: at, key: v.key(idText(e.id), "shape"),
				Expected: fmt.Sprintf("event %s with %s %s", idText(e.id), name, showValue(e.answer[name])), Actual: showValue(got)}}
		}
	}
	const enabled = "enabled"
	if got, want := valueOf(o, enabled), valueOf(e.answer, enabled); !same(got, absent{}) && !same(want, absent{}) && !same(got, want) {
		return []Difference{{Rule: "feed.event-shape", At: rules.Feed, key: v.key(idText(e.id), "shape"),
			Expected: fmt.Sprintf("event %s with %s %s, as in the answer to its latest write", idText(e.id), enabled, showValue(want)), Actual: showValue(got)}}
	}
	if got := idText(o["user_id"]); got != idText(st.users[e.owner].id) {
		return []Difference{{Rule: "feed.event-shape", At: rules.Feed, key: v.key(idText(e.id), "shape"),
			Expected: fmt.Sprintf("event %s with user_id %s", idText(e.id), idText(st.users[e.owner].id)), Actual: showValue(valueOf(o, "user_id"))}}
	}
	return nil
}

// shapeRule returns the rule to blame for a wrong value in a feed: whether it is the value
// before the latest change, one that somebody else tried to write, or another one.
func (e *event) shapeRule(name string, got any) (string, rules.Endpoint) {
	if name == "verb" && e.foreignVerb != nil && same(e.foreignVerb, got) {
		return "events.update.others", rules.UpdateEvent
	}
	if name == "verb" && got == endedSessionsValue {
		return "auth.no-effect", rules.UpdateEvent
	}
	if name == "created_at" && e.changedStep > 0 {
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

// judgeOrder returns the difference for a feed that has an older event before a newer one.
func judgeOrder(v view, objects []Fields) []Difference {
	for i := 1; i < len(objects); i++ {
		newer, okNewer := instant(objects[i]["created_at"])
		older, okOlder := instant(objects[i-1]["created_at"])
		if okNewer && okOlder && newer.After(older) {
			return []Difference{{Rule: "feed.order", At: rules.Feed, key: v.key("", "order"),
				Expected: "the newest event first", Actual: fmt.Sprintf("event %d of %d is newer than the one before it", i+1, len(objects))}}
		}
	}
	return nil
}
