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
		event.CreatedAt, event.UpdatedAt = t.now, t.now
		row := event
		return t.put(events, &row)
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
		event.CreatedAt, event.UpdatedAt = before.CreatedAt, t.now
		row := event
		return t.put(events, &row)
	})
	return event, err
}

// DeleteEvent deletes an event of the acting user; errors as with UpdateEvent.
func (s *Store) DeleteEvent(app App, owner, id ID) error {
	return s.write(func(t *tx) error {
		if _, err := t.ownEvent(app, owner, id); err != nil {
			return err
		}
		_, err := t.drop(events, byID, key(app, id))
		return err
	})
}

func (t *tx) ownEvent(app App, owner, id ID) (*Event, error) {
	event, err := find[Event](t.Txn, events, key(app, id))
	switch {
	case err != nil:
		return nil, err
	case event == nil:
		return nil, fmt.Errorf("event %w", ErrNotFound)
	case event.Owner != owner:
		return nil, fmt.Errorf("the event %w", ErrForbidden)
	}
	return event, nil
}
