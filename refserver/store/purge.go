package store

// DeleteUser is the purge: in one transaction it removes the user, its sessions,
// its connections in both directions and its events, and nothing of anyone else
// (the contract's States part). A user already gone is ErrStale.
//
// It takes the same time however much the user has: nothing shows what belongs to
// a user who is gone. Sweep then makes room.
func (s *Store) DeleteUser(app App, id ID) error {
	return s.write(func(t *tx) error {
		user, err := t.acting(app, id)
		if err != nil {
			return err
		}
		if _, err := t.drop(users, byID, key(app, id)); err != nil {
			return err
		}
		posted := timelineOf(t.timelines, key(app, id))
		t.timelines.Delete(key(app, id))
		t.then(func() {
			s.purged = append(s.purged, purged{userKey{app, id}, posted})
			s.names.replace(user, nil)
			s.socials.replace(user, nil)
			s.sessions.drop(app, id, user.opened+1)
		})
		return nil
	})
}

// purged is a user who is gone, with the events it had.
type purged struct {
	userKey
	posted *timeline // nil: none, or none any more
}

// Sweep removes the rows that users who are gone have left, a few at a time, so
// that it holds up nobody.
func (s *Store) Sweep() error {
	for {
		if left, err := s.sweepSome(); !left || err != nil {
			return err
		}
	}
}

// sweepSome removes a few of them, and reports whether there may be more.
func (s *Store) sweepSome() (left bool, err error) {
	const few = 64
	err = s.write(func(t *tx) error {
		if left = len(s.purged) > 0; !left {
			return nil
		}
		n, err := t.sweepUser(&s.purged[0], few)
		if n == 0 && err == nil {
			s.purged = s.purged[1:]
		}
		return err
	})
	return left, err
}

// sweepUser removes rows of a user, about as many as most, and returns how many.
func (t *tx) sweepUser(gone *purged, most int) (int, error) {
	if gone.posted != nil && len(gone.posted.chunks) > 0 {
		chunk := gone.posted.chunks[0]
		for _, event := range chunk {
			t.store.events.put(event.ID, nil)
		}
		gone.posted = &timeline{chunks: gone.posted.chunks[1:]}
		return len(chunk), nil
	}
	for _, index := range []string{byID, byTarget} {
		rows, err := t.some(connections, index, key(gone.app, gone.id), most)
		if err != nil || len(rows) > 0 {
			return len(rows), t.dropRows(connections, rows, err)
		}
	}
	return 0, nil
}
