package faults

import (
	"errors"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// permission says whether a user may touch what is another's, against the contract.
type permission func(inner refserver.Store, app store.App, user, owner store.ID) bool

func anyone(refserver.Store, store.App, store.ID, store.ID) bool { return true }

func follows(inner refserver.Store, app store.App, user, owner store.ID) bool {
	return among(inner.Follows, app, user, owner)
}

func befriends(inner refserver.Store, app store.App, user, owner store.ID) bool {
	return among(inner.Friends, app, user, owner)
}

// ownersOf watches who creates events.
func ownersOf(s *overrides) *memory[store.ID] {
	owners := &memory[store.ID]{}
	s.onCreateEvent(func(event store.Event) { owners.keep(keyOf(event.App, event.ID), event.Owner) })
	return owners
}

// foreignUpdates lets some users change the events of others; said is what they are told.
func foreignUpdates(allowed permission, said error) mutation {
	return overrideStore(func(inner refserver.Store, s *overrides) {
		owners := ownersOf(s)
		s.updateEvent = func(app store.App, user, id store.ID, change func(*store.Event)) (store.Event, error) {
			event, err := inner.UpdateEvent(app, user, id, change)
			if owner := owners.get(keyOf(app, id)); errors.Is(err, store.ErrForbidden) && allowed(inner, app, user, owner) {
				event, err := inner.UpdateEvent(app, owner, id, change)
				return event, errors.Join(err, said)
			}
			return event, err
		}
	})
}

// foreignDeletions lets some users delete the events of others; said is what they are told.
func foreignDeletions(allowed permission, said error) mutation {
	return overrideStore(func(inner refserver.Store, s *overrides) {
		owners := ownersOf(s)
		s.deleteEvent = func(app store.App, user, id store.ID) error {
			err := inner.DeleteEvent(app, user, id)
			if owner := owners.get(keyOf(app, id)); errors.Is(err, store.ErrForbidden) && allowed(inner, app, user, owner) {
				return errors.Join(inner.DeleteEvent(app, owner, id), said)
			}
			return err
		}
	})
}
