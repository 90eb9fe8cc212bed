package faults

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// eventsInFeeds are the faults of how an event looks in a feed.
func eventsInFeeds() []Fault {
	looking := func(change objectEdit) mutation { return rewriteEach(readsFeed(), change) }
	oneDecimal := func(value any) any {
		if degrees, err := strconv.ParseFloat(fieldText(map[string]any{"": value}, ""), 64); err == nil {
			return math.Round(degrees*10) / 10
		}
		return value
	}
	wholeSeconds := func(text string) string {
		second, _, _ := strings.Cut(text, ".")
		return strings.TrimSuffix(second, "Z") + "Z"
	}
	return breaks("feed.event-shape",
		fault("feed-user-ids-rounded", "ids above 2^53 lose their last digits in a feed's user_id, and there alone",
			combine(bigUserIDs, looking(rounded("user_id")))),
		fault("feed-without-metadata", "in a feed events have no metadata", looking(drop("metadata"))),
		fault("feed-without-enabled", "in a feed events do not say whether they are enabled", looking(drop("enabled"))),
		fault("feed-object-without-type", "in a feed objects have no type", looking(within("object", drop("type")))),
		fault("feed-display-name-in-one-language", "in a feed objects have their English name alone",
			looking(within("object", func(object map[string]any) {
				if names, ok := object["display_name"].(map[string]any); ok {
					object["display_name"] = map[string]any{"en": fieldText(names, "en")}
				}
			}))),
		fault("feed-coordinates-rounded", "in a feed coordinates have one decimal",
			combine(looking(mapField("latitude", oneDecimal)), looking(mapField("longitude", oneDecimal)))),
		fault("feed-times-in-whole-seconds", "in a feed times have lost their fractions",
			combine(looking(mapText("created_at", wholeSeconds)), looking(mapText("updated_at", wholeSeconds)))),
		fault("feed-of-friends-without-metadata", "in a feed the events of friends have no metadata",
			rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
				for i, event := range feed {
					if r.befriends(event.Owner) {
						feed[i].Metadata = nil
					}
				}
				return feed
			})))
}

// changesInFeeds are the faults of what an update does to feeds.
func changesInFeeds() []Fault {
	whole := func(event *store.Event, first store.Event) { *event = first }
	everyone := func(reader, store.ID) bool { return true }
	return breaks("feed.update-visible",
		fault("feed-shows-first-version", "feeds show an event as it was at first", staying(whole, everyone)),
		fault("feed-shows-first-version-to-last-follower", "the last of several followers sees an event as it was at first",
			staying(whole, reader.isLastFollower)),
		fault("feed-shows-first-location", "feeds show the location that an event had at first",
			staying(func(event *store.Event, first store.Event) { event.Location = first.Location }, everyone)),
		fault("feed-shows-first-object", "feeds show the object that an event had at first",
			staying(func(event *store.Event, first store.Event) { event.Object = first.Object }, everyone)))
}

// staying shows an event with something of what it was at first, to some of its readers.
func staying(stays func(event *store.Event, first store.Event), to func(r reader, owner store.ID) bool) mutation {
	return overrideStore(func(_ refserver.Store, s *overrides) {
		firsts := &memory[store.Event]{}
		s.onCreateEvent(func(event store.Event) { firsts.keep(keyOf(event.App, event.ID), event) })
		s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
			for i, event := range feed {
				if first, known := firsts.lookup(keyOf(r.app, event.ID)); known && to(r, event.Owner) {
					stays(&feed[i], first)
				}
			}
			return feed
		})
	})
}

// deletedEvents are the faults of what the deletion of an event does to feeds.
func deletedEvents() []Fault {
	return breaks("feed.event-delete",
		fault("feed-deleted-event-stays-for-last-follower", "a deleted event stays in the feed of the last follower",
			deletionPassesOver(allOf, lastFollower, atOnce)),
		fault("feed-deleted-event-stays-for-friends", "a deleted event stays in the feeds of friends", deletionPassesOver(allOf, friendsAlone, atOnce)),
		fault("feed-deleted-event-returns", "a deleted event is back in the feeds of followers a second later",
			deletionPassesOver(allOf, followersAlone, aMomentLater)),
		fault("feed-deleted-event-returns-with-the-next", "a deleted event is back in the feeds of followers when something is posted",
			deletionPassesOver(allOf, followersAlone, withTheNextPost)),
		fault("feed-deletion-takes-the-event-before", "with a deleted event the one that its owner created before it leaves the feeds",
			overrideStore(func(inner refserver.Store, s *overrides) {
				taken, before, latest := &memory[bool]{}, &memory[store.ID]{}, &memory[store.ID]{}
				s.createEvent = func(app store.App, owner store.ID, event store.Event) (store.Event, error) {
					event, err := inner.CreateEvent(app, owner, event)
					if err == nil {
						before.keep(keyOf(app, event.ID), latest.get(keyOf(app, owner)))
						latest.keep(keyOf(app, owner), event.ID)
					}
					return event, err
				}
				s.deleteEvent = func(app store.App, owner, id store.ID) error {
					err := inner.DeleteEvent(app, owner, id)
					if err == nil {
						taken.keep(keyOf(app, before.get(keyOf(app, id))), true)
					}
					return err
				}
				s.hideFromFeeds(func(r reader, event store.Event) bool { return taken.get(keyOf(r.app, event.ID)) })
			})))
}

// deletionPassesOver lets the deletion of some events leave them in the feeds of some readers.
func deletionPassesOver(events func([]store.Event) []store.Event, in readers, shows timing) mutation {
	return overrideStore(func(inner refserver.Store, s *overrides) {
		stale, readers := keepStaleReads(s), in(inner, s)
		s.deleteEvent = func(app store.App, owner, id store.ID) error {
			gone := map[store.ID][]store.Event{}
			for _, reader := range readers(app, owner) {
				gone[reader] = without(events(ownedBy(inner, app, reader, owner)), func(event store.Event) bool { return event.ID != id })
			}
			err := inner.DeleteEvent(app, owner, id)
			for reader, left := range gone {
				if err == nil {
					stale.keep(app, reader, left, shows(time.Now()))
				}
			}
			return err
		}
	})
}
