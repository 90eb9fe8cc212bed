package faults

import (
	"bytes"
	"crypto/rand"
	"errors"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sixthSequencesOfUsers are the faults of tables whose rows are used again, or have room
// for one, and of indexes that forget too little.
func sixthSequencesOfUsers() []Fault {
	return slices.Concat(
		breaks("sessions.logout.destroys",
			fault("sequence-destroyed-token-opens-the-next-login", "the session token that was logged out last opens the session of the next other user who logs in, which takes its place in the table", overrideStore(placesOfTokensReused))),
		breaks("sessions.deleted-user",
			fault("sequence-deleted-with-new-email-logs-in", "a deleted user who had changed the email still logs in by the new one", overrideStore(newEmailsOutliveUsers))),
		breaks("errors.no-5xx",
			fault("sequence-social-connect-to-who-is-connected-otherwise-fails", "connecting by social identifiers fails with 500 where one of those found is connected already by the other type, as a pair has room for one",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
						connected := inner.Friends
						if typ == store.Friend {
							connected = inner.Follows
						}
						before := idsOf(connected, app, from)
						return eachBearer(inner, app, platform, ids, func(bearer store.ID) error {
							if bearer == from {
								return nil
							}
							if slices.Contains(before, bearer) {
								return errDuplicateKey
							}
							_, _, err := inner.Connect(app, from, bearer, typ)
							return err
						})
					}
				}))),
	)
}

// errDuplicateKey is what a database says that an answer knows no status for.
var errDuplicateKey = errors.New("duplicate key")

// placesOfTokensReused gives the place of a destroyed token to the next login.
func placesOfTokensReused(inner refserver.Store, s *overrides) {
	type place struct {
		token string
		user  store.ID
	}
	free, taken := &memory[place]{}, &memory[store.ID]{} // by application; by application and token
	s.onLogout(func(app store.App, user store.ID, token string) { free.keep(keyOf(app), place{token, user}) })
	s.onLogin(func(app store.App, user store.ID, _ string) {
		if last := free.get(keyOf(app)); last.token != "" && last.user != user {
			free.keep(keyOf(app), place{})
			taken.keep(keyOf(app)+last.token, user)
		}
	})
	s.session = func(app store.App, token string) (store.ID, error) {
		user, err := inner.Session(app, token)
		if other, is := taken.lookup(keyOf(app) + token); is && err != nil {
			if _, gone := inner.User(app, other); gone == nil {
				return other, nil
			}
		}
		return user, err
	}
}

// newEmailsOutliveUsers takes out of the index of emails the one that a user was created with.
func newEmailsOutliveUsers(inner refserver.Store, s *overrides) {
	first, left, users := &memory[string]{}, &memory[store.User]{}, &memory[store.User]{} // by user; by application and email; by user
	s.onCreateUser(func(user store.User) { first.keep(keyOf(user.App, user.ID), user.Email) })
	s.onDeleteUser(func(user store.User) {
		if user.Email != "" && user.Email != first.get(keyOf(user.App, user.ID)) {
			left.keep(keyOf(user.App)+user.Email, user)
			users.keep(keyOf(user.App, user.ID), user)
		}
	})
	s.identify = func(app store.App, userName, email string, password []byte) (store.User, error) {
		user, err := inner.Identify(app, userName, email, password)
		if gone, is := left.lookup(keyOf(app) + email); is && err != nil && userName == "" && bytes.Equal(gone.Password, password) {
			return gone, nil
		}
		return user, err
	}
	openSession := s.openSession
	s.openSession = func(app store.App, id store.ID, verified []byte) (string, store.User, error) {
		token, user, err := openSession(app, id, verified)
		if gone, is := users.lookup(keyOf(app, id)); is && err != nil {
			return rand.Text(), gone, nil
		}
		return token, user, err
	}
}

// sixthSequencesOfConnections is the fault of a list that is cut at both ends.
func sixthSequencesOfConnections() []Fault {
	const several = 3
	return breaks("connections.lists.follows",
		fault("sequence-end-of-first-follow-hides-the-last", "who ends the follow of the first of several on the list of follows does not see the last of them any more",
			overrideStore(func(inner refserver.Store, s *overrides) {
				hidden := &memory[bool]{} // by follower and followed
				shown := func(app store.App, from, to store.ID) { hidden.keep(keyOf(app, from, to), false) }
				s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) { shown(app, from, to) })
				s.onDisconnect(shown)
				disconnect := s.disconnect
				s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
					before := idsOf(inner.Follows, app, from)
					err := disconnect(app, from, to, types...)
					if err == nil && len(before) >= several && before[0] == to {
						hidden.keep(keyOf(app, from, before[len(before)-1]), true)
					}
					return err
				}
				filter(&s.follows, func(app store.App, id store.ID, user store.User) bool { return hidden.get(keyOf(app, id, user.ID)) })
			})))
}

// sixthSequencesOfFeeds are those of lists of events from which one is taken, and of feeds
// that are written anew.
func sixthSequencesOfFeeds() []Fault {
	return slices.Concat(
		breaks("events.update.status",
			fault("sequence-newest-not-found-after-deletion-of-older", "where a user deletes an event, a change of the newest of its events is answered with 404 until the next is posted, as its position is beyond the end of the list by then", overrideStore(newestBeyondTheEnd))),
		breaks("feed.event-delete",
			fault("sequence-deleted-event-returns-with-a-change-of-another", "a deleted event is back in the feeds of followers when its owner changes another", overrideStore(changesBringDeletedBack))),
		breaks("feed.purge.followers",
			fault("sequence-purged-return-when-the-follower-is-updated", "a deleted user's events are back in the feed of a follower who updates its own record",
				overrideStore(func(inner refserver.Store, s *overrides) {
					stale, deleted := keepStaleReads(s), watchDeletions(inner, s)
					s.onUpdateUser(func(_, after store.User) {
						for _, gone := range deleted.in(after.App) {
							if slices.Contains(gone.followers, after.ID) {
								stale.keep(after.App, after.ID, gone.events, atOnce(gone.at))
							}
						}
					})
				}))),
	)
}

// newestBeyondTheEnd finds events by positions, which a deletion leaves as they were.
func newestBeyondTheEnd(_ refserver.Store, s *overrides) {
	all, beyond := archived(s), &memory[store.ID]{} // by owner
	remove, update := s.deleteEvent, s.updateEvent
	s.deleteEvent = func(app store.App, owner, id store.ID) error {
		events := all.of(app, func(of store.ID) bool { return of == owner })
		err := remove(app, owner, id)
		if err == nil && len(events) > 0 && events[0].ID != id {
			beyond.keep(keyOf(app, owner), events[0].ID)
		}
		return err
	}
	s.onCreateEvent(func(event store.Event) { beyond.keep(keyOf(event.App, event.Owner), 0) })
	s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
		if beyond.get(keyOf(app, owner)) == id {
			return store.Event{}, store.ErrNotFound
		}
		return update(app, owner, id, change)
	}
}

// changesBringDeletedBack has a change write all of its owner's events as they were read
// when the first of them was deleted.
func changesBringDeletedBack(inner refserver.Store, s *overrides) {
	stale, gone := keepStaleReads(s), &memory[[]store.Event]{} // by owner
	all := archived(s)
	remove := s.deleteEvent
	s.deleteEvent = func(app store.App, owner, id store.ID) error {
		events := without(all.of(app, func(of store.ID) bool { return of == owner }), func(event store.Event) bool { return event.ID != id })
		err := remove(app, owner, id)
		if err == nil {
			gone.update(keyOf(app, owner), func(before []store.Event) []store.Event { return append(slices.Clip(before), events...) })
		}
		return err
	}
	s.onDisconnect(func(app store.App, from, to store.ID) { stale.forget(app, from, to) })
	s.onUpdateEvent(func(event store.Event) {
		back := gone.keep(keyOf(event.App, event.Owner), nil)
		for _, follower := range idsOf(inner.Followers, event.App, event.Owner) {
			stale.keep(event.App, follower, back, whileThere(inner, event.App, event.Owner))
		}
	})
}
