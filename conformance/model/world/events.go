package world

import (
	"maps"
	"slices"

	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/reuse"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
)

// pushedOut reports whether newer events may have pushed an event out of a feed, which need not take it
// back when they are deleted, nor when their author is no longer connected.
func (st *State) pushedOut(reader int, e *Event) bool {
	newer := 0
	for _, other := range st.Events {
		order, _ := value.Order(other.Answer["created_at"], e.Answer["created_at"])
		later := order > 0 || order == 0 && other.createdStep >= e.createdStep
		if other != e && later && (other.Owner == reader || !st.neverConnected(Pair{reader, other.Owner})) {
			newer++
		}
	}
	return st.Choices.Lengths.MayPushOut(newer)
}

// PreviousFields returns the values that the event had before its latest change.
func (e *Event) PreviousFields() value.Fields {
	before := e.Earlier[len(e.Earlier)-1]
	fields := value.Fields{}
	for _, name := range value.EventFields() {
		if v := value.Of(before, name); !value.Same(v, value.Absent{}) {
			fields[name] = v
		}
	}
	return fields
}

// Existing adds an event that a user has since before the story.
func (st *State) Existing(owner int, e reuse.Event) {
	st.Events = append(st.Events, &Event{Owner: owner, ID: e.Answer["id"], Fields: maps.Clone(e.Fields), Answer: e.Answer, Earlier: slices.Clone(e.Earlier), createdStep: st.step()})
	st.record(story.Post, owner, -1, len(st.Events)-1)
}

// TriedToEnd records that a user tried to end the connections of another.
func (st *State) TriedToEnd(p Pair) { st.record(story.WriteForeign, p.From, p.To, -1) }

// TriedToWrite records that a user tried to change or delete an event of another.
func (st *State) TriedToWrite(p Pair, which int, r exchange.Request) {
	if sent, changes := r.Body.(value.Fields); changes {
		st.Events[which].foreignVerb = sent["verb"]
	} else {
		st.Events[which].foreignDeleteStep = st.step()
	}
	st.record(story.WriteForeign, p.From, p.To, which)
}

// TriedToDelete records that a session that has ended tried to delete an event.
func (st *State) TriedToDelete(which int) { st.Events[which].endedSessionDeleteStep = st.step() }
