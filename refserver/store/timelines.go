package store

import "slices"

// Events are kept twice, neither time as rows of their own, which would take several
// hundred bytes each: in the timeline of their owner, which feeds read, and by id,
// which only the writer asks for.

// timeline holds the events of one owner, oldest first: the order of their ids is
// that of their times. It is a row like all others, and so never changes; but the
// next state of it may share its memory: what is appended stands beyond its end.
type timeline struct {
	chunks [][]*Event // none of them empty
}

// chunkLength bounds what is copied to change one event.
const chunkLength = 512

func (l *timeline) appended(event *Event) *timeline {
	next := &timeline{}
	if l != nil {
		next.chunks = l.chunks
	}
	last := len(next.chunks) - 1
	if last < 0 || len(next.chunks[last]) >= chunkLength {
		next.chunks = append(next.chunks, []*Event{event})
		return next
	}
	next.chunks = slices.Clone(next.chunks)
	next.chunks[last] = append(next.chunks[last], event)
	return next
}

// replaced puts a state of an event in the place of another; nil is none.
func (l *timeline) replaced(before, after *Event) *timeline {
	chunk := slices.IndexFunc(l.chunks, func(events []*Event) bool { return events[len(events)-1].ID >= before.ID })
	events := slices.Clone(l.chunks[chunk])
	i := slices.Index(events, before)
	next := &timeline{slices.Clone(l.chunks)}
	switch {
	case after != nil:
		events[i] = after
	case len(events) == 1:
		next.chunks = slices.Delete(next.chunks, chunk, chunk+1)
		return next
	default:
		events = slices.Delete(events, i, i+1)
	}
	next.chunks[chunk] = events
	return next
}

// addEvent appends an event, the newest of all.
func (t *tx) addEvent(event *Event) {
	t.then(func() { t.store.events.put(event.ID, event) })
	t.changed(event, false)
	t.timelines = t.timelines.with(event.App, event.Owner, t.timelines.get(event.App, event.Owner).appended(event))
}

// replaceEvent puts a state of an event in the place of another; nil is none.
func (t *tx) replaceEvent(before, after *Event) {
	t.then(func() { t.store.events.put(before.ID, after) })
	if after != nil {
		t.changed(after, false)
	} else {
		t.changed(before, true)
	}
	next := t.timelines.get(before.App, before.Owner).replaced(before, after)
	if len(next.chunks) == 0 {
		next = nil
	}
	t.timelines = t.timelines.with(before.App, before.Owner, next)
}

// events lists the events of all users.
func (s *snapshot) events() []*Event {
	var all []*Event
	for row := range s.timelines.all() {
		for _, chunk := range row.chunks {
			all = append(all, chunk...)
		}
	}
	return all
}

// eventTable finds events by id. It belongs to the writer.
type eventTable map[uint64]*[pageLength]*Event

const pageLength = 64

// get returns the event with an id, or nil.
func (x eventTable) get(app App, id ID) *Event {
	page := x[uint64(id)/pageLength]
	if page == nil || page[id%pageLength] == nil || page[id%pageLength].App != app {
		return nil
	}
	return page[id%pageLength]
}

// put takes up an event or, with nil, forgets it.
func (x eventTable) put(id ID, event *Event) {
	number := uint64(id) / pageLength
	page := x[number]
	if page == nil {
		page = new([pageLength]*Event)
		x[number] = page
	}
	page[id%pageLength] = event
	if *page == [pageLength]*Event{} {
		delete(x, number)
	}
}
