package faults

import (
	"errors"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// timeEventsSearch are the faults of events and users that are found, or not found any
// more, a while later.
func timeEventsSearch() []Fault {
	return slices.Concat(
		breaks("search.exact",
			fault("time-users-not-found-any-more", "a search finds users by the whole user name for five seconds after they were created",
				finding(func(user store.User, term string, found bool) bool {
					return found && !(user.UserName == term && time.Since(user.CreatedAt) >= aWhile)
				}))),
		breaks("search.non-match-excluded",
			fault("time-found-by-former-last-name-again", "five seconds after a change of the last name a search finds the user by the former one again",
				overrideStore(func(_ refserver.Store, s *overrides) {
					type former struct {
						name string
						at   time.Time
					}
					formers := &memory[former]{} // by user
					s.onUpdateUser(func(before, after store.User) {
						if before.LastName != after.LastName {
							formers.keep(keyOf(after.App, after.ID), former{before.LastName, time.Now()})
						}
					})
					s.searchBy(func(user store.User, term string, found bool) bool {
						had, is := formers.lookup(keyOf(user.App, user.ID))
						return found || is && time.Since(had.at) >= 5*time.Second && had.name != "" && holdsText(had.name, term)
					})
				}))),
		breaks("search.deleted-excluded",
			fault("time-deleted-user-found-again", "five seconds after its deletion a search finds a user again", deletedFound(userName, aWhile))),
		breaks("events.update.status",
			fault("time-older-events-not-changeable", "an event that was posted four seconds ago is not found by a change",
				overrideStore(func(inner refserver.Store, s *overrides) {
					posted := &memory[store.Event]{}
					s.onCreateEvent(func(event store.Event) { posted.keep(keyOf(event.App, event.ID), event) })
					s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
						if event, known := posted.lookup(keyOf(app, id)); known && event.Owner == owner && time.Since(event.CreatedAt) >= 4*time.Second {
							return store.Event{}, store.ErrNotFound
						}
						return inner.UpdateEvent(app, owner, id, change)
					}
				}))),
		breaks("events.update.keeps-identity",
			fault("time-late-change-moves-created-at", "a change of an event three seconds after it was posted, or later, gives it a created_at of its own",
				rewriteObject(updatesEvent(), func(event map[string]any) {
					if timeIn(event, "updated_at").Sub(timeIn(event, "created_at")) >= 3*time.Second {
						copied("created_at", "updated_at")(event)
					}
				}))),
		breaks("events.delete.status",
			fault("time-older-events-not-found-for-deletion", "an event of more than three seconds ago is not found by its deletion",
				overrideStore(func(inner refserver.Store, s *overrides) {
					posted := &memory[time.Time]{}
					s.onCreateEvent(func(event store.Event) { posted.keep(keyOf(event.App, event.ID), event.CreatedAt) })
					s.deleteEvent = func(app store.App, owner, id store.ID) error {
						if at, known := posted.lookup(keyOf(app, id)); known && time.Since(at) > 3*time.Second {
							return store.ErrNotFound
						}
						return inner.DeleteEvent(app, owner, id)
					}
				}))),
		breaks("events.delete.others",
			fault("time-owner-of-event-forgotten", "three seconds after an event was posted or changed anybody may delete it",
				overrideStore(func(inner refserver.Store, s *overrides) {
					events := &memory[store.Event]{}
					s.onCreateEvent(func(event store.Event) { events.keep(keyOf(event.App, event.ID), event) })
					s.onUpdateEvent(func(event store.Event) { events.keep(keyOf(event.App, event.ID), event) })
					s.deleteEvent = func(app store.App, user, id store.ID) error {
						err := inner.DeleteEvent(app, user, id)
						event, known := events.lookup(keyOf(app, id))
						if errors.Is(err, store.ErrForbidden) && known && time.Since(event.UpdatedAt) >= 3*time.Second {
							return inner.DeleteEvent(app, event.Owner, id)
						}
						return err
					}
				}))),
	)
}
