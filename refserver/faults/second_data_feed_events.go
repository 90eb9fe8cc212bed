package faults

import (
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/socialfeed/conform/refserver/store"
)

// dataFeedEvents are the faults of events with certain values as feeds show them, beside
// right ones in the answers to those who posted them; and of a deletion that passes over
// some.
func dataFeedEvents() []Fault {
	const millionth = 1e6
	rounded := func(degrees float64) float64 { return math.Round(degrees*millionth) / millionth }
	unnamedLost := func(event map[string]any) {
		object, _ := event["object"].(map[string]any)
		if names, _ := object["display_name"].(map[string]any); len(names) == 0 {
			delete(event, "object")
		}
	}
	beforeComma := func(text string) string { first, _, _ := strings.Cut(text, ","); return first }
	return slices.Concat(
		breaks("feed.event-shape",
			fault("data-feed-longitude-zero-is-none", "in a feed events with a longitude of 0 have none", rewriteEach(readsFeed(), ignoring("longitude", isZero))),
			fault("data-feed-far-west-wrapped", "in a feed longitudes below -90 are 360 degrees more",
				rewriteEach(readsFeed(), mapDegrees("longitude", func(degrees float64) float64 {
					if degrees < -90 {
						return degrees + 360
					}
					return degrees
				}))),
			fault("data-feed-quotes-escaped", "in a feed quotes in metadata have a backslash before them",
				rewriteEach(readsFeed(), eachText("metadata", replacing(`"`, `\"`)))),
			fault("data-feed-long-location-abbreviated", "in a feed locations of more than 100 characters end in dots",
				rewriteEach(readsFeed(), mapText("location", changing(func(text string) bool { return len([]rune(text)) > 100 },
					func(text string) string { return cutTo(97)(text) + "..." })))),
			fault("data-feed-object-id-as-number", "in a feed the id of an object loses leading zeros",
				rewriteEach(readsFeed(), within("object", mapText("id", asNumber)))),
			fault("data-feed-language-in-lower-case", "in a feed the language is in lower case", rewriteEach(readsFeed(), lowerCased("language"))),
			fault("data-feed-metadata-type-key-lost", "in a feed the entry of metadata with the key type is missing",
				rewriteEach(readsFeed(), within("metadata", drop("type")))),
			fault("data-feed-metadata-keys-camelized", "in a feed letters behind an underscore in keys of metadata are capital, and the underscore is gone",
				rewriteEach(readsFeed(), eachKey("metadata", camelized))),
			fault("data-feed-names-object-in-one-language", "in a feed the object of an event that has a language is named in that language alone, where it has a name in it",
				rewriteEach(readsFeed(), func(event map[string]any) {
					language := fieldText(event, "language")
					within("object", within("display_name", func(names map[string]any) {
						if name, has := names[language]; has {
							clear(names)
							names[language] = name
						}
					}))(event)
				})),
			fault("data-feed-drops-underscored-keys", "in a feed the entries of metadata whose key begins with an underscore are missing",
				rewriteEach(readsFeed(), within("metadata", dropWhere(func(key, _ string) bool { return strings.HasPrefix(key, "_") })))),
			fault("data-feed-metadata-lies-over-fields", "in a feed an entry of metadata called language, priority or location stands in that field of the event, too",
				rewriteEach(readsFeed(), metadataOverFields)),
			fault("data-feed-object-that-is-a-user-unnamed", "in a feed an object of the type user is looked up among the users, and has no display name",
				rewriteEach(readsFeed(), within("object", func(object map[string]any) {
					if fieldText(object, "type") == "user" {
						delete(object, "display_name")
					}
				}))),
			fault("data-feed-verbs-lose-their-namespace", "in a feed a verb lacks what stands before a colon in it",
				rewriteEach(readsFeed(), mapText("verb", func(verb string) string {
					if _, name, has := strings.Cut(verb, ":"); has && name != "" {
						return name
					}
					return verb
				}))),
			fault("data-feed-location-ends-at-comma", "in a feed a location ends before its first comma",
				rewriteEach(readsFeed(), mapText("location", func(location string) string {
					if place, _, has := strings.Cut(location, ","); has && place != "" {
						return place
					}
					return location
				}))),
			fault("data-feed-cuts-metadata-at-255", "in a feed values of metadata are cut after 255 characters, which is what the column of the copy holds",
				rewriteEach(readsFeed(), within("metadata", cutValues(255)))),
			fault("data-feed-metadata-zero-lost", "in a feed entries of metadata that say 0 are missing, as a filter takes them for empty",
				rewriteEach(readsFeed(), within("metadata", dropWhere(func(_, value string) bool { return value == "0" })))),
			fault("data-feed-rounds-coordinates-to-six-places", "a feed shows coordinates with six decimal places",
				rewriteEach(readsFeed(), func(event map[string]any) {
					mapDegrees("latitude", rounded)(event)
					mapDegrees("longitude", rounded)(event)
				})),
			fault("data-feed-loses-objects-without-display-name", "a feed shows an event without its object where that has no display name", rewriteEach(readsFeed(), unnamedLost)),
			fault("data-feed-location-cut-at-comma-too", "in a feed a location is no more than what it has before the first comma",
				rewriteEach(readsFeed(), mapText("location", beforeComma))),
			fault("data-feed-shows-english-display-name-alone", "in feeds an object with a display name in English has it in no other language",
				rewriteEach(readsFeed(), within("object", within("display_name", englishAlone)))),
			fault("data-feed-display-name-of-region-hidden", "in a feed a display name for a region, such as en-GB, is left out beside that for its language",
				rewriteEach(readsFeed(), within("object", within("display_name", regionsHidden)))),
			fault("data-feed-coordinates-in-single-precision", "feeds show latitude and longitude as numbers of single precision hold them",
				rewriteFeeds(func(_ reader, feed []store.Event) []store.Event {
					for i, event := range feed {
						feed[i].Latitude, feed[i].Longitude = single(event.Latitude), single(event.Longitude)
					}
					return feed
				})),
			fault("data-feed-dotted-metadata-key", "feeds have underscores for the dots in keys of metadata",
				rewriteEach(readsFeed(), eachKey("metadata", replacing(".", "_")))),
			fault("data-feed-display-name-region", "in a feed the language codes of display names are in lower case: pt-BR is pt-br",
				rewriteEach(readsFeed(), within("object", eachKey("display_name", strings.ToLower))))),
		breaks("feed.event-delete",
			fault("data-deleted-events-on-objects-stay", "a deleted event that has an object stays in the feeds of followers",
				deletionPassesOver(func(events []store.Event) []store.Event {
					return without(slices.Clone(events), func(event store.Event) bool { return event.Object == nil })
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

// metadataOverFields spreads the metadata of an event over its fields.
func metadataOverFields(event map[string]any) {
	metadata, _ := event["metadata"].(map[string]any)
	for _, field := range []string{"language", "priority", "location"} {
		if value := fieldText(metadata, field); value != "" {
			event[field] = value
		}
	}
}

func englishAlone(names map[string]any) {
	if _, there := names["en"]; there {
		maps.DeleteFunc(names, func(language string, _ any) bool { return language != "en" })
	}
}

// regionsHidden leaves out the names for regions of languages that have one as well.
func regionsHidden(names map[string]any) {
	for tag := range names {
		if _, there := names[language(tag)]; there && tag != language(tag) {
			delete(names, tag)
		}
	}
}

// single is a coordinate after its way through a number of single precision.
func single(degrees *float64) *float64 {
	if degrees == nil {
		return nil
	}
	rounded := float64(float32(*degrees))
	return &rounded
}
