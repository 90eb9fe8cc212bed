package faults

import "slices"

// searching changes what a search finds.
func searching(change func(l look, hits []User) []User) effect {
	return func(s *overrides) {
		search := s.search
		s.search = func(app App, term string) ([]User, error) {
			hits, err := search(app, term)
			if err != nil {
				return nil, err
			}
			l := s.look(app, 0, 0)
			l.term = term
			return change(l, hits), nil
		}
	}
}

// misses leaves users out of searches that must find them.
func misses(out when) effect {
	return searching(func(l look, hits []User) []User {
		return slices.DeleteFunc(hits, func(user User) bool { return out(l.on(user)) })
	})
}

// missesBy is misses for who has the term in one attribute alone.
func missesBy(in attribute, out when) effect {
	return misses(func(l look) bool { return foundBy(in, l.user, l.term) && out(l) })
}

// finds adds to searches users who are there and have no place in them.
func finds(further when) effect {
	return searching(func(l look, hits []User) []User {
		for _, user := range l.everyone() {
			if !slices.ContainsFunc(hits, func(hit User) bool { return hit.ID == user.ID }) && further(l.on(user)) {
				hits = append(hits, user)
			}
		}
		return hits
	})
}

// findsGone adds deleted users to searches. The condition is asked as of then.
func findsGone(where when) effect {
	return searching(func(l look, hits []User) []User {
		for _, gone := range l.all(deleted, 0, 0) {
			l.gone, l.until = gone, gone.n
			if where(l.on(gone.user)) {
				hits = append(hits, gone.user)
			}
		}
		return hits
	})
}

// findsDeleted goes on finding deleted users by a text that they bore.
func findsDeleted(by attribute, where when) effect {
	return findsGone(func(l look) bool { return holdsText(by(l.user), l.term) && where(l) })
}
