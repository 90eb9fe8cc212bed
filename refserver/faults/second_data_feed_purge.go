package faults

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// dataFeedPurge are the faults of the purge that certain values of the events, or of the
// deleted user, make pass over some events or take too many.
func dataFeedPurge() []Fault {
	only := func(is func(event store.Event) bool) func([]store.Event) []store.Event {
		return func(events []store.Event) []store.Event {
			return without(slices.Clone(events), func(event store.Event) bool { return !is(event) })
		}
	}
	located := func(events []store.Event) []store.Event {
		return without(slices.Clone(events), func(event store.Event) bool { return event.Latitude == nil })
	}
	hasCustomID := func(inner refserver.Store, _ *overrides) func(store.App, store.ID, store.ID) bool {
		return func(app store.App, owner, _ store.ID) bool {
			user, missing := inner.User(app, owner)
			return missing == nil && user.CustomID != ""
		}
	}
	return slices.Concat(
		breaks("feed.purge.followers",
			fault("data-purge-forgets-events-without-object", "a deleted user's events that have no object stay in the feeds of followers",
				purgePassesOver(func(events []store.Event) []store.Event {
					return without(slices.Clone(events), func(event store.Event) bool { return event.Object != nil })
				}, followersAlone, atOnce)),
			fault("data-purge-forgets-names-with-capitals", "the events of a deleted user whose user name has capital letters stay in the feeds of followers",
				purgePassesOver(allOf, readers(followersAlone).where(func(inner refserver.Store, _ *overrides) func(store.App, store.ID, store.ID) bool {
					return func(app store.App, owner, _ store.ID) bool {
						user, err := inner.User(app, owner)
						return err == nil && strings.ContainsFunc(user.UserName, unicode.IsUpper)
					}
				}), atOnce)),
			fault("data-purge-forgets-events-with-a-place", "a deleted user's events that have coordinates stay in the feeds of followers",
				purgePassesOver(func(events []store.Event) []store.Event {
					return without(slices.Clone(events), func(event store.Event) bool { return event.Latitude == nil || event.Longitude == nil })
				}, followersAlone, atOnce)),
			fault("data-purge-forgets-events-in-a-language", "those of a deleted user's events that have a language stay in the feeds of followers",
				purgePassesOver(only(func(event store.Event) bool { return event.Language != "" }), followersAlone, atOnce)),
			fault("data-purge-forgets-shared-objects", "those of a deleted user's events stay in the feed of a follower that are on an object on which the feed has another's event", overrideStore(sharedObjectsStay)),
			fault("data-purge-forgets-events-with-coordinates", "those of a deleted user's events that have coordinates stay in the feeds of followers",
				purgePassesOver(located, followersAlone, atOnce)),
			fault("data-purge-forgets-users-with-custom-id", "the events of a deleted user who had a custom_id stay in the feeds of followers, where they are kept under it",
				purgePassesOver(allOf, readers(followersAlone).where(hasCustomID), atOnce))),
		breaks("feed.purge.friends",
			fault("data-purge-forgets-friends-events-with-metadata", "those of a deleted user's events that have metadata stay in the feeds of friends",
				purgePassesOver(only(func(event store.Event) bool { return len(event.Metadata) > 0 }), friendsAlone, atOnce))),
		breaks("feed.purge.keeps-others",
			fault("data-purge-takes-events-on-the-deleted", "with a deleted user's events those leave the feeds that others posted on an object whose id is the deleted user's custom_id",
				purgeTakes(func(gone deletion, _ store.ID, event store.Event) bool {
					return gone.user.CustomID != "" && event.Object != nil && event.Object.ID == gone.user.CustomID && gone.isOlder(event)
				})),
			fault("data-purge-takes-events-of-names-that-begin-alike", "with a deleted user's events those leave the feeds of its followers whose owners have a user name that begins with the one of the deleted",
				overrideStore(func(inner refserver.Store, s *overrides) {
					deleted := watchDeletions(inner, s)
					s.hideFromFeeds(func(r reader, event store.Event) bool {
						owner, unknown := inner.User(r.app, event.Owner)
						return unknown == nil && slices.ContainsFunc(deleted.in(r.app), func(gone deletion) bool {
							rest, alike := strings.CutPrefix(owner.UserName, gone.user.UserName)
							return alike && rest != "" && gone.user.UserName != "" && gone.isOlder(event) && slices.Contains(gone.followers, r.id)
						})
					})
				}))),
	)
}

// sharedObjectsStay shows the events on one object together, and takes such a group out of a
// feed with the last of its users alone.
func sharedObjectsStay(inner refserver.Store, s *overrides) {
	stale := keepStaleReads(s)
	s.deleteUser = func(app store.App, id store.ID) error {
		left := map[store.ID][]store.Event{}
		for _, reader := range followersAlone(inner, s)(app, id) {
			feed, err := inner.Feed(app, reader)
			if err != nil {
				continue
			}
			left[reader] = without(ownedBy(inner, app, reader, id), func(event store.Event) bool {
				return !slices.ContainsFunc(feed, func(other store.Event) bool { return other.Owner != id && onSameObject(other, event) })
			})
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

func onSameObject(one, other store.Event) bool {
	return one.Object != nil && other.Object != nil && one.Object.ID == other.Object.ID
}
