package faults

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
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
	return slices.Concat(
		breaks("feed.event-shape",
			fault("data-feed-longitude-zero-is-none", "in a feed events with a longitude of 0 have none", rewriteEach(readsFeed(), ignoring("longitude", isZero))),
			fault("data-feed-far-west-wrapped", "in a feed longitudes below -90 are 360 degrees more",
				rewriteEach(readsFeed(), mapDegrees("longitude", changing(func(degrees float64) bool { return degrees < -90 },
					func(degrees float64) float64 { return degrees + 360 })))),
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
				rewriteEach(readsFeed(), namedInOwnLanguage)),
			fault("data-feed-drops-underscored-keys", "in a feed the entries of metadata whose key begins with an underscore are missing",
				rewriteEach(readsFeed(), within("metadata", dropWhere(func(key, _ string) bool { return strings.HasPrefix(key, "_") })))),
			fault("data-feed-metadata-lies-over-fields", "in a feed an entry of metadata called language, priority or location overwrites that field of the event",
				rewriteEach(readsFeed(), metadataOverFields)),
			fault("data-feed-object-that-is-a-user-unnamed", "in a feed an object of the type user is looked up among the users, and has no display name",
				rewriteEach(readsFeed(), within("object", where(has("type", is("user")), drop("display_name"))))),
			fault("data-feed-verbs-lose-their-namespace", "in a feed a verb lacks what stands before a colon in it",
				rewriteEach(readsFeed(), mapText("verb", func(verb string) string {
					_, name, _ := strings.Cut(verb, ":")
					return cmp.Or(name, verb)
				}))),
			fault("data-feed-location-ends-at-comma", "in a feed a location ends before its first comma",
				rewriteEach(readsFeed(), mapText("location", cutAt(func(r rune) bool { return r == ',' })))),
			fault("data-feed-cuts-metadata-at-255", "in a feed values of metadata are cut after 255 characters, which is what the column of the copy holds",
				rewriteEach(readsFeed(), within("metadata", cutValues(255)))),
			fault("data-feed-metadata-zero-lost", "in a feed entries of metadata that say 0 are missing, as a filter takes them for empty",
				rewriteEach(readsFeed(), within("metadata", dropWhere(func(_, value string) bool { return value == "0" })))),
			fault("data-feed-rounds-coordinates-to-six-places", "a feed shows coordinates with six decimal places",
				rewriteEach(readsFeed(), together(mapDegrees("latitude", rounded), mapDegrees("longitude", rounded)))),
			fault("data-feed-loses-objects-without-display-name", "a feed shows an event without its object where that has no display name", rewriteEach(readsFeed(), unnamedLost)),
			fault("data-feed-shows-english-display-name-alone", "in feeds an object with a display name in English has it in no other language",
				rewriteEach(readsFeed(), within("object", within("display_name", englishAlone)))),
			fault("data-feed-display-name-of-region-hidden", "in a feed a display name for a region, such as en-GB, is left out beside that for its language",
				rewriteEach(readsFeed(), within("object", within("display_name", regionsHidden)))),
			fault("data-feed-coordinates-in-single-precision", "feeds show latitude and longitude as numbers of single precision hold them",
				breaking(edits(always, func(event *Event) { event.Latitude, event.Longitude = single(event.Latitude), single(event.Longitude) }))),
			fault("data-feed-dotted-metadata-key", "feeds have underscores for the dots in keys of metadata",
				rewriteEach(readsFeed(), eachKey("metadata", replacing(".", "_")))),
			fault("data-feed-display-name-region", "in a feed the language codes of display names are in lower case: pt-BR is pt-br",
				rewriteEach(readsFeed(), within("object", eachKey("display_name", strings.ToLower))))),
		breaks("feed.event-delete",
			fault("data-deleted-events-on-objects-stay", "a deleted event that has an object stays in the feeds of followers",
				breaking(stays(removed, to(look.wasFollower, func(l look) bool { return l.event.Object != nil }))))),
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

// namedInOwnLanguage leaves of an object's names the one in the event's language, if there is one.
func namedInOwnLanguage(event map[string]any) {
	own := fieldText(event, "language")
	within("object", within("display_name", func(names map[string]any) {
		if name, there := names[own]; there {
			clear(names)
			names[own] = name
		}
	}))(event)
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

// dataFeedFollows are the faults of events with certain values that do not reach those who
// follow, or that stay with those who do no more.
func dataFeedFollows() []Fault {
	ofConnections := []string{"follow", "unfollow", "friend", "unfriend"}
	return slices.Concat(
		breaks("feed.follow.new-events",
			fault("data-feed-without-verbs-of-digits", "events whose verb is of digits are in no feed",
				breaking(hides(func(l look) bool { return isDigits(l.event.Verb) }))),
			fault("data-feed-without-events-at-zero", "events with a coordinate of 0 are in no feed",
				breaking(hides(func(l look) bool {
					return l.event.Latitude != nil && *l.event.Latitude == 0 || l.event.Longitude != nil && *l.event.Longitude == 0
				}))),
			fault("data-feed-without-three-letter-languages", "events in languages that have codes of three letters alone are in no feed",
				breaking(hides(func(l look) bool { return len(language(l.event.Language)) == len("fil") }))),
			fault("data-feed-without-half-a-place", "events with a latitude and no longitude, or the other way round, are in no feed",
				breaking(hides(look.halfPlaced))),
			fault("data-feed-without-verbs-of-connections", "events whose verb is follow, unfollow, friend or unfriend are taken for notes of the service itself, and are in no feed",
				breaking(hides(func(l look) bool { return slices.Contains(ofConnections, folded(l.event.Verb)) }))),
			fault("data-event-with-half-a-position-in-no-feed", "a new event that has a latitude and no longitude, or the other way round, reaches no follower",
				breaking(hides(func(l look) bool { return l.newToFollower() && l.halfPlaced() }))),
			fault("data-events-on-the-follower-not-handed-out", "a new event whose object is a follower, by its custom_id, does not reach that follower's feed",
				breaking(hides(func(l look) bool {
					post := l.post()
					return l.atFirst().Object != nil && slices.Contains(post.followers, l.me) && l.record(l.me).CustomID == l.atFirst().Object.ID
				})))),
		breaks("feed.unfollow",
			fault("data-unfollowed-events-with-priority-stay", "those events of a user who is no longer followed stay in the feed that have a priority", breaking(stays(unfollowed, func(l look) bool { return l.event.Priority != "" && l.there(l.other) }))),
			fault("data-unfollow-leaves-events-on-objects", "those of a user's events that have an object stay in the feed of who ends the follow",
				breaking(stays(ended, func(l look) bool { return l.event.Object != nil && l.there(l.other) })))),
	)
}

// dataFeedPurge are the faults of the purge that certain values of the events, or of the
// deleted user, make pass over some events or take too many.
func dataFeedPurge() []Fault {
	keeps := func(is when) mutation { return breaking(stays(deleted, to(look.wasFollower, is))) }
	return slices.Concat(
		breaks("feed.purge.followers",
			fault("data-purge-forgets-events-without-object", "a deleted user's events that have no object stay in the feeds of followers",
				keeps(func(l look) bool { return l.event.Object == nil })),
			fault("data-purge-forgets-names-with-capitals", "the events of a deleted user whose user name has capital letters stay in the feeds of followers",
				keeps(func(l look) bool { return strings.ContainsFunc(l.gone.user.UserName, unicode.IsUpper) })),
			fault("data-purge-forgets-events-with-a-place", "a deleted user's events that have coordinates stay in the feeds of followers",
				keeps(func(l look) bool { return l.event.Latitude != nil && l.event.Longitude != nil })),
			fault("data-purge-forgets-events-in-a-language", "those of a deleted user's events that have a language stay in the feeds of followers",
				keeps(func(l look) bool { return l.event.Language != "" })),
			fault("data-purge-forgets-shared-objects", "those of a deleted user's events stay in the feed of a follower that are on an object on which the feed has another's event",
				breaking(beforePurge(func(l look, feed []Event) []Event {
					return without(slices.Clone(feed), func(event Event) bool {
						return event.Owner != l.other || !slices.ContainsFunc(feed, func(e Event) bool { return e.Owner != l.other && onSameObject(e, event) })
					})
				}), addsSome(setAside))),
			fault("data-purge-forgets-events-with-coordinates", "those of a deleted user's events that have coordinates stay in the feeds of followers",
				keeps(func(l look) bool { return l.event.Latitude != nil })),
			fault("data-purge-forgets-users-with-custom-id", "the events of a deleted user who had a custom_id stay in the feeds of followers, where they are kept under it",
				keeps(func(l look) bool { return l.gone.user.CustomID != "" }))),
		breaks("feed.purge.friends",
			fault("data-purge-forgets-friends-events-with-metadata", "those of a deleted user's events that have metadata stay in the feeds of friends",
				breaking(stays(deleted, to(look.wasFriendAlone, func(l look) bool { return len(l.event.Metadata) > 0 }))))),
		breaks("feed.purge.keeps-others",
			fault("data-purge-takes-events-on-the-deleted", "with a deleted user's events those leave the feeds that others posted on an object whose id is the deleted user's custom_id",
				breaking(purgeTakes(func(l look) bool {
					id := l.gone.user.CustomID
					return id != "" && l.event.Object != nil && l.event.Object.ID == id && l.older(l.gone.at)
				}))),
			fault("data-purge-takes-events-of-names-that-begin-alike", "with a deleted user's events those leave the feeds of its followers whose owners have a user name that begins with the one of the deleted",
				breaking(fromFollowers(func(l look) bool {
					rest, alike := strings.CutPrefix(l.record(l.other).UserName, l.gone.text)
					return alike && rest != "" && l.gone.text != ""
				})))),
	)
}

// dataFeedReading are the faults of feeds that show strangers' events, leave some out, or
// order them, for certain values of these.
func dataFeedReading() []Fault {
	return slices.Concat(
		breaks("feed.only-connected",
			fault("data-feed-shows-events-on-the-reader", "strangers' events on an object whose id is the reader's custom_id are in the reader's feed",
				breaking(addsSome(func(l look) []Event {
					custom := l.record(l.me).CustomID
					return l.strangersPosts(func(event Event) bool { return custom != "" && event.Object != nil && event.Object.ID == custom })
				}))),
			fault("data-feed-shows-mentions-of-the-reader", "strangers' events that mention the reader, as the user name with an @ in front, in the metadata or the location are in the reader's feed",
				breaking(addsSome(func(l look) []Event {
					name := l.record(l.me).UserName
					return l.strangersPosts(func(event Event) bool { return name != "" && mentions(event, "@"+name) })
				}))),
			fault("data-feed-shows-strangers-on-the-readers-objects", "strangers' events on an object that the reader has posted an event on are in the reader's feed", breaking(addsSome(onReadersObjects))),
			fault("data-feed-shows-strangers-nearby", "strangers' events less than a tenth of a degree from where the reader last posted are in the reader's feed", breaking(addsSome(strangersNearby)))),
		breaks("feed.merge",
			fault("data-feed-one-event-per-object", "of several events on the same object the feed of several users has the newest alone",
				oneOfEach(func(event Event) any {
					if event.Object == nil {
						return event.ID
					}
					return event.Object.ID
				})),
			fault("data-feed-one-act-on-an-object", "of events with the same verb and the same object a feed shows only the newest, also of different users",
				oneOfEach(actOf))),
		breaks("feed.order",
			fault("data-feed-high-priority-first", "feeds begin with the events of high priority",
				breaking(sorts(func(a, b look) int {
					rank := func(l look) int { return map[bool]int{true: -1}[strings.EqualFold(l.event.Priority, "high")] }
					return rank(a) - rank(b)
				})))),
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

// onReadersObjects are whatever others posted on the reader's objects.
func onReadersObjects(l look) []Event {
	objects := map[string]bool{}
	for _, event := range l.eventsOf(l.me) {
		if event.Object != nil {
			objects[event.Object.ID] = true
		}
	}
	return l.strangersPosts(func(event Event) bool { return event.Object != nil && objects[event.Object.ID] })
}

// strangersNearby are whatever others posted near the reader's latest place.
func strangersNearby(l look) []Event {
	const near = 0.1
	placed := func(event Event) bool { return event.Latitude != nil && event.Longitude != nil }
	own := l.eventsOf(l.me)
	i := slices.IndexFunc(own, placed)
	return l.strangersPosts(func(event Event) bool {
		return i >= 0 && placed(event) && math.Abs(*event.Latitude-*own[i].Latitude) <= near && math.Abs(*event.Longitude-*own[i].Longitude) <= near
	})
}

// act is an event's verb with its object; each event without an object is an act of its own.
func actOf(event store.Event) any {
	if event.Object == nil {
		return event.ID
	}
	return [3]string{event.Verb, event.Object.Type, event.Object.ID}
}
