package faults

import (
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// mapDegrees changes a coordinate.
func mapDegrees(field string, change func(float64) float64) objectEdit {
	return mapField(field, func(value any) any {
		number, ok := value.(json.Number)
		if !ok {
			return value
		}
		degrees, err := number.Float64()
		if err != nil {
			return value
		}
		return change(degrees)
	})
}

func isZero(value any) bool {
	number, ok := value.(json.Number)
	degrees, err := number.Float64()
	return ok && err == nil && degrees == 0
}

// language is the first part of a language tag.
func language(tag string) string {
	first, _, _ := strings.Cut(tag, "-")
	return first
}

// eventData are the faults of certain values of an event's fields.
func eventData() []Fault {
	creating := func(change objectEdit) mutation { return rewriteBody(createsEvent(), change) }
	updating := func(change objectEdit) mutation { return rewriteBody(updatesEvent(), change) }
	return slices.Concat(
		breaks("events.create.coordinates",
			fault("data-latitude-zero-is-none", "a latitude of 0 is not kept", creating(ignoring("latitude", isZero))),
			fault("data-null-island-is-none", "coordinates of a new event that are 0 and 0 are not kept", creating(func(event map[string]any) {
				if isZero(event["latitude"]) && isZero(event["longitude"]) {
					delete(event, "latitude")
					delete(event, "longitude")
				}
			})),
			fault("data-longitude-of-the-date-line", "a longitude of -180 becomes 180", creating(mapDegrees("longitude", func(degrees float64) float64 {
				if degrees == -180 {
					return 180
				}
				return degrees
			}))),
			fault("data-latitude-of-the-pole-clamped", "latitudes beyond 85.0511 degrees become that",
				creating(mapDegrees("latitude", func(degrees float64) float64 { return math.Max(-85.0511, math.Min(85.0511, degrees)) }))),
			fault("data-longitude-cut-at-nanodegrees", "longitudes are cut, and not rounded, after nine decimals",
				creating(mapDegrees("longitude", func(degrees float64) float64 {
					if math.Abs(degrees) < 1e-6 {
						return degrees
					}
					return math.Trunc(degrees*1e9) / 1e9
				}))),
			fault("data-small-latitude-as-exponent", "a latitude that is written with an exponent loses it",
				creating(mapDegrees("latitude", func(degrees float64) float64 {
					for degrees != 0 && math.Abs(degrees) < 1e-6 {
						degrees *= 10
					}
					return degrees
				})))),
		breaks("events.create.body",
			fault("data-verb-cut-at-64", "the verb of a new event is cut after 64 characters", creating(mapText("verb", cutTo(64)))),
			fault("data-verb-with-blanks", "blanks in the verb of a new event become underscores", creating(mapText("verb", replacing(" ", "_"))))),
		breaks("events.create.echo",
			fault("data-priority-of-digits-is-a-number", "a new event's priority of digits loses its leading zeros", creating(mapText("priority", asNumber))),
			fault("data-priority-true-is-one", "a new event's priority that says true says 1", creating(mapText("priority", exactly("true", "1")))),
			fault("data-language-without-region", "a new event's language loses its region", creating(mapText("language", language))),
			fault("data-display-names-by-language-alone", "the keys of a new event's display name lose script and region",
				creating(within("object", eachKey("display_name", language)))),
			fault("data-display-name-keys-with-underscores", "hyphens in the keys of a new event's display name become underscores",
				creating(within("object", eachKey("display_name", replacing("-", "_"))))),
			fault("data-object-id-of-digits-is-a-number", "the id of a new event's object of digits loses its leading zeros",
				creating(within("object", mapText("id", asNumber)))),
			fault("data-object-id-ends-at-slash", "the id of a new event's object ends before its first slash",
				creating(within("object", mapText("id", cutAt(func(r rune) bool { return r == '/' }))))),
			fault("data-object-type-null-is-none", "the type of a new event's object is not kept where it says null",
				creating(within("object", ignoring("type", is("null"))))),
			fault("data-location-cut-at-255", "a new event's location is cut after 255 characters", creating(mapText("location", cutTo(255)))),
			fault("data-location-trimmed", "blanks around a new event's location are dropped", creating(mapText("location", strings.TrimSpace))),
			fault("data-location-with-percent-decoded", "escapes in a new event's location are decoded", creating(mapText("location", replacing("%20", " ")))),
			fault("data-metadata-off-is-false", "a new event's metadata that says off says false", creating(eachText("metadata", exactly("off", "false")))),
			fault("data-metadata-of-dates-reformatted", "a new event's metadata that is a date is kept as a time",
				creating(eachText("metadata", changing(isDate, func(date string) string { return date + "T00:00:00Z" }))))),
		breaks("transport.unicode-roundtrip",
			fault("data-location-ends-at-emoji", "a new event's location ends before the first character beyond the Basic Multilingual Plane",
				creating(mapText("location", cutAt(isAstral)))),
			fault("data-flags-halved", "of two regional indicators in a new event's metadata, which make a flag, one is dropped",
				creating(eachText("metadata", flagsHalved)))),
		breaks("events.update.applies",
			fault("data-update-to-zero-ignored", "an update to a latitude of 0 leaves it as it was", updating(ignoring("latitude", isZero))),
			fault("data-update-of-location-case-ignored", "an update that changes the case of the location alone leaves it as it was",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
						return inner.UpdateEvent(app, owner, id, func(event *store.Event) {
							before := event.Location
							if change(event); strings.EqualFold(before, event.Location) {
								event.Location = before
							}
						})
					}
				})),
			fault("data-update-of-numeric-priority-ignored", "an update to a priority of digits leaves it as it was",
				updating(ignoring("priority", func(value any) bool { text, _ := value.(string); return isDigits(text) })))),
		breaks("limits.metadata.characters",
			fault("data-event-values-count-utf-16", "the values of a new event's metadata are counted in units of UTF-16",
				refusing(createsEvent(), func(_ string, value any) bool { text, _ := value.(string); return utf16Length(text) > 500 })),
			fault("data-user-keys-count-bytes", "the keys of a new user's metadata are counted in bytes",
				refusing(createsUser(), func(key string, _ any) bool { return len(key) > 40 }))),
		breaks("limits.metadata.keys",
			fault("data-ten-long-values-refused", "ten values of metadata of a new event that make more than 4,000 characters together are refused",
				refused(createsEvent().and(func(r *http.Request) bool {
					total := 0
					for _, value := range metadataIn(r) {
						text, _ := value.(string)
						total += len([]rune(text))
					}
					return total > 4000
				}), 422, complaint("metadata is too large")))),
	)
}

func isDate(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

func flagsHalved(text string) string {
	half := false
	return strings.Map(func(r rune) rune {
		if half = unicode.Is(unicode.Regional_Indicator, r) && !half; unicode.Is(unicode.Regional_Indicator, r) && !half {
			return -1
		}
		return r
	}, text)
}

// feedData are the faults of certain values in feeds, beside right ones in the
// answers to those who posted them.
func feedData() []Fault {
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
			fault("data-feed-language-in-lower-case", "in a feed the language is in lower case", rewriteEach(readsFeed(), lowerCased("language")))),
		breaks("feed.follow.new-events",
			fault("data-feed-without-verbs-of-digits", "events whose verb is of digits are in no feed",
				hideFromFeeds(func(_ reader, event store.Event) bool { return isDigits(event.Verb) })),
			fault("data-feed-without-events-at-zero", "events with a coordinate of 0 are in no feed",
				hideFromFeeds(func(_ reader, event store.Event) bool {
					return event.Latitude != nil && *event.Latitude == 0 || event.Longitude != nil && *event.Longitude == 0
				}))),
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
				}))),
	)
}

// socialData are the faults of certain social identifiers.
func socialData() []Fault {
	asking := func(change func(id string) string) mutation {
		return rewriteBody(connectsSocially(), mapField("connection_ids", func(value any) any {
			list, _ := value.([]any)
			for i, id := range list {
				if text, ok := id.(string); ok {
					list[i] = change(text)
				}
			}
			return value
		}))
	}
	return breaks("social.connects",
		fault("data-social-platform-in-lower-case", "connecting by social identifiers puts the platform into lower case, and not what it is compared with",
			rewriteBody(connectsSocially(), lowerCased("platform"))),
		fault("data-social-ids-are-numbers", "connecting by social identifiers of digits drops their leading zeros", asking(asNumber)),
		fault("data-social-ids-end-at-comma", "connecting by social identifiers reads each up to its first comma",
			asking(cutAt(func(r rune) bool { return r == ',' }))),
		fault("data-social-id-by-its-beginning", "connecting by social identifiers also connects to users whose id on the platform merely begins with one given",
			overrideStore(func(inner refserver.Store, s *overrides) {
				s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
					all, err := inner.Search(app, "")
					for _, user := range all {
						begins := func(id string) bool { return id != "" && strings.HasPrefix(user.SocialIDs[platform], id) }
						if slices.ContainsFunc(ids, begins) {
							ids = append(ids, user.SocialIDs[platform])
						}
					}
					return errors.Join(err, inner.ConnectSocial(app, from, platform, ids, typ))
				}
			})),
		fault("data-social-id-twice-connects-nobody", "connecting by a list that has an identifier twice connects nobody",
			rewriteBody(connectsSocially(), mapField("connection_ids", func(value any) any {
				list, _ := value.([]any)
				seen := map[any]bool{}
				for _, id := range list {
					if text, ok := id.(string); ok && seen[text] {
						return []any{}
					}
					if isA[string](id) {
						seen[id] = true
					}
				}
				return value
			}))))
}
