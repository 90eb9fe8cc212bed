package faults

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// eventsInFeeds are the faults of how an event looks in a feed.
func eventsInFeeds() []Fault {
	looking := func(name, summary string, change func(map[string]any)) Fault {
		return Fault{Name: "feed-" + name, Rule: "feed.event-shape", Summary: summary, Apply: edit(readsFeed(), inEach(change))}
	}
	roundedIDs := looking("user-ids-rounded", "ids above 2^53 lose their last digits in a feed's user_id, and there alone",
		func(event map[string]any) { event["user_id"] = rounded(event["user_id"]) })
	roundedIDs.Apply = both(bigUserIDs, roundedIDs.Apply)
	return []Fault{
		roundedIDs,
		looking("without-metadata", "in a feed events have no metadata", drop("metadata")),
		looking("without-enabled", "in a feed events do not say whether they are enabled", drop("enabled")),
		looking("object-without-type", "in a feed objects have no type", func(event map[string]any) {
			if object, ok := event["object"].(map[string]any); ok {
				delete(object, "type")
			}
		}),
		looking("display-name-in-one-language", "in a feed objects have their English name alone", func(event map[string]any) {
			if object, ok := event["object"].(map[string]any); ok && object["display_name"] != nil {
				object["display_name"] = map[string]any{"en": fieldText(object["display_name"].(map[string]any), "en")}
			}
		}),
		looking("coordinates-rounded", "in a feed coordinates have one decimal", func(event map[string]any) {
			for _, name := range []string{"latitude", "longitude"} {
				if degrees, err := strconv.ParseFloat(fieldText(event, name), 64); err == nil {
					event[name] = math.Round(degrees*10) / 10
				}
			}
		}),
		looking("times-in-whole-seconds", "in a feed times have lost their fractions", func(event map[string]any) {
			for _, name := range []string{"created_at", "updated_at"} {
				second, _, _ := strings.Cut(fieldText(event, name), ".")
				event[name] = strings.TrimSuffix(second, "Z") + "Z"
			}
		}),
	}
}

// changesInFeeds are the faults of what an update does to feeds.
func changesInFeeds() []Fault {
	// stale shows an event with something of what it was at first.
	stale := func(name, summary string, stays func(event *store.Event, first store.Event), to func(inner refserver.Store, app store.App, reader, owner store.ID) bool) Fault {
		return Fault{
			Name: "feed-" + name, Rule: "feed.update-visible", Summary: summary,
			Apply: swap(func(inner refserver.Store, s *swapped) {
				firsts, create := &memory[store.Event]{}, s.createEvent
				s.createEvent = func(app store.App, owner store.ID, event store.Event) (store.Event, error) {
					event, err := create(app, owner, event)
					firsts.keep(keyOf(app, event.ID), event)
					return event, err
				}
				s.feed = func(app store.App, reader store.ID) ([]store.Event, error) {
					feed, err := inner.Feed(app, reader)
					for i, event := range feed {
						if first, known := firsts.get(keyOf(app, event.ID)); known && to(inner, app, reader, event.Owner) {
							stays(&feed[i], first)
						}
					}
					return feed, err
				}
			}),
		}
	}
	everyone := func(refserver.Store, store.App, store.ID, store.ID) bool { return true }
	lastFollower := func(inner refserver.Store, app store.App, reader, owner store.ID) bool {
		followers := idsOf(inner.Followers, app, owner)
		return len(followers) > 1 && followers[len(followers)-1] == reader
	}
	whole := func(event *store.Event, first store.Event) { *event = first }
	return []Fault{
		stale("shows-first-version", "feeds show an event as it was at first", whole, everyone),
		stale("shows-first-version-to-last-follower", "the last of several followers sees an event as it was at first", whole, lastFollower),
		stale("shows-first-location", "feeds show the location that an event had at first",
			func(event *store.Event, first store.Event) { event.Location = first.Location }, everyone),
		stale("shows-first-object", "feeds show the object that an event had at first",
			func(event *store.Event, first store.Event) { event.Object = first.Object }, everyone),
		{
			Name: "feed-loses-changed-events", Rule: "feed.update-visible",
			Summary: "a changed event leaves the feeds",
			Apply: reading(func(_ refserver.Store, _ store.App, _ store.ID, feed []store.Event) []store.Event {
				return without(feed, func(event store.Event) bool { return event.UpdatedAt.After(event.CreatedAt) })
			}),
		},
	}
}

// deletedEvents are the faults of what the deletion of an event does to feeds.
func deletedEvents() []Fault {
	const rule = "feed.event-delete"
	staying := func(readers readers, shows func(gone time.Time) haunting) func(*refserver.Options) {
		return swap(func(inner refserver.Store, s *swapped) {
			kept, owned := haunt(s), readers(inner, s)
			s.deleteEvent = func(app store.App, owner, id store.ID) error {
				gone := map[store.ID][]store.Event{}
				for _, reader := range owned(app, owner) {
					gone[reader] = without(ownedBy(inner, app, reader, owner), func(event store.Event) bool { return event.ID != id })
				}
				err := inner.DeleteEvent(app, owner, id)
				for reader, events := range gone {
					if err == nil {
						kept.keep(app, reader, events, shows(time.Now()))
					}
				}
				return err
			}
		})
	}
	return []Fault{
		{
			Name: "feed-deleted-event-stays-for-last-follower", Rule: rule,
			Summary: "a deleted event stays in the feed of the last follower",
			Apply:   staying(lastFollower, atOnce),
		},
		{
			Name: "feed-deleted-event-stays-for-friends", Rule: rule,
			Summary: "a deleted event stays in the feeds of friends",
			Apply:   staying(friendsAlone, atOnce),
		},
		{
			Name: "feed-deleted-event-returns", Rule: rule,
			Summary: "a deleted event is back in the feeds of followers a second later",
			Apply:   staying(followersAlone, aMomentLater),
		},
		{
			Name: "feed-deleted-event-returns-with-the-next", Rule: rule,
			Summary: "a deleted event is back in the feeds of followers when something is posted",
			Apply:   staying(followersAlone, withTheNextPost),
		},
		{
			Name: "feed-deletion-takes-the-event-before", Rule: rule,
			Summary: "with a deleted event the one before it leaves the feeds",
			Apply: swap(func(inner refserver.Store, s *swapped) {
				taken := &memory[bool]{}
				s.deleteEvent = func(app store.App, owner, id store.ID) error {
					err := inner.DeleteEvent(app, owner, id)
					if err == nil {
						taken.keep(keyOf(app, id-1), true)
					}
					return err
				}
				s.feed = func(app store.App, reader store.ID) ([]store.Event, error) {
					feed, err := inner.Feed(app, reader)
					return slices.DeleteFunc(feed, func(event store.Event) bool {
						is, _ := taken.get(keyOf(app, event.ID))
						return is
					}), err
				}
			}),
		},
	}
}
