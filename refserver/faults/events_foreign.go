package faults

import (
	"errors"
	"fmt"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// may says whether a user may touch the events of another, against the contract.
type may func(inner refserver.Store, app store.App, user, owner store.ID) bool

func follows(inner refserver.Store, app store.App, user, owner store.ID) bool {
	return among(inner.Follows, app, user, owner)
}

func befriends(inner refserver.Store, app store.App, user, owner store.ID) bool {
	return among(inner.Friends, app, user, owner)
}

// among tells whether a user's list has another user.
func among(list members, app store.App, user, other store.ID) bool {
	users, err := list(app, user)
	for _, each := range users {
		if err == nil && each.ID == other {
			return true
		}
	}
	return false
}

// foreignUpdates lets some users change the events of others; unsaid keeps the refusal.
func foreignUpdates(allowed may, unsaid bool) func(*refserver.Options) {
	return swap(func(inner refserver.Store, s *swapped) {
		owners := ownersOf(s)
		s.updateEvent = func(app store.App, user, id store.ID, change func(*store.Event)) (store.Event, error) {
			event, err := inner.UpdateEvent(app, user, id, change)
			owner, known := owners.get(keyOf(app, id))
			if !errors.Is(err, store.ErrForbidden) || !known || !allowed(inner, app, user, owner) {
				return event, err
			}
			event, cause := inner.UpdateEvent(app, owner, id, change)
			if cause != nil {
				return event, fmt.Errorf("changing another's event: %w", cause)
			}
			if unsaid {
				return event, err
			}
			return event, nil
		}
	})
}

// ownersOf watches who creates events.
func ownersOf(s *swapped) *memory[store.ID] {
	owners, create := &memory[store.ID]{}, s.createEvent
	s.createEvent = func(app store.App, owner store.ID, event store.Event) (store.Event, error) {
		event, err := create(app, owner, event)
		if err == nil {
			owners.keep(keyOf(app, event.ID), owner)
		}
		return event, err
	}
	return owners
}

// foreignDeletions lets some users delete the events of others; unsaid keeps the refusal.
func foreignDeletions(allowed may, unsaid bool) func(*refserver.Options) {
	return swap(func(inner refserver.Store, s *swapped) {
		owners := ownersOf(s)
		s.deleteEvent = func(app store.App, user, id store.ID) error {
			err := inner.DeleteEvent(app, user, id)
			owner, known := owners.get(keyOf(app, id))
			if !errors.Is(err, store.ErrForbidden) || !known || !allowed(inner, app, user, owner) {
				return err
			}
			cause := inner.DeleteEvent(app, owner, id)
			if unsaid {
				return errors.Join(err, cause)
			}
			return cause
		}
	})
}
