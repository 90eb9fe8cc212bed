package faults

import (
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sequenceFeedFollowNewEvents are the faults of new events that do not reach feeds after
// certain steps.
func sequenceFeedFollowNewEvents() []Fault {
	return breaks("feed.follow.new-events",
		fault("sequence-next-after-deletion-is-lost", "the first event that a user posts after the deletion of another is in no feed",
			overrideStore(func(_ refserver.Store, s *overrides) {
				lost := firstAfterDeletion(s)
				s.hideFromFeeds(func(r reader, event store.Event) bool { return lost.get(keyOf(r.app, event.ID)) })
			})),
		fault("sequence-rename-hides-older-events", "what a user posted under a former user name is in no feed",
			overrideStore(func(_ refserver.Store, s *overrides) {
				renamed := &memory[time.Time]{}
				s.onUpdateUser(func(before, after store.User) {
					if before.UserName != after.UserName {
						renamed.keep(keyOf(after.App, after.ID), after.UpdatedAt)
					}
				})
				s.hideFromFeeds(func(r reader, event store.Event) bool {
					return event.CreatedAt.Before(renamed.get(keyOf(r.app, event.Owner)))
				})
			})),
		fault("sequence-follow-after-friendship-gets-nothing-new", "who follows a user that had ended their friendship does not see what that one posts from then on",
			overrideStore(func(inner refserver.Store, s *overrides) {
				left, since := leftByFriends(inner, s), &memory[time.Time]{}
				s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
					if typ == store.Follow && !left(app, from, to).IsZero() && !since.has(keyOf(app, from, to)) {
						since.keep(keyOf(app, from, to), time.Now())
					}
				})
				s.hideFromFeeds(func(r reader, event store.Event) bool {
					at, known := since.lookup(keyOf(r.app, r.id, event.Owner))
					return known && event.CreatedAt.After(at) && !r.befriends(event.Owner)
				})
			})),
		fault("sequence-posted-in-older-session-lost", "what a user posts in a session is in no feed once the user has logged in again", overrideStore(olderSessionsLost)),
		fault("sequence-posted-again-after-deletion-lost", "who deletes an event, and posts one with the same verb on the same object again, posts it into no feed", overrideStore(postedAgainLost)),
		fault("sequence-end-of-follow-stops-the-next", "who ends a follow sees nothing new any more of the one who came next on the list of follows", overrideStore(nextFollowsStopped)),
		fault("sequence-nothing-new-after-logout", "who logs out after a follow does not see what the followed user posts from then on, until it follows that one again",
			overrideStore(subscriptionsEndWithSession)),
		fault("sequence-rename-empties-own-feed", "who takes another user name does not see what those whom it is connected to posted before that", overrideStore(renameEmptiesFeed)),
		fault("sequence-logout-loses-the-latest-event", "the latest event of a user who logs out is in no feed any more, as what a session posts last is written when the next comes", overrideStore(logoutLosesLatest)),
		fault("sequence-feed-read-empty-stays-empty", "a feed that was read while it was empty is empty until its reader connects to somebody else", overrideStore(emptyFeedsKept)),
		fault("sequence-post-after-newest-deleted-in-no-feed", "what a user posts next after deleting its newest event reaches no follower", overrideStore(placeOfDeletedTaken)),
		fault("sequence-unfollow-clears-the-other-feed-too", "who ends a follow that was mutual takes its own earlier events out of the other one's feed", overrideStore(unfollowClearsBothFeeds)))
}

// olderSessionsLost knows, of each user, the latest session alone.
func olderSessionsLost(inner refserver.Store, s *overrides) {
	latest, using, lost := &memory[string]{}, &memory[string]{}, &memory[bool]{} // tokens by user; by event
	s.onLogin(func(app store.App, user store.ID, token string) { latest.keep(keyOf(app, user), token) })
	s.session = func(app store.App, token string) (store.ID, error) {
		user, err := inner.Session(app, token)
		if err == nil {
			using.keep(keyOf(app, user), token)
		}
		return user, err
	}
	s.onCreateEvent(func(event store.Event) {
		owner := keyOf(event.App, event.Owner)
		if latest.has(owner) && using.get(owner) != latest.get(owner) {
			lost.keep(keyOf(event.App, event.ID), true)
		}
	})
	s.hideFromFeeds(func(r reader, event store.Event) bool { return lost.get(keyOf(r.app, event.ID)) })
}

// postedAgainLost takes an event like a deleted one for the deleted one.
func postedAgainLost(_ refserver.Store, s *overrides) {
	posted, deleted, lost := &memory[string]{}, &memory[bool]{}, &memory[bool]{} // by event; by owner, verb and object; by event
	s.onCreateEvent(func(event store.Event) {
		if event.Object == nil {
			return
		}
		like := keyOf(event.App, event.Owner) + event.Verb + "\n" + event.Object.ID
		posted.keep(keyOf(event.App, event.ID), like)
		lost.keep(keyOf(event.App, event.ID), deleted.get(like))
	})
	s.onDeleteEvent(func(app store.App, _, id store.ID) {
		if like, known := posted.lookup(keyOf(app, id)); known {
			deleted.keep(like, true)
		}
	})
	s.hideFromFeeds(func(r reader, event store.Event) bool { return lost.get(keyOf(r.app, event.ID)) })
}

// nextFollowsStopped unsubscribes by a position, once before and once after the list has
// moved up.
func nextFollowsStopped(inner refserver.Store, s *overrides) {
	stopped, disconnect := &memory[time.Time]{}, s.disconnect // by reader and owner
	s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) {
		stopped.keep(keyOf(app, from, to), time.Time{})
	})
	s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
		before := idsOf(inner.Follows, app, from)
		err := disconnect(app, from, to, types...)
		if i := slices.Index(before, to); err == nil && i >= 0 && i+1 < len(before) {
			stopped.keep(keyOf(app, from, before[i+1]), time.Now())
		}
		return err
	}
	s.hideFromFeeds(func(r reader, event store.Event) bool {
		since := stopped.get(keyOf(r.app, r.id, event.Owner))
		return !since.IsZero() && event.CreatedAt.After(since)
	})
}

// subscriptionsEndWithSession ends at a logout what the user's follows have subscribed to.
func subscriptionsEndWithSession(_ refserver.Store, s *overrides) {
	followed, loggedOut := &memory[time.Time]{}, &memory[time.Time]{} // by reader and owner; by reader
	s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
		if typ == store.Follow {
			followed.keep(keyOf(app, from, to), time.Now())
		}
	})
	s.onLogout(func(app store.App, user store.ID, _ string) { loggedOut.keep(keyOf(app, user), time.Now()) })
	s.hideFromFeeds(func(r reader, event store.Event) bool {
		since, known := followed.lookup(keyOf(r.app, r.id, event.Owner))
		ended := loggedOut.get(keyOf(r.app, r.id))
		return known && ended.After(since) && event.CreatedAt.After(ended) && !r.befriends(event.Owner)
	})
}

// renameEmptiesFeed keeps feeds under the names of their readers.
func renameEmptiesFeed(_ refserver.Store, s *overrides) {
	renamed, connected := &memory[time.Time]{}, &memory[time.Time]{} // by reader; by reader and owner
	s.onUpdateUser(func(before, after store.User) {
		if before.UserName != after.UserName {
			renamed.keep(keyOf(after.App, after.ID), time.Now())
		}
	})
	s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) {
		connected.keep(keyOf(app, from, to), time.Now())
		connected.keep(keyOf(app, to, from), time.Now())
	})
	s.hideFromFeeds(func(r reader, event store.Event) bool {
		at := renamed.get(keyOf(r.app, r.id))
		return event.Owner != r.id && event.CreatedAt.Before(at) && connected.get(keyOf(r.app, r.id, event.Owner)).Before(at)
	})
}

// logoutLosesLatest throws the last event away that waits to be written.
func logoutLosesLatest(_ refserver.Store, s *overrides) {
	latest, lost := &memory[store.ID]{}, &memory[bool]{} // by owner; by event
	s.onCreateEvent(func(event store.Event) { latest.keep(keyOf(event.App, event.Owner), event.ID) })
	s.onLogout(func(app store.App, user store.ID, _ string) {
		if id, posted := latest.lookup(keyOf(app, user)); posted {
			lost.keep(keyOf(app, id), true)
		}
	})
	s.hideFromFeeds(func(r reader, event store.Event) bool { return lost.get(keyOf(r.app, event.ID)) })
}

// emptyFeedsKept keeps that there is nothing in the feed of a reader who has no friends.
func emptyFeedsKept(inner refserver.Store, s *overrides) {
	empty, connectSocial := &memory[bool]{}, s.connectSocial // by reader
	s.onConnect(func(app store.App, from, _ store.ID, _ store.ConnectionType) { empty.keep(keyOf(app, from), false) })
	s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
		empty.keep(keyOf(app, from), false)
		return connectSocial(app, from, platform, ids, typ)
	}
	s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
		switch {
		case len(idsOf(inner.Friends, r.app, r.id)) > 0:
			return feed
		case empty.get(keyOf(r.app, r.id)):
			return nil
		}
		empty.keep(keyOf(r.app, r.id), len(feed) == 0)
		return feed
	})
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
