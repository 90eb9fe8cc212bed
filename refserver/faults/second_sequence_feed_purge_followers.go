package faults

import (
	"errors"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sequenceFeedPurgeFollowers are the faults of the purge in the feeds of followers after
// certain histories.
func sequenceFeedPurgeFollowers() []Fault {
	followers := readers(followersAlone)
	return breaks("feed.purge.followers",
		fault("sequence-purge-forgets-refollowers", "a deleted user's events stay in the feed of a follower who had ended the follow and made it again",
			purgePassesOver(allOf, onceEnded(followersAlone), atOnce)),
		fault("sequence-purge-forgets-followers-of-renamed", "the events of a deleted user who had been renamed stay in the feeds of followers",
			purgePassesOver(allOf, followers.where(ownerRenamed), atOnce)),
		fault("sequence-purge-forgets-who-logged-in-since", "a deleted user's events stay in the feed of a follower who logged in after the follow",
			purgePassesOver(allOf, followers.where(loggedInSince), atOnce)),
		fault("sequence-purge-forgets-social-followers", "a deleted user's events stay in the feed of who followed it by social identifiers",
			purgePassesOver(allOf, followers.where(func(_ refserver.Store, s *overrides) func(store.App, store.ID, store.ID) bool {
				socially := connectedSocially(s)
				return func(app store.App, owner, id store.ID) bool { return socially(app, id, owner) }
			}), atOnce)),
		fault("sequence-purge-forgets-late-followers", "a deleted user's events stay in the feed of who followed it after its last event",
			purgePassesOver(allOf, followers.where(followedLate), atOnce)),
		fault("sequence-second-purge-is-forgotten", "the events of the second deleted user in a feed stay there",
			purgePassesOver(allOf, followers.where(lostBefore), atOnce)),
		fault("sequence-purge-from-second-session-forgets", "the events of a deleted user who had logged in twice stay in the feeds of followers",
			purgePassesOver(allOf, followers.where(ownerLoggedInTwice), atOnce)),
		fault("sequence-purge-short-after-event-deletion", "the oldest event of a deleted user who had deleted another of them stays in the feeds of followers",
			purgePassesOver(oldest, followers.where(ownerDeletedEvent), atOnce)),
		fault("sequence-purge-after-deleted-event-leaves-newest", "the newest event of a deleted user who had deleted one before stays in the feeds of followers",
			purgePassesOver(func(events []store.Event) []store.Event { return events[:min(1, len(events))] }, followers.where(ownerDeletedEvent), atOnce)),
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
			})),
		fault("sequence-purged-return-when-another-is-unfollowed", "a deleted user's events are back in the feed of a follower who ends its connection to somebody else",
			overrideStore(func(inner refserver.Store, s *overrides) {
				stale, deleted := keepStaleReads(s), watchDeletions(inner, s)
				s.onDisconnect(func(app store.App, from, _ store.ID) {
					for _, gone := range deleted.in(app) {
						if slices.Contains(gone.followers, from) {
							stale.keep(app, from, gone.events, atOnce(gone.at))
						}
					}
				})
			})),
		fault("sequence-purge-forgets-renamed-followers", "a deleted user's events stay in the feed of a follower who was renamed",
			purgePassesOver(allOf, readers(followersAlone).where(func(_ refserver.Store, s *overrides) func(store.App, store.ID, store.ID) bool {
				renamed := whoWasRenamed(s)
				return func(app store.App, _, id store.ID) bool { return renamed.get(keyOf(app, id)) }
			}), atOnce)),
		fault("sequence-purge-stops-at-deleted-follower", "a deleted user's events stay in the feeds of followers where one of them was deleted before",
			purgePassesOver(allOf, followers.where(func(inner refserver.Store, s *overrides) func(store.App, store.ID, store.ID) bool {
				ever := &memory[[]store.ID]{} // by the user whom they followed
				s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
					if typ == store.Follow {
						ever.update(keyOf(app, to), func(all []store.ID) []store.ID { return append(slices.Clip(all), from) })
					}
				})
				return func(app store.App, owner, _ store.ID) bool {
					return slices.ContainsFunc(ever.get(keyOf(app, owner)), func(id store.ID) bool {
						_, gone := inner.User(app, id)
						return errors.Is(gone, store.ErrNotFound)
					})
				}
			}), atOnce)),
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
			})),
		fault("sequence-second-purge-brings-the-first-back", "a deleted user's events are back in the feed of a follower of whose follows another is deleted after that, as a feed has one mark of a purge",
			overrideStore(func(inner refserver.Store, s *overrides) {
				deleted := watchDeletions(inner, s)
				s.addToFeeds(func(r reader, _ []store.Event) (back []store.Event) {
					var before []store.Event
					for _, gone := range deleted.in(r.app) {
						if slices.Contains(gone.followers, r.id) {
							back, before = append(back, before...), gone.events
						}
					}
					return back
				})
			})),
		fault("sequence-purge-forgets-who-came-back", "a deleted user's events stay in the feeds of followers who had ended the follow once", purgePassesOver(allOf, whoCameBack, atOnce)),
		fault("sequence-purge-misses-events-from-before-rename", "of a deleted user those events stay in the feeds of followers that it posted under a former user name", purgeByName),
		fault("sequence-purge-forgets-what-a-follow-copied", "a deleted user's events that were older than a follow, and came into the feed with it, stay there", overrideStore(copiedEventsStay)),
		fault("sequence-purge-leaves-events-before-new-email", "of a deleted user who had changed the email, the events from before that stay in the feeds of followers",
			overrideStore(func(inner refserver.Store, s *overrides) {
				renewed := &memory[time.Time]{}
				s.onUpdateUser(func(before, after store.User) {
					if before.Email != after.Email {
						renewed.keep(keyOf(after.App, after.ID), after.UpdatedAt)
					}
				})
				earlier := func(events []store.Event) []store.Event {
					return without(slices.Clone(events), func(event store.Event) bool {
						return !event.CreatedAt.Before(renewed.get(keyOf(event.App, event.Owner)))
					})
				}
				s.purgePassesOver(inner, earlier, followersAlone, atOnce)
			})),
		fault("sequence-purge-skipped-by-counter", "the purge passes over the feeds of followers where the user had deleted half of its events or more: each deletion counts twice, and none seems to be left",
			purgePassesOver(allOf, followers.where(countedOut), atOnce)))
}

func loggedInSince(_ refserver.Store, s *overrides) func(store.App, store.ID, store.ID) bool {
	since, logins := firstFollows(s), &memory[time.Time]{}
	s.onLogin(func(app store.App, user store.ID, _ string) { logins.keep(keyOf(app, user), time.Now()) })
	return func(app store.App, owner, id store.ID) bool {
		return logins.get(keyOf(app, id)).After(since(app, id, owner))
	}
}

func followedLate(inner refserver.Store, s *overrides) func(store.App, store.ID, store.ID) bool {
	since := firstFollows(s)
	return func(app store.App, owner, id store.ID) bool {
		events := ownedBy(inner, app, id, owner)
		return len(events) > 0 && events[0].CreatedAt.Before(since(app, id, owner))
	}
}

func ownerLoggedInTwice(_ refserver.Store, s *overrides) func(store.App, store.ID, store.ID) bool {
	logins := &memory[int]{}
	s.onLogin(func(app store.App, user store.ID, _ string) { tally(logins, keyOf(app, user)) })
	return func(app store.App, owner, _ store.ID) bool { return logins.get(keyOf(app, owner)) >= 2 }
}

// whoCameBack are the followers who had ended the follow before.
func whoCameBack(inner refserver.Store, s *overrides) func(store.App, store.ID) []store.ID {
	ended := endedAt(s)
	return func(app store.App, owner store.ID) []store.ID {
		return slices.DeleteFunc(idsOf(inner.Followers, app, owner), func(id store.ID) bool { return ended(app, id, owner).IsZero() })
	}
}

// purgeByName deletes events by the name of their owner, which stands in each as it was.
func purgeByName(o *refserver.Options) {
	renamed := &memory[time.Time]{} // by user
	posted := func(events []store.Event) []store.Event {
		return without(slices.Clone(events), func(event store.Event) bool {
			return !event.CreatedAt.Before(renamed.get(keyOf(event.App, event.Owner)))
		})
	}
	purgePassesOver(posted, func(inner refserver.Store, s *overrides) func(store.App, store.ID) []store.ID {
		s.onUpdateUser(func(before, after store.User) {
			if before.UserName != after.UserName {
				renamed.keep(keyOf(after.App, after.ID), after.UpdatedAt)
			}
		})
		return followersAlone(inner, s)
	}, atOnce)(o)
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

// ownerDeletedEvent reports whether the one whose events are read deleted one of them before.
func ownerDeletedEvent(_ refserver.Store, s *overrides) func(store.App, store.ID, store.ID) bool {
	deleted := &memory[bool]{}
	s.onDeleteEvent(func(app store.App, owner, _ store.ID) { deleted.keep(keyOf(app, owner), true) })
	return func(app store.App, owner, _ store.ID) bool { return deleted.get(keyOf(app, owner)) }
}

// countedOut counts users' events, every deletion as two. What it returns says whether
// a user who deleted some has none left by that count.
func countedOut(_ refserver.Store, s *overrides) func(app store.App, owner, id store.ID) bool {
	posted, deleted := &memory[int]{}, &memory[int]{}
	s.onCreateEvent(func(event store.Event) { tally(posted, keyOf(event.App, event.Owner)) })
	s.onDeleteEvent(func(app store.App, owner, _ store.ID) { tally(deleted, keyOf(app, owner)) })
	return func(app store.App, owner, _ store.ID) bool {
		twice := 2 * deleted.get(keyOf(app, owner))
		return twice > 0 && twice >= posted.get(keyOf(app, owner))
	}
}
