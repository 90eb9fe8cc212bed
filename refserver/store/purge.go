package store

// DeleteUser is the purge: in one transaction it removes the user, its sessions,
// its connections in both directions and its events, and nothing of anyone else
// (the contract's States part). A user already gone is ErrStale.
func (s *Store) DeleteUser(app App, id ID) error {
	return s.write(func(t *tx) error {
		if _, err := t.acting(app, id); err != nil {
			return err
		}
		for _, rows := range []struct{ table, index string }{
			{events, byOwner},
			{connections, byID},
			{connections, byTarget},
			{sessions, byUser},
			{users, byID},
		} {
			if _, err := t.drop(rows.table, rows.index, key(app, id)); err != nil {
				return err
			}
		}
		return nil
	})
}
