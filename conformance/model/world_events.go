package model

import (
	"maps"
	"slices"
)

// pushedOut reports whether newer events may have pushed an event out of a feed, which need not take it
// back when they are deleted, nor when their author is no longer connected.
func (st *State) pushedOut(reader int, e *event) bool {
	newer := 0
	for _, other := range st.events {
		order, _ := orderOf(other.answer["created_at"], e.answer["created_at"])
		later := order > 0 || order == 0 && other.createdStep >= e.createdStep
		if other != e && later && (other.owner == reader || !st.neverConnected(pair{reader, other.owner})) {
			newer++
		}
	}
	return st.choices.Lengths.mayPushOut(newer)
}

// previousFields returns the values that the event had before its latest change.
func (e *event) previousFields() Fields {
	before := e.earlier[len(e.earlier)-1]
	fields := Fields{}
	for _, name := range eventFields() {
		if v := valueOf(before, name); !same(v, absent{}) {
			fields[name] = v
		}
	}
	return fields
}

// existing adds an event that a user has since before the story.
func (st *State) existing(owner int, e ExistingEvent) {
	st.events = append(st.events, &event{owner: owner, id: e.answer["id"], fields: maps.Clone(e.fields), answer: e.answer, earlier: slices.Clone(e.earlier), createdStep: st.step()})
	st.record(Post, owner, -1, len(st.events)-1)
}

// triedToEnd records that a user tried to end the connections of another.
func (st *State) triedToEnd(p pair) { st.record(WriteForeign, p.from, p.to, -1) }

// triedToWrite records that a user tried to change or delete an event of another.
func (st *State) triedToWrite(p pair, which int, r Request) {
	if sent, changes := r.Body.(Fields); changes {
		st.events[which].foreignVerb = sent["verb"]
	} else {
		st.events[which].foreignDeleteStep = st.step()
	}
	st.record(WriteForeign, p.from, p.to, which)
}

// triedToDelete records that a session that has ended tried to delete an event.
func (st *State) triedToDelete(which int) { st.events[which].endedSessionDeleteStep = st.step() }
