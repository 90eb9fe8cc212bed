package faults

import (
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// blindFeedSequences are the faults of feeds after certain sequences.
func blindFeedSequences() []Fault {
	return slices.Concat(
		breaks("feed.follow.earlier-events",
			fault("sequence-empty-feed-cached", "who read an empty feed before the first connection sees nothing until somebody posts",
				overrideStore(func(inner refserver.Store, s *overrides) {
					empty, isNew := &memory[bool]{}, neverConnected(s)
					fill := func(event store.Event) {
						for _, id := range append(idsOf(inner.Followers, event.App, event.Owner), idsOf(inner.Friends, event.App, event.Owner)...) {
							empty.keep(keyOf(event.App, id), false)
						}
					}
					s.onCreateEvent(fill)
					s.onUpdateEvent(fill)
					s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
						if len(feed) == 0 && isNew(r.app, r.id) {
							empty.keep(keyOf(r.app, r.id), true)
						}
						if empty.get(keyOf(r.app, r.id)) {
							return nil
						}
						return feed
					})
				}))),
		breaks("feed.event-delete",
			fault("sequence-deleted-event-stays-for-refollower", "a deleted event stays in the feed of a follower who had ended the follow and made it again",
				deletionPassesOver(allOf, onceEnded(followersAlone), atOnce))),
		breaks("feed.purge.followers",
			fault("sequence-purge-short-after-event-deletion", "the oldest event of a deleted user who had deleted another of them stays in the feeds of followers",
				purgePassesOver(oldest, readers(followersAlone).where(func(_ refserver.Store, s *overrides) func(store.App, store.ID, store.ID) bool {
					deleted := &memory[bool]{}
					s.onDeleteEvent(func(app store.App, owner, _ store.ID) { deleted.keep(keyOf(app, owner), true) })
					return func(app store.App, owner, _ store.ID) bool { return deleted.get(keyOf(app, owner)) }
				}), atOnce))),
		breaks("feed.follow.new-events",
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
				}))),
		breaks("feed.unfollow",
			fault("sequence-change-after-unfollow-brings-event-back", "an event that is changed is again in the feeds of those who followed its owner once",
				overrideStore(changesReachFormerFollowers))),
	)
}

// changesReachFormerFollowers shows changed events to those who ended their connection to the owner.
func changesReachFormerFollowers(inner refserver.Store, s *overrides) {
	left := &memory[map[store.ID]bool]{} // who ended a connection, by the user to whom
	back := &memory[bool]{}              // by reader and event
	keep := func(app store.App, from, to store.ID, gone bool) {
		left.update(keyOf(app, to), func(before map[store.ID]bool) map[store.ID]bool {
			after := map[store.ID]bool{}
			maps.Copy(after, before)
			after[from] = gone
			return after
		})
	}
	all := archived(s)
	s.onDisconnect(func(app store.App, from, to store.ID) { keep(app, from, to, true) })
	s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) { keep(app, from, to, false) })
	s.onUpdateEvent(func(event store.Event) {
		for id, gone := range left.get(keyOf(event.App, event.Owner)) {
			back.keep(keyOf(event.App, id, event.ID), gone)
		}
	})
	s.addToFeeds(func(r reader, _ []store.Event) []store.Event {
		changed := all.of(r.app, func(owner store.ID) bool {
			_, missing := inner.User(r.app, owner)
			return missing == nil && left.get(keyOf(r.app, owner))[r.id]
		})
		return without(changed, func(event store.Event) bool { return !back.get(keyOf(r.app, r.id, event.ID)) })
	})
}

// blindEventSequences are those of events.
func blindEventSequences() []Fault {
	return slices.Concat(
		breaks("events.update.unknown",
			fault("sequence-deleted-event-id-means-the-next", "the id of a deleted event stands for the next one that its owner posts, where it is changed",
				overrideStore(func(inner refserver.Store, s *overrides) {
					freed, heirs := &memory[store.ID]{}, &memory[store.ID]{} // by owner; by deleted event
					s.onDeleteEvent(func(app store.App, owner, id store.ID) { freed.keep(keyOf(app, owner), id) })
					s.onCreateEvent(func(event store.Event) {
						if id := freed.keep(keyOf(event.App, event.Owner), 0); id != 0 {
							heirs.keep(keyOf(event.App, id), event.ID)
						}
					})
					update := s.updateEvent
					s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
						if heir, known := heirs.lookup(keyOf(app, id)); known {
							id = heir
						}
						return update(app, owner, id, change)
					}
				}))),
		breaks("events.update.others",
			fault("sequence-refused-foreign-change-flushed-later", "a change of another's event that was refused is made when its owner changes it next",
				overrideStore(func(inner refserver.Store, s *overrides) {
					pending := &memory[func(*store.Event)]{} // by event
					s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
						event, err := inner.UpdateEvent(app, owner, id, func(event *store.Event) {
							if dirty := pending.keep(keyOf(app, id), nil); dirty != nil {
								dirty(event)
							}
							change(event)
						})
						if errors.Is(err, store.ErrForbidden) {
							pending.keep(keyOf(app, id), change)
						}
						return event, err
					}
				}))),
	)
}

// blindSequencesOfFeeds are those of events and feeds.
func blindSequencesOfFeeds() []Fault {
	return slices.Concat(
		breaks("feed.purge.keeps-others",
			fault("sequence-purge-by-former-name", "the deletion of a user takes out of feeds what another posted while that one bore its user name",
				overrideStore(func(inner refserver.Store, s *overrides) {
					names, deleted := signedEvents(inner, s), &memory[time.Time]{} // by name
					s.onDeleteUser(func(user store.User) { deleted.keep(keyOf(user.App)+user.UserName, time.Now()) })
					s.hideFromFeeds(func(r reader, event store.Event) bool {
						name, known := names.lookup(keyOf(r.app, event.ID))
						at, gone := deleted.lookup(keyOf(r.app) + name)
						if !known || !gone || event.CreatedAt.After(at) {
							return false
						}
						owner, err := inner.User(r.app, event.Owner)
						return err == nil && owner.UserName != name
					})
				}))),
		breaks("feed.purge.followers",
			fault("sequence-purge-forgets-follower-left-as-friend", "a deleted user's events stay in the feed of a follower whose friendship it had ended",
				purgePassesOver(allOf, readers(followersAlone).where(func(inner refserver.Store, s *overrides) func(store.App, store.ID, store.ID) bool {
					left := leftByFriends(inner, s)
					return func(app store.App, owner, id store.ID) bool { return !left(app, id, owner).IsZero() }
				}), atOnce)),
			fault("sequence-purged-return-at-next-login", "a deleted user's events are back in the feed of a follower who logs in after that",
				overrideStore(func(inner refserver.Store, s *overrides) {
					stale, deleted := keepStaleReads(s), watchDeletions(inner, s)
					s.onLogin(func(app store.App, user store.ID, _ string) {
						for _, gone := range deleted.in(app) {
							if slices.Contains(gone.followers, user) {
								stale.keep(app, user, gone.events, atOnce(gone.at))
							}
						}
					})
				}))),
		breaks("feed.follow.new-events",
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
				}))),
		breaks("events.update.others",
			fault("sequence-taker-of-name-changes-events", "who took over a user name may change the events that its former bearer posted under it",
				overrideStore(func(inner refserver.Store, s *overrides) {
					names, owners := signedEvents(inner, s), ownersOf(s)
					s.updateEvent = func(app store.App, user, id store.ID, change func(*store.Event)) (store.Event, error) {
						event, err := inner.UpdateEvent(app, user, id, change)
						owner, name := owners.get(keyOf(app, id)), names.get(keyOf(app, id))
						taker, unknown := inner.User(app, user)
						former, gone := inner.User(app, owner)
						if errors.Is(err, store.ErrForbidden) && unknown == nil && gone == nil && taker.UserName == name && former.UserName != name {
							return inner.UpdateEvent(app, owner, id, change)
						}
						return event, err
					}
				}))),
	)
}

// leftByFriends watches ends of friendships. What it returns says when a user was
// last left by a friend; never, or befriended again since, is the zero time.
func leftByFriends(inner refserver.Store, s *overrides) func(app store.App, left, by store.ID) time.Time {
	at, disconnect := &memory[time.Time]{}, s.disconnect // by the one who was left and the other
	s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
		were := befriends(inner, app, from, to)
		err := disconnect(app, from, to, types...)
		if err == nil && were && !befriends(inner, app, from, to) {
			at.keep(keyOf(app, to, from), time.Now())
		}
		return err
	}
	s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
		if typ == store.Friend {
			at.keep(keyOf(app, from, to), time.Time{})
			at.keep(keyOf(app, to, from), time.Time{})
		}
	})
	return func(app store.App, left, by store.ID) time.Time { return at.get(keyOf(app, left, by)) }
}

// signedEvents remembers the user names under which events were posted.
func signedEvents(inner refserver.Store, s *overrides) *memory[string] {
	names := &memory[string]{} // by event
	s.onCreateEvent(func(event store.Event) {
		if user, err := inner.User(event.App, event.Owner); err == nil {
			names.keep(keyOf(event.App, event.ID), user.UserName)
		}
	})
	return names
}
