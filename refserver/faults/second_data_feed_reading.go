package faults

import (
	"math"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// dataFeedReading are the faults of feeds that show strangers' events, leave some out, or
// order them, for certain values of these.
func dataFeedReading() []Fault {
	return slices.Concat(
		breaks("feed.only-connected",
			fault("data-feed-shows-events-on-the-reader", "strangers' events on an object whose id is the reader's custom_id are in the reader's feed",
				overrideStore(func(inner refserver.Store, s *overrides) {
					all := archived(s)
					s.addToFeeds(func(r reader, _ []store.Event) []store.Event {
						user, missing := inner.User(r.app, r.id)
						if missing != nil || user.CustomID == "" {
							return nil
						}
						others := all.of(r.app, func(owner store.ID) bool {
							_, gone := inner.User(r.app, owner)
							return owner != r.id && gone == nil
						})
						return without(others, func(event store.Event) bool { return event.Object == nil || event.Object.ID != user.CustomID })
					})
				})),
			fault("data-feed-shows-mentions-of-the-reader", "strangers' events that mention the reader, as the user name with an @ in front, in the metadata or the location are in the reader's feed",
				overrideStore(func(inner refserver.Store, s *overrides) {
					all := archived(s)
					s.addToFeeds(func(r reader, _ []store.Event) []store.Event {
						user, err := inner.User(r.app, r.id)
						if err != nil || user.UserName == "" {
							return nil
						}
						others := all.of(r.app, func(owner store.ID) bool { _, gone := inner.User(r.app, owner); return gone == nil && owner != r.id })
						return without(others, func(event store.Event) bool { return !mentions(event, "@"+user.UserName) })
					})
				})),
			fault("data-feed-shows-strangers-on-the-readers-objects", "strangers' events on an object that the reader has posted an event on are in the reader's feed", overrideStore(onReadersObjects)),
			fault("data-feed-shows-strangers-nearby", "strangers' events less than a tenth of a degree from where the reader last posted are in the reader's feed", overrideStore(strangersNearby))),
		breaks("feed.merge",
			fault("data-feed-one-event-per-object", "of several events on the same object the feed of several users has the newest alone",
				rewriteFeeds(func(_ reader, feed []store.Event) []store.Event {
					shown := map[string]bool{}
					return without(feed, func(event store.Event) bool {
						if event.Object == nil {
							return false
						}
						hidden := shown[event.Object.ID]
						shown[event.Object.ID] = true
						return hidden
					})
				})),
			fault("data-feed-one-act-on-an-object", "of events with the same verb and the same object a feed shows the newest alone, whoever posted them",
				rewriteFeeds(func(_ reader, feed []store.Event) []store.Event { return firstOfEach(feed, act) }))),
		breaks("feed.order",
			fault("data-feed-high-priority-first", "feeds begin with the events of high priority",
				rewriteFeeds(func(_ reader, feed []store.Event) []store.Event {
					high := func(event store.Event) bool { return strings.EqualFold(event.Priority, "high") }
					return append(without(slices.Clone(feed), func(event store.Event) bool { return !high(event) }), without(feed, high)...)
				}))),
	)
}

// mentions reports whether an event has a text in its metadata or its location.
func mentions(event store.Event, text string) bool {
	for _, value := range event.Metadata {
		if holdsText(value, text) {
			return true
		}
	}
	return holdsText(event.Location, text)
}

// onReadersObjects adds to a feed whatever others posted on the reader's objects.
func onReadersObjects(inner refserver.Store, s *overrides) {
	all := archived(s)
	s.addToFeeds(func(r reader, _ []store.Event) []store.Event {
		objects := map[string]bool{}
		for _, event := range all.of(r.app, func(owner store.ID) bool { return owner == r.id }) {
			if event.Object != nil {
				objects[event.Object.ID] = true
			}
		}
		others := all.of(r.app, func(owner store.ID) bool { _, gone := inner.User(r.app, owner); return gone == nil && owner != r.id })
		return without(others, func(event store.Event) bool { return event.Object == nil || !objects[event.Object.ID] })
	})
}

// strangersNearby adds to a feed whatever others posted near the reader's latest place.
func strangersNearby(inner refserver.Store, s *overrides) {
	const near = 0.1
	all := archived(s)
	placed := func(event store.Event) bool { return event.Latitude != nil && event.Longitude != nil }
	s.addToFeeds(func(r reader, _ []store.Event) []store.Event {
		own := all.of(r.app, func(owner store.ID) bool { return owner == r.id })
		i := slices.IndexFunc(own, placed)
		if i < 0 {
			return nil
		}
		here := own[i]
		others := all.of(r.app, func(owner store.ID) bool { _, gone := inner.User(r.app, owner); return gone == nil && owner != r.id })
		return without(others, func(event store.Event) bool {
			return !placed(event) || math.Abs(*event.Latitude-*here.Latitude) > near || math.Abs(*event.Longitude-*here.Longitude) > near
		})
	})
}

// act is what an event says was done to what; an event without object is an act of its own.
func act(event store.Event) any {
	if event.Object == nil {
		return event.ID
	}
	return [3]string{event.Verb, event.Object.Type, event.Object.ID}
}
