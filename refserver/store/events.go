package store

import "fmt"

// CreateEvent stores an event of the acting user and returns it with id,
// created_at and updated_at.
func (s *Store) CreateEvent(app App, owner ID, event Event) (Event, error) {
	err := s.write(func(t *tx) error {
		if _, err := t.acting(app, owner); err != nil {
			return err
		}
		s.lastEvent++
		event.App, event.ID, event.Owner = app, s.lastEvent, owner
		event.CreatedAt, event.UpdatedAt, event.encoding = t.now, t.now, new(encoding)
		row := event
		t.addEvent(&row)
		return nil
	})
	return event, err
}

// UpdateEvent lets change alter an event of the acting user. Identity, owner and
// created_at stay. Another's event is ErrForbidden, none is ErrNotFound.
func (s *Store) UpdateEvent(app App, owner, id ID, change func(*Event)) (Event, error) {
	var event Event
	err := s.write(func(t *tx) error {
		before, err := t.ownEvent(app, owner, id)
		if err != nil {
			return err
		}
		event = *before
		change(&event)
		event.App, event.ID, event.Owner = app, id, owner
		event.CreatedAt, event.UpdatedAt, event.encoding = before.CreatedAt, t.now, new(encoding)
		row := event
		t.replaceEvent(before, &row)
		return nil
	})
	return event, err
}

// DeleteEvent deletes an event of the acting user; errors as with UpdateEvent.
func (s *Store) DeleteEvent(app App, owner, id ID) error {
	return s.write(func(t *tx) error {
		event, err := t.ownEvent(app, owner, id)
		if err != nil {
			return err
		}
		t.replaceEvent(event, nil)
		return nil
	})
}

func (t *tx) ownEvent(app App, owner, id ID) (*Event, error) {
	event := t.store.events.get(app, id)
	if event == nil || t.users.get(app, event.Owner) == nil { // see DeleteUser
		return nil, fmt.Errorf("event %w", ErrNotFound)
	}
	if event.Owner != owner {
		return nil, fmt.Errorf("the event %w", ErrForbidden)
	}
	return event, nil
}
