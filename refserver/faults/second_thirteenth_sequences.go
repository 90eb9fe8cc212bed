package faults

import (
	"fmt"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// thirteenthSequencesOfUsers are the faults of users and sessions after certain steps.
func thirteenthSequencesOfUsers() []Fault {
	return slices.Concat(
		breaks("users.me.update.keeps-identity",
			fault("sequence-other-custom-id-renews-created-at", "an update that gives a user another custom_id than it had sets its created_at anew", overrideStore(customIDsReinsert))),
		breaks("sessions.logout.destroys",
			fault("sequence-logout-of-older-session-ends-the-newest", "a logout in an older session of a user ends the newest in its place", overrideStore(logoutEndsNewest))),
		breaks("sessions.login.user-name",
			fault("sequence-name-tried-before-create-stays-unknown", "a user name with which somebody tried to log in before any user had it does not log in later", overrideStore(unknownNamesKept))),
	)
}

// customIDsReinsert updates users as an upsert by custom_id does: another one makes a new row.
func customIDsReinsert(inner refserver.Store, s *overrides) {
	renewed := &memory[time.Time]{}
	shown := func(user store.User) store.User {
		if at, is := renewed.lookup(keyOf(user.App, user.ID)); is {
			user.CreatedAt = at
		}
		return user
	}
	s.onUpdateUser(func(before, after store.User) {
		if before.CustomID != "" && after.CustomID != before.CustomID {
			renewed.keep(keyOf(after.App, after.ID), after.UpdatedAt)
		}
	})
	update := s.updateUser
	s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (store.User, error) {
		user, err := update(app, id, change)
		return shown(user), err
	}
	s.user = func(app store.App, id store.ID) (store.User, error) {
		user, err := inner.User(app, id)
		return shown(user), err
	}
}

// logoutEndsNewest ends the session that a user opened last, whichever it logs out of.
func logoutEndsNewest(inner refserver.Store, s *overrides) {
	newest := &memory[string]{}
	s.onLogin(func(app store.App, user store.ID, token string) { newest.keep(keyOf(app, user), token) })
	s.closeSession = func(app store.App, token string) error {
		if user, err := inner.Session(app, token); err == nil {
			last := newest.get(keyOf(app, user))
			if _, ended := inner.Session(app, last); ended == nil {
				token = last
			}
		}
		return inner.CloseSession(app, token)
	}
}

// unknownNamesKept remembers which user names nobody has, and asks no more.
func unknownNamesKept(inner refserver.Store, s *overrides) {
	unknown := &memory[bool]{}
	s.identify = func(app store.App, userName, email string, password []byte) (store.User, error) {
		key := fmt.Sprint(app, userName)
		if unknown.get(key) {
			return store.User{}, fmt.Errorf("user %w", store.ErrNotFound)
		}
		user, err := inner.Identify(app, userName, email, password)
		if err != nil && userName != "" {
			alike, unread := inner.Search(app, userName)
			named := slices.ContainsFunc(alike, func(other store.User) bool { return other.UserName == userName })
			unknown.keep(key, unread == nil && !named)
		}
		return user, err
	}
}

// thirteenthSequencesOfFeeds are those of connections and feeds.
func thirteenthSequencesOfFeeds() []Fault {
	return slices.Concat(
		breaks("social.connects",
			fault("sequence-social-follow-after-unfollow-in-vain", "connecting by social ids does not connect to a user from whom the session's user had disconnected",
				overrideStore(func(_ refserver.Store, s *overrides) {
					ended := endedAt(s)
					s.passOverContacts(func(app store.App, from store.ID, _ string, contact store.User) bool {
						return !ended(app, from, contact.ID).IsZero()
					})
				}))),
		breaks("feed.follow.new-events",
			fault("sequence-post-after-newest-deleted-in-no-feed", "what a user posts next after deleting its newest event reaches no follower", overrideStore(placeOfDeletedTaken)),
			fault("sequence-unfollow-clears-the-other-feed-too", "who ends a follow that was mutual takes its own earlier events out of the other one's feed", overrideStore(unfollowClearsBothFeeds))),
	)
}

// placeOfDeletedTaken keeps the place of a deleted event for deleted, where it was the newest of its owner.
func placeOfDeletedTaken(_ refserver.Store, s *overrides) {
	newest, vacant, hidden := &memory[store.ID]{}, &memory[bool]{}, &memory[bool]{}
	s.onDeleteEvent(func(app store.App, owner, id store.ID) {
		if newest.get(keyOf(app, owner)) == id {
			vacant.keep(keyOf(app, owner), true)
		}
	})
	s.onCreateEvent(func(event store.Event) {
		owner := keyOf(event.App, event.Owner)
		newest.keep(owner, event.ID)
		if vacant.keep(owner, false) {
			hidden.keep(keyOf(event.App, event.ID), true)
		}
	})
	s.hideNewEvents(func(event store.Event) bool { return hidden.get(keyOf(event.App, event.ID)) })
}

// unfollowClearsBothFeeds clears what two users have of each other when one follow of two ends.
func unfollowClearsBothFeeds(inner refserver.Store, s *overrides) {
	ended := endedAt(s)
	s.hideFromFeeds(func(r reader, event store.Event) bool {
		cleared := ended(r.app, event.Owner, r.id)
		again := ended(r.app, r.id, event.Owner).After(cleared) // what a new follow shows is whole
		return event.CreatedAt.Before(cleared) && !again && r.follows(event.Owner) && !r.befriends(event.Owner)
	})
}
