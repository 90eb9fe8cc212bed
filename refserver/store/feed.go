package store

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hashicorp/go-memdb"
)

// Feed returns the events of the users that a user follows or is friends with,
// newest first, each once; equal times in the order of the ids. It reads the
// timelines of those users alone, so its cost does not grow with anyone else's events.
func (s *Store) Feed(app App, id ID) ([]Event, error) {
	txn := s.readLagged()
	sources, err := s.sources(txn, app, id)
	if err != nil {
		return nil, err
	}
	var rows []*Event
	for _, source := range sources {
		timeline, err := scan[Event](txn, events, byOwner, key(app, source))
		if err != nil {
			return nil, fmt.Errorf("reading the feed: %w", err)
		}
		rows = append(rows, timeline...)
	}
	slices.SortFunc(rows, newestFirst)
	feed := make([]Event, len(rows))
	for i, row := range rows {
		feed[i] = *row
	}
	return feed, nil
}

// sources returns the users whose events a feed holds, each once.
func (s *Store) sources(txn *memdb.Txn, app App, id ID) ([]ID, error) {
	sources, err := peers(txn, byID, app, id, Follow)
	if err != nil {
		return nil, err
	}
	more, err := friends(txn, app, id)
	if err != nil {
		return nil, err
	}
	sources = append(sources, more...)
	if s.policy.OwnEvents {
		sources = append(sources, id)
	}
	slices.Sort(sources)
	return slices.Compact(sources), nil
}

func newestFirst(a, b *Event) int {
	return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
}
