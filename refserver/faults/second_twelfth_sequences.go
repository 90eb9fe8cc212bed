package faults

import (
	"bytes"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// twelfthSequencesOfUsers are the faults of what is compared with an old state, and of
// what a change of a user touches besides.
func twelfthSequencesOfUsers() []Fault {
	return slices.Concat(
		breaks("users.me.update.password",
			fault("sequence-return-to-first-password-not-stored", "who changes the password, and then changes it back to the first, keeps the one in between", overrideStore(firstPasswordNotStored))),
		breaks("sessions.logout.destroys",
			fault("sequence-password-change-revives-logged-out-sessions", "a change of the password renews all sessions of the user, those that were logged out before it, too",
				overrideStore(passwordRevivesSessions))),
		breaks("search.deleted-excluded",
			fault("sequence-deleted-after-rename-found-by-former-name", "a user that was renamed, and then deleted, is found by the former user name", overrideStore(renamedAndDeletedFound))),
	)
}

// firstPasswordNotStored compares a new password with the one that the user was created with,
// and writes what is different.
func firstPasswordNotStored(inner refserver.Store, s *overrides) {
	firsts := &memory[[]byte]{} // by user
	s.onCreateUser(func(user store.User) { firsts.keep(keyOf(user.App, user.ID), user.Password) })
	s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (store.User, error) {
		return inner.UpdateUser(app, id, func(user *store.User) {
			before := user.Password
			if change(user); bytes.Equal(user.Password, firsts.get(keyOf(app, id))) {
				user.Password = before
			}
		})
	}
}

func passwordRevivesSessions(inner refserver.Store, s *overrides) {
	type end struct {
		user store.ID
		at   time.Time
	}
	ends, changes := &memory[end]{}, &memory[time.Time]{} // by token; by user
	s.onLogout(func(_ store.App, user store.ID, token string) { ends.keep(token, end{user, time.Now()}) })
	s.onUpdateUser(func(before, after store.User) {
		if !bytes.Equal(before.Password, after.Password) {
			changes.keep(keyOf(after.App, after.ID), time.Now())
		}
	})
	s.session = func(app store.App, token string) (store.ID, error) {
		if end, ended := ends.lookup(token); ended && changes.get(keyOf(app, end.user)).After(end.at) {
			if _, gone := inner.User(app, end.user); gone == nil {
				return end.user, nil
			}
		}
		return inner.Session(app, token)
	}
}

// renamedAndDeletedFound takes a deleted user out of the index under its present name alone.
func renamedAndDeletedFound(inner refserver.Store, s *overrides) {
	deleted, formers := watchDeletions(inner, s), &memory[[]string]{} // by user
	s.onUpdateUser(func(before, after store.User) {
		if before.UserName != after.UserName {
			formers.update(keyOf(after.App, after.ID), func(names []string) []string { return append(slices.Clip(names), before.UserName) })
		}
	})
	s.search = func(app store.App, term string) ([]store.User, error) {
		found, err := inner.Search(app, term)
		for _, gone := range deleted.in(app) {
			holds := func(former string) bool { return former != gone.user.UserName && holdsText(former, term) }
			if term != "" && slices.ContainsFunc(formers.get(keyOf(app, gone.user.ID)), holds) {
				found = append(found, gone.user)
			}
		}
		return found, err
	}
}

// twelfthSequencesOfFeeds are those of friendships that are made again, and of copies in
// feeds that one way of removing them does not reach.
func twelfthSequencesOfFeeds() []Fault {
	return slices.Concat(
		breaks("connections.friends.mutual",
			fault("sequence-friends-again-unseen-by-who-ended-it", "who ended a friendship that both make again does not have the other among the friends", overrideStore(friendsAgainUnseen))),
		breaks("feed.event-delete",
			fault("sequence-refollow-restores-events-deleted-meanwhile", "who follows a user again sees the events again that were there at the unfollow, also those deleted since",
				overrideStore(deletedRestored))),
		breaks("feed.purge.followers",
			fault("sequence-purge-forgets-what-a-follow-copied", "a deleted user's events that were older than a follow, and came into the feed with it, stay there", overrideStore(copiedEventsStay))),
		breaks("feed.purge.keeps-others",
			fault("sequence-purge-takes-events-of-namesake-elsewhere", "with a deleted user's events those of a user by the same name in another application leave the feeds", acrossApps(purgeTakesNamesakes))),
	)
}

// friendsAgainUnseen leaves a mark of the end of a friendship that its renewal does not take away.
func friendsAgainUnseen(inner refserver.Store, s *overrides) {
	ended, disconnect := &memory[bool]{}, s.disconnect // by who ended it and the other
	s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
		were := befriends(inner, app, from, to)
		err := disconnect(app, from, to, types...)
		if err == nil && were && !befriends(inner, app, from, to) {
			ended.keep(keyOf(app, from, to), true)
		}
		return err
	}
	filter(&s.friends, func(app store.App, id store.ID, friend store.User) bool { return ended.get(keyOf(app, id, friend.ID)) })
}

// deletedRestored puts the copies in a feed aside at an unfollow.
func deletedRestored(inner refserver.Store, s *overrides) {
	stale, aside, disconnect := keepStaleReads(s), &memory[[]store.Event]{}, s.disconnect // by reader and owner
	s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
		had := ownedBy(inner, app, from, to)
		err := disconnect(app, from, to, types...)
		if err == nil && len(ownedBy(inner, app, from, to)) == 0 {
			aside.keep(keyOf(app, from, to), had)
			stale.forget(app, from, to)
		}
		return err
	}
	s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) {
		standing := ownedBy(inner, app, from, to)
		gone := without(slices.Clone(aside.keep(keyOf(app, from, to), nil)), func(event store.Event) bool { return holdsEvent(standing, event.ID) })
		stale.keep(app, from, gone, func([]store.Event) bool { _, missing := inner.User(app, to); return missing == nil })
	})
}

// copiedEventsStay purges what was handed out when it was posted, and not what a follow copied.
func copiedEventsStay(inner refserver.Store, s *overrides) {
	stale, since, followers := keepStaleReads(s), firstFollows(s), followersAlone(inner, s)
	s.deleteUser = func(app store.App, id store.ID) error {
		left := map[store.ID][]store.Event{}
		for _, reader := range followers(app, id) {
			left[reader] = without(ownedBy(inner, app, reader, id), func(event store.Event) bool { return !event.CreatedAt.Before(since(app, reader, id)) })
		}
		err := inner.DeleteUser(app, id)
		for reader, events := range left {
			if err == nil {
				stale.keep(app, reader, events, atOnce(time.Now()))
			}
		}
		return err
	}
}

// purgeTakesNamesakes purges by user name, whatever the application.
func purgeTakesNamesakes(apps []store.App, inner refserver.Store, s *overrides) {
	deleted := watchDeletions(inner, s)
	s.hideFromFeeds(func(r reader, event store.Event) bool {
		owner, err := inner.User(r.app, event.Owner)
		return err == nil && slices.ContainsFunc(apps, func(app store.App) bool {
			return app != r.app && slices.ContainsFunc(deleted.in(app), func(gone deletion) bool {
				return sameName(gone.user, owner) && gone.isOlder(event)
			})
		})
	})
}
