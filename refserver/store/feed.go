package store

import (
	"cmp"
	"slices"

	"github.com/hashicorp/go-memdb"
)

// Feed returns the events of the users that a user follows or is friends with,
// newest first, each once; equal times in the order of the ids. It reads the
// timelines of those users alone, so its cost does not grow with anyone else's events.
func (s *Store) Feed(app App, id ID) ([]Event, error) {
	return values(s.feedRows(s.readLagged(), app, id)), nil
}

// FeedPage is Feed without copying. As long as nothing was written it returns the same page,
// and reports that it is the same.
func (s *Store) FeedPage(app App, id ID) (page *FeedPage, again bool) {
	state := s.readLagged()
	if page, known := state.feeds.get(userKey{app, id}); known {
		return page, true
	}
	page = &FeedPage{Events: s.feedRows(state, app, id)}
	state.feeds.keep(userKey{app, id}, page)
	return page, false
}

func (s *Store) feedRows(txn *snapshot, app App, id ID) []*Event {
	sources := s.sources(txn.Txn, app, id)
	read, length := make([]*timeline, 0, len(sources)), 0
	for _, source := range sources {
		if row := txn.timelines.get(app, source); row != nil {
			read, length = append(read, row), length+row.length()
		}
	}
	events := make([]*Event, 0, length)
	for _, row := range read {
		for _, chunk := range row.chunks {
			events = append(events, chunk...)
		}
	}
	slices.SortFunc(events, func(a, b *Event) int { return cmp.Compare(b.ID, a.ID) }) // which is the order of the times
	return events
}

func (l *timeline) length() int {
	length := 0
	for _, chunk := range l.chunks {
		length += len(chunk)
	}
	return length
}

// sources returns the users whose events a feed holds, each once.
func (s *Store) sources(txn *memdb.Txn, app App, id ID) []ID {
	made := scan[Connection](txn, connections, byID, key(app, id))
	befriended := scan[Connection](txn, connections, byTarget, edge(app, id, Friend))
	sources := make([]ID, 0, len(made)+len(befriended)+1)
	for _, connection := range made {
		if connection.Type == Follow || !connection.ConfirmedAt.IsZero() {
			sources = append(sources, connection.To)
		}
	}
	for _, connection := range befriended {
		if !connection.ConfirmedAt.IsZero() {
			sources = append(sources, connection.From)
		}
	}
	if s.policy.OwnEvents {
		sources = append(sources, id)
	}
	slices.Sort(sources)
	return slices.Compact(sources)
}
