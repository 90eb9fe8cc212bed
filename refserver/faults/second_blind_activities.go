package faults

import (
	"encoding/json"
	"html"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// blindActivities are the faults of certain values of events where they are posted and changed.
func blindActivities() []Fault {
	creating := func(change objectEdit) mutation { return rewriteBody(createsEvent(), change) }
	updating := func(change objectEdit) mutation { return rewriteBody(updatesEvent(), change) }
	return slices.Concat(
		breaks("events.create.echo",
			fault("data-metadata-json-text-compacted", "a new event's metadata that is the text of a JSON object or list loses the blanks between its parts",
				creating(eachText("metadata", compacted))),
			fault("data-object-type-with-colon-moves-to-id", "what stands behind a colon in the type of a new event's object becomes the beginning of its id",
				creating(within("object", func(object map[string]any) {
					kind, rest, cut := strings.Cut(fieldText(object, "type"), ":")
					if id, is := object["id"].(string); cut && is && kind != "" {
						object["type"], object["id"] = kind, rest+":"+id
					}
				})))),
		breaks("events.update.applies",
			fault("data-change-of-one-coordinate-ignored", "a change of an event that sends one coordinate without the other leaves both as they were",
				updating(func(event map[string]any) {
					if (event["latitude"] == nil) != (event["longitude"] == nil) {
						ignoring("latitude", isA[json.Number])(event)
						ignoring("longitude", isA[json.Number])(event)
					}
				}))),
		breaks("events.update.partial",
			fault("data-metadata-key-verb-changes-verb", "a change of an event's metadata that has the key verb, and of nothing else, changes the verb",
				updating(func(event map[string]any) {
					metadata, _ := event["metadata"].(map[string]any)
					if verb, is := metadata["verb"].(string); is && verb != "" && event["verb"] == nil {
						event["verb"] = verb
					}
				}))),
		breaks("limits.metadata.value-length",
			fault("data-values-counted-with-escapes", "the values of a new event's metadata are counted with characters such as & and < escaped for HTML",
				refusing(createsEvent(), func(_ string, value any) bool {
					text, _ := value.(string)
					return utf8.RuneCountInString(html.EscapeString(text)) > 500
				}))),
	)
}

// blindTimelines are those of certain values of events where they are read.
func blindTimelines() []Fault {
	return slices.Concat(
		breaks("feed.event-shape",
			fault("data-feed-metadata-keys-camelized", "in a feed letters behind an underscore in keys of metadata are capital, and the underscore is gone",
				rewriteEach(readsFeed(), eachKey("metadata", camelized)))),
		breaks("feed.follow.new-events",
			fault("data-feed-without-half-a-place", "events with a latitude and no longitude, or the other way round, are in no feed",
				hideFromFeeds(func(_ reader, event store.Event) bool { return (event.Latitude == nil) != (event.Longitude == nil) }))),
		breaks("feed.order",
			fault("data-feed-high-priority-first", "feeds begin with the events of high priority",
				rewriteFeeds(func(_ reader, feed []store.Event) []store.Event {
					high := func(event store.Event) bool { return strings.EqualFold(event.Priority, "high") }
					return append(without(slices.Clone(feed), func(event store.Event) bool { return !high(event) }), without(feed, high)...)
				}))),
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
				}))),
		breaks("feed.purge.followers",
			fault("data-purge-forgets-events-without-object", "a deleted user's events that have no object stay in the feeds of followers",
				purgePassesOver(func(events []store.Event) []store.Event {
					return without(slices.Clone(events), func(event store.Event) bool { return event.Object != nil })
				}, followersAlone, atOnce))),
	)
}

// camelized is a name of parts, as some languages write it.
func camelized(key string) string {
	parts := strings.Split(key, "_")
	for i, part := range parts {
		if _, size := utf8.DecodeRuneInString(part); i > 0 && part != "" {
			parts[i] = strings.ToUpper(part[:size]) + part[size:]
		}
	}
	return strings.Join(parts, "")
}
