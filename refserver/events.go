package refserver

import (
	"net/http"

	"github.com/socialfeed/conform/refserver/store"
)

// createEvent is endpoint 18.
func (s *Server) createEvent(q *request) (reply, error) {
	f := s.fields(q)
	f.requiredText("verb")
	apply, err := readEvent(f)
	if err != nil {
		return reply{}, err
	}
	var event store.Event
	apply(&event)
	event, err = written(s, q, func() (store.Event, error) { return s.store.CreateEvent(q.app, q.user, event) })
	if err != nil {
		return reply{}, err
	}
	s.handOut(q.app, q.user)
	view := s.eventView(&event)
	view.CreatedAt, view.UpdatedAt = s.freshTime(event.CreatedAt, view.CreatedAt), s.freshTime(event.UpdatedAt, view.UpdatedAt)
	return reply{http.StatusCreated, view}, nil
}

// updateEvent is endpoint 19. The verb stays where none is sent.
func (s *Server) updateEvent(q *request) (reply, error) {
	id, err := pathID(s.eventIDs, "event", q.PathValue("EventID"))
	if err != nil {
		return reply{}, err
	}
	f := s.fields(q)
	if _, sent := f.raw("verb"); sent {
		f.requiredText("verb")
	}
	apply, err := readEvent(f)
	if err != nil {
		return reply{}, err
	}
	event, err := written(s, q, func() (store.Event, error) {
		return s.store.UpdateEvent(q.app, q.user, id, func(event *store.Event) {
			switch {
			case s.choices.ClearOmittedEventFields:
				*event = store.Event{Verb: event.Verb}
			case s.choices.ClearOmittedPlaces:
				event.Latitude, event.Longitude = nil, nil
			}
			apply(event)
		})
	})
	if err != nil {
		return reply{}, err
	}
	return reply{http.StatusOK, s.eventText(&event)}, nil
}

// deleteEvent is endpoint 20.
func (s *Server) deleteEvent(q *request) (reply, error) {
	id, err := pathID(s.eventIDs, "event", q.PathValue("EventID"))
	if err != nil {
		return reply{}, err
	}
	return noContent(s.act(q, func() error { return s.store.DeleteEvent(q.app, q.user, id) }))
}

// readEvent reads the fields of endpoints 18 and 19 and returns a function that sets them.
func readEvent(f *fields) (func(*store.Event), error) {
	f.only([]string{"verb", "language", "priority", "location", "latitude", "longitude", "metadata", "object"},
		[]string{"id", "user_id", "enabled", "created_at", "updated_at"})
	var sets []func(*store.Event)
	text := func(name string, field func(*store.Event) *string) {
		if value, sent := f.text(name); sent {
			sets = append(sets, func(event *store.Event) { *field(event) = value })
		}
	}
	text("verb", func(event *store.Event) *string { return &event.Verb })
	text("language", func(event *store.Event) *string { return &event.Language })
	text("priority", func(event *store.Event) *string { return &event.Priority })
	text("location", func(event *store.Event) *string { return &event.Location })
	if latitude, sent := f.number("latitude"); sent {
		sets = append(sets, func(event *store.Event) { event.Latitude = latitude })
	}
	if longitude, sent := f.number("longitude"); sent {
		sets = append(sets, func(event *store.Event) { event.Longitude = longitude })
	}
	if metadata, sent := f.metadata(); sent {
		sets = append(sets, func(event *store.Event) { event.Metadata = f.merged(event.Metadata, metadata) })
	}
	var object store.Object
	if f.object("object", func(inner *fields) { object = readObject(inner) }) {
		sets = append(sets, func(event *store.Event) { event.Object = &object })
	}
	return func(event *store.Event) {
		for _, set := range sets {
			set(event)
		}
	}, f.wrong
}

func readObject(f *fields) store.Object {
	f.only([]string{"id", "type", "url", "display_name"}, nil)
	object := store.Object{ID: f.requiredText("id")}
	object.Type, _ = f.text("type")
	object.URL, _ = f.text("url")
	object.DisplayName, _ = f.texts("display_name")
	return object
}
