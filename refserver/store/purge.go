package store

// DeleteUser is the purge: in one transaction it removes the user, its sessions,
// its connections in both directions and its events, and nothing of anyone else
// (the contract's States part). A user already gone is ErrStale.
//
// It takes the same time however much the user has: Sweep makes room later.
func (s *Store) DeleteUser(app App, id ID) error {
	return s.write(func(t *tx) error {
		user, err := t.acting(app, id)
		if err != nil {
			return err
		}
		t.users = t.users.with(app, id, nil)
		t.changed(user, true)
		posted := t.timelines.get(app, id)
		t.timelines = t.timelines.with(app, id, nil)
		reserved := s.names.reservation(user)
		if reserved != nil {
			t.changed(reserved, false)
		}
		t.then(func() {
			if reserved != nil {
				s.names.reserve(*reserved)
			}
			s.purged = append(s.purged, purged{userKey{app, id}, posted})
			s.names.replace(user, nil)
			s.socials.replace(user, nil)
			t.ended(s.sessions.drop(app, id, user.opened+1)...)
		})
		return nil
	})
}

// purged is a deleted user with its events.
type purged struct {
	userKey
	posted *timeline // nil: none, or none any more
}

// Sweep removes the rows of deleted users, a few at a time, so that other writers need
// not wait.
func (s *Store) Sweep() {
	for s.sweepSome() {
	}
}

// sweepSome removes a few of them, and reports whether there may be more.
func (s *Store) sweepSome() (left bool) {
	const few = 64
	_ = s.write(func(t *tx) error { // which nothing refuses
		if left = len(s.purged) > 0; left && t.sweepUser(&s.purged[0], few) == 0 {
			s.purged = s.purged[1:]
		}
		return nil
	})
	return left
}

// sweepUser removes rows of a user, about as many as most, and returns how many.
func (t *tx) sweepUser(gone *purged, most int) int {
	if gone.posted != nil && len(gone.posted.chunks) > 0 {
		chunk := gone.posted.chunks[0]
		for _, event := range chunk {
			t.store.events.put(event.ID, nil)
			t.changed(event, true)
		}
		gone.posted = &timeline{chunks: gone.posted.chunks[1:]}
		return len(chunk)
	}
	for _, index := range []string{byID, byTarget} {
		if n := t.dropSome(connections, index, key(gone.app, gone.id), most); n > 0 {
			return n
		}
	}
	return 0
}
