package faults

import (
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// eighthSequencesOfUsers are the faults of what a session leaves behind: a transaction
// that is to be rolled back, and requests of friends that were kept in it.
func eighthSequencesOfUsers() []Fault {
	return slices.Concat(
		breaks("sessions.logout.destroys",
			fault("sequence-logout-after-refusal-keeps-session", "a logout right after a refused request of the session is answered with 204 and rolled back with that one", refusalsKeepSessions)),
		breaks("connections.friends.mutual",
			fault("sequence-friendship-asked-before-logout-unconfirmed", "two users of whom the one who asked first logged out before the other asked, too, do not list each other as friends",
				overrideStore(askedInEndedSession))),
		breaks("social.connects",
			fault("sequence-second-platform-read-as-first", "who has connected by social identifiers on one platform, and does it on another, connects to those who have them on the first",
				overrideStore(func(inner refserver.Store, s *overrides) {
					first := &memory[string]{} // by user
					s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
						before := first.update(keyOf(app, from), func(known string) string {
							if known == "" {
								return platform
							}
							return known
						})
						if before == "" {
							before = platform
						}
						return inner.ConnectSocial(app, from, before, ids, typ)
					}
				}))),
		breaks("connections.lists.after-user-delete",
			fault("sequence-deleted-contact-stays-among-follows", "a deleted user stays among the follows of who followed it by social identifiers",
				deletedStays(0, func(s *overrides) *members { return &s.follows }, contactsOf))),
	)
}

// refusalsKeepSessions rolls a logout back where the session's request before it was refused.
func refusalsKeepSessions(o *refserver.Options) {
	refused := &memory[bool]{} // by token
	combine(
		rewriteResponse(insession, func(r *http.Request, resp *response) {
			refused.keep(sessionIn(r), resp.status/100 == 4 && resp.status != http.StatusUnauthorized)
		}),
		overrideStore(func(inner refserver.Store, s *overrides) {
			s.closeSession = func(app store.App, token string) error {
				if refused.get(token) {
					return nil
				}
				return inner.CloseSession(app, token)
			}
		}),
	)(o)
}

// askedInEndedSession forgets who was asked to be a friend when the one who asked logs out.
func askedInEndedSession(_ refserver.Store, s *overrides) {
	asked, loggedOut, unconfirmed := &memory[time.Time]{}, &memory[time.Time]{}, &memory[bool]{} // by who asked and who was asked; by user; by both
	s.onLogout(func(app store.App, user store.ID, _ string) { loggedOut.keep(keyOf(app, user), time.Now()) })
	s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
		if typ != store.Friend {
			return
		}
		asked.keep(keyOf(app, from, to), time.Now())
		before := asked.get(keyOf(app, to, from))
		unconfirmed.keep(keyOf(app, min(from, to), max(from, to)), !before.IsZero() && loggedOut.get(keyOf(app, to)).After(before))
	})
	s.onDisconnect(func(app store.App, from, to store.ID) {
		asked.keep(keyOf(app, from, to), time.Time{})
		asked.keep(keyOf(app, to, from), time.Time{})
		unconfirmed.keep(keyOf(app, min(from, to), max(from, to)), false)
	})
	filter(&s.friends, func(app store.App, id store.ID, friend store.User) bool {
		return unconfirmed.get(keyOf(app, min(id, friend.ID), max(id, friend.ID)))
	})
}

// contactsOf are the followers who found a user by social identifiers.
func contactsOf(inner refserver.Store, s *overrides) func(store.App, store.ID) []store.ID {
	socially, followers := connectedSocially(s), allFollowers(inner, s)
	return func(app store.App, owner store.ID) []store.ID {
		return slices.DeleteFunc(followers(app, owner), func(id store.ID) bool { return !socially(app, id, owner) })
	}
}

// eighthSequencesOfFeeds are those of caches that one request fills for another, and of
// subscriptions that end with a session.
func eighthSequencesOfFeeds() []Fault {
	return slices.Concat(
		breaks("events.update.status",
			fault("sequence-change-after-foreign-attempt-not-found", "an event that another user has tried to change is not found by a change of its owner from then on, as what was kept of it says that there is none",
				overrideStore(foreignAttemptsKept))),
		breaks("feed.follow.new-events",
			fault("sequence-nothing-new-after-logout", "who logs out after a follow does not see what the followed user posts from then on, until it follows that one again",
				overrideStore(subscriptionsEndWithSession))),
		breaks("feed.update-visible",
			fault("sequence-deletion-brings-first-versions-of-others", "where a user deletes an event, feeds show its other events as they were at first, until they are changed again",
				overrideStore(deletionBringsFirstVersions))),
	)
}

// foreignAttemptsKept keeps by the event alone, and not by the user, that it was not found.
func foreignAttemptsKept(inner refserver.Store, s *overrides) {
	owners, unfound := ownersOf(s), &memory[bool]{} // by event
	s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
		key := keyOf(app, id)
		if unfound.get(key) && owners.get(key) == owner {
			return store.Event{}, store.ErrNotFound
		}
		event, err := inner.UpdateEvent(app, owner, id, change)
		if errors.Is(err, store.ErrForbidden) {
			unfound.keep(key, true)
		}
		return event, err
	}
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

// deletionBringsFirstVersions has a deletion write the list of events anew from their creation.
func deletionBringsFirstVersions(_ refserver.Store, s *overrides) {
	all, firsts, back := archived(s), &memory[store.Event]{}, &memory[bool]{} // by event
	s.onCreateEvent(func(event store.Event) { firsts.keep(keyOf(event.App, event.ID), event) })
	s.onUpdateEvent(func(event store.Event) { back.keep(keyOf(event.App, event.ID), false) })
	s.onDeleteEvent(func(app store.App, owner, _ store.ID) {
		for _, event := range all.of(app, func(of store.ID) bool { return of == owner }) {
			back.keep(keyOf(app, event.ID), true)
		}
	})
	s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
		for i, event := range feed {
			if first, known := firsts.lookup(keyOf(r.app, event.ID)); known && back.get(keyOf(r.app, event.ID)) {
				feed[i] = first
			}
		}
		return feed
	})
}
