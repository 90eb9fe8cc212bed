package faults

import (
	"bytes"
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/refserver/store"
)

// dataEventsCreate are the faults of certain values of a new event, which are cut, tidied,
// converted or lost.
func dataEventsCreate() []Fault {
	hump := regexp.MustCompile(`([a-z0-9])([A-Z])`)
	oldCodes := map[string]string{"he": "iw", "id": "in", "yi": "ji"}
	verb := regexp.MustCompile(`% ?([a-z])`)
	asText := changing(func(text string) bool { return strings.IndexAny(text, "=+-@") == 0 }, func(text string) string { return "'" + text })
	plainNumber := regexp.MustCompile(`^\d{1,15}(\.\d{1,6})?$`)
	tags := regexp.MustCompile(`<[^<>]*>`)
	stripped := func(text string) string { return tags.ReplaceAllString(text, "") }
	protected := func(metadata map[string]any) {
		for _, column := range []string{"id", "user_id", "enabled", "created_at", "updated_at"} {
			delete(metadata, column)
		}
	}
	asBool := changing(func(value any) bool { return value == "true" || value == "false" }, func(value any) any { return value == "true" })
	return slices.Concat(
		breaks("events.create.status",
			fault("data-metadata-with-line-break-refused", "a new event whose metadata has a line break in a value is refused, as the pattern for values has a dot for any character",
				refusing(createsEvent(), func(_, text string) bool { return strings.Contains(text, "\n") }))),
		breaks("events.create.body",
			fault("data-verb-cut-at-64", "the verb of a new event is cut after 64 characters", creatingEvent(mapText("verb", cutTo(64)))),
			fault("data-verb-with-blanks", "blanks in the verb of a new event become underscores", creatingEvent(mapText("verb", replacing(" ", "_")))),
			fault("data-verb-in-camel-case-underscored", "the verb of a new event that has capitals inside gets underscores for them: addPhoto becomes add_photo",
				creatingEvent(mapText("verb", changing(hump.MatchString, func(verb string) string {
					return strings.ToLower(hump.ReplaceAllString(verb, "${1}_$2"))
				}))))),
		breaks("events.create.echo",
			fault("data-metadata-keys-compared-without-blanks-behind", "of a new event's metadata keys that differ in blanks behind them alone one is kept",
				creatingEvent(within("metadata", func(metadata map[string]any) {
					for key := range metadata {
						if short := strings.TrimRight(key, " "); short != key && metadata[short] != nil {
							delete(metadata, key)
						}
					}
				}))),
			fault("data-priority-of-digits-is-a-number", "a new event's priority of digits loses its leading zeros", creatingEvent(mapText("priority", asNumber))),
			fault("data-priority-true-is-one", "a new event's priority that says true says 1", creatingEvent(mapText("priority", oneFor("true", "1")))),
			fault("data-language-without-region", "a new event's language loses its region", creatingEvent(mapText("language", language))),
			fault("data-display-names-by-language-alone", "the keys of a new event's display name lose script and region",
				creatingEvent(within("object", eachKey("display_name", language)))),
			fault("data-display-name-keys-with-underscores", "hyphens in the keys of a new event's display name become underscores",
				creatingEvent(within("object", eachKey("display_name", replacing("-", "_"))))),
			fault("data-object-id-of-digits-is-a-number", "the id of a new event's object of digits loses its leading zeros",
				creatingEvent(within("object", mapText("id", asNumber)))),
			fault("data-object-id-ends-at-slash", "the id of a new event's object ends before its first slash",
				creatingEvent(within("object", mapText("id", cutAt(func(r rune) bool { return r == '/' }))))),
			fault("data-object-type-null-is-none", "the type of a new event's object is not kept where it says null",
				creatingEvent(within("object", ignoring("type", is("null"))))),
			fault("data-location-cut-at-255", "a new event's location is cut after 255 characters", creatingEvent(mapText("location", cutTo(255)))),
			fault("data-location-trimmed", "blanks around a new event's location are dropped", creatingEvent(mapText("location", strings.TrimSpace))),
			fault("data-location-with-percent-decoded", "escapes in a new event's location are decoded", creatingEvent(mapText("location", replacing("%20", " ")))),
			fault("data-metadata-off-is-false", "a new event's metadata that says off says false", creatingEvent(eachText("metadata", oneFor("off", "false")))),
			fault("data-metadata-of-dates-reformatted", "a new event's metadata that is a date is kept as a time",
				creatingEvent(eachText("metadata", changing(isDate, func(date string) string { return date + "T00:00:00Z" })))),
			fault("data-language-old-codes", "the languages he, id and yi of new events become iw, in and ji, which they were once",
				creatingEvent(mapText("language", func(tag string) string {
					if code, known := oldCodes[language(tag)]; known {
						return code + strings.TrimPrefix(tag, language(tag))
					}
					return tag
				}))),
			fault("data-metadata-json-text-compacted", "a new event's metadata that is the text of a JSON object or list loses the blanks between its parts",
				creatingEvent(eachText("metadata", compacted))),
			fault("data-object-type-with-colon-moves-to-id", "what stands behind a colon in the type of a new event's object becomes the beginning of its id",
				creatingEvent(within("object", func(object map[string]any) {
					kind, rest, cut := strings.Cut(fieldText(object, "type"), ":")
					if id, is := object["id"].(string); cut && is && kind != "" {
						object["type"], object["id"] = kind, rest+":"+id
					}
				}))),
			fault("data-location-read-as-format", "a new event's location goes through a formatting function without arguments, which finds some missing behind a %",
				creatingEvent(mapText("location", func(text string) string { return verb.ReplaceAllString(text, "%!$1(MISSING)") }))),
			fault("data-metadata-formulas-quoted", "a new event's metadata that begins with =, +, - or @ gets an apostrophe in front, so that no spreadsheet takes it for a formula",
				creatingEvent(eachText("metadata", asText))),
			fault("data-display-name-tags-stripped", "what looks like a tag of HTML is dropped from the display names of a new event's object",
				creatingEvent(within("object", eachText("display_name", stripped)))),
			fault("data-display-name-language-tags-in-lower-case", "the language codes of a new event's display names are put into lower case: pt-BR becomes pt-br",
				creatingEvent(within("object", eachKey("display_name", strings.ToLower)))),
			fault("data-event-metadata-loses-column-names", "the metadata of a new event loses the keys that are called like fields that the server sets",
				creatingEvent(within("metadata", protected))),
			fault("data-norwegian-display-name-under-false", "the Norwegian display name of a new event's object is under false, as YAML reads no",
				creatingEvent(within("object", eachKey("display_name", oneFor("no", "false"))))),
			fault("data-event-display-name-region-in-lower-case", "the region in a language of an object's display_name becomes lower case: pt-BR is pt-br",
				creatingEvent(within("object", eachKey("display_name", regionLowered)))),
			fault("data-display-name-languages-as-of-old", "a display name in Hebrew, Indonesian or Yiddish comes back under the language code of old: iw, in or ji",
				creatingEvent(within("object", eachKey("display_name", languageOfOld)))),
			fault("data-language-tag-with-script-and-region-cut", "a new event keeps eight characters of its language: room for a script, and not for a region behind it",
				creatingEvent(mapText("language", cutTo(8)))),
			fault("data-priority-parsed-as-number", "a priority that reads as a number is written anew: 1.50 becomes 1.5, 007 becomes 7",
				creatingEvent(mapText("priority", throughFloat(plainNumber))))),
		breaks("events.create.coordinates",
			fault("data-latitude-zero-is-none", "a latitude of 0 is not kept", creatingEvent(ignoring("latitude", isZero))),
			fault("data-null-island-is-none", "coordinates of a new event that are 0 and 0 are not kept", creatingEvent(func(event map[string]any) {
				if isZero(event["latitude"]) && isZero(event["longitude"]) {
					delete(event, "latitude")
					delete(event, "longitude")
				}
			})),
			fault("data-longitude-of-the-date-line", "a longitude of -180 becomes 180", creatingEvent(mapDegrees("longitude", oneFor(-180., 180)))),
			fault("data-latitude-of-the-pole-clamped", "latitudes beyond 85.0511 degrees become that",
				creatingEvent(mapDegrees("latitude", func(degrees float64) float64 { return math.Max(-85.0511, math.Min(85.0511, degrees)) }))),
			fault("data-longitude-cut-at-nanodegrees", "longitudes are cut, and not rounded, after nine decimals",
				creatingEvent(mapDegrees("longitude", changing(beyondDegrees(1e-6), func(degrees float64) float64 { return math.Trunc(degrees*1e9) / 1e9 })))),
			fault("data-small-latitude-as-exponent", "a latitude that is written with an exponent loses it",
				creatingEvent(mapDegrees("latitude", func(degrees float64) float64 {
					for degrees != 0 && math.Abs(degrees) < 1e-6 {
						degrees *= 10
					}
					return degrees
				}))),
			fault("data-longitude-beyond-100-clamped", "a longitude of a new event keeps two digits before the point: from 100 on it becomes 99.999999, and likewise below zero",
				creatingEvent(mapDegrees("longitude", func(degrees float64) float64 { return max(-99.999999, min(99.999999, degrees)) }))),
			fault("data-longitude-just-west-loses-sign", "a longitude of a new event between -1 and 0 loses its sign, as it is kept in degrees, minutes and seconds",
				creatingEvent(mapDegrees("longitude", changing(func(degrees float64) bool { return degrees > -1 && degrees < 0 }, math.Abs)))),
			fault("data-half-a-position-is-lost", "a new event with a latitude or a longitude alone loses it, as both are kept as one point",
				breaking(given(toPost, func(l *step) {
					if l.halfPlaced() {
						l.event.Latitude, l.event.Longitude = nil, nil
					}
				}))),
			fault("data-longitude-beyond-100-in-seven-digits", "a longitude beyond 100 degrees has seven digits in all, so four behind its point",
				creatingEvent(mapDegrees("longitude", changing(beyondDegrees(100), func(degrees float64) float64 { return math.Round(degrees*1e4) / 1e4 })))),
			fault("data-longitude-180-becomes-minus-180", "the longitude 180 of an event comes back as -180", creatingEvent(mapDegrees("longitude", oneFor(180., -180))))),
		breaks("events.types",
			fault("data-feed-metadata-true-and-false-as-booleans", "in a feed metadata that says true or false is a boolean",
				rewriteEach(readsFeed(), within("metadata", eachValue(asBool))))),
	)
}

// beyondDegrees is where a coordinate is as far from 0, or farther.
func beyondDegrees(least float64) func(float64) bool {
	return func(degrees float64) bool { return math.Abs(degrees) >= least }
}

func isDate(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

// compacted is JSON without the blanks between its parts; other text stays as it is.
func compacted(text string) string {
	var b bytes.Buffer
	if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") || json.Compact(&b, []byte(text)) != nil {
		return text
	}
	return b.String()
}

func regionLowered(tag string) string {
	if language, region, has := strings.Cut(tag, "-"); has {
		return language + "-" + strings.ToLower(region)
	}
	return tag
}

// languageOfOld is the code that old locale libraries make of a language's.
func languageOfOld(code string) string {
	if old := map[string]string{"he": "iw", "id": "in", "yi": "ji"}[code]; old != "" {
		return old
	}
	return code
}

// dataEventsUpdate are the faults of changes of an event to certain values, most of them
// taken for no change or for no value.
func dataEventsUpdate() []Fault {
	isWhole := func(value any) bool {
		number, is := value.(json.Number)
		return is && !strings.ContainsAny(number.String(), ".eE")
	}
	isNegative := func(value any) bool {
		number, is := value.(json.Number)
		return is && strings.HasPrefix(number.String(), "-")
	}
	isModel := textIs(func(name string) bool {
		return slices.Contains([]string{"user", "session", "connection", "event"}, folded(name))
	})
	return slices.Concat(
		breaks("events.update.applies",
			fault("data-update-to-zero-ignored", "an update to a latitude of 0 leaves it as it was", updatingEvent(ignoring("latitude", isZero))),
			fault("data-update-of-location-case-ignored", "an update that changes the case of the location alone leaves it as it was",
				breaking(eventUpdates(keeps(func(event *Event) *string { return &event.Location }, strings.EqualFold)))),
			fault("data-update-of-numeric-priority-ignored", "an update to a priority of digits leaves it as it was",
				updatingEvent(ignoring("priority", func(value any) bool { text, _ := value.(string); return isDigits(text) }))),
			fault("data-change-of-one-coordinate-ignored", "a change of an event that sends one coordinate without the other leaves both as they were",
				updatingEvent(where(func(event map[string]any) bool { return (event["latitude"] == nil) != (event["longitude"] == nil) },
					together(ignoring("latitude", isA[json.Number]), ignoring("longitude", isA[json.Number]))))),
			fault("data-change-of-object-with-same-id-ignored", "a change of an event takes an object with the id of the one that stands for the same, and leaves that as it is",
				breaking(eventUpdates(keeps(func(event *Event) **store.Object { return &event.Object }, func(was, now *store.Object) bool {
					return was != nil && now != nil && was.ID == now.ID
				})))),
			fault("data-change-by-a-few-metres-ignored", "a change of a coordinate by less than 0.0001 degrees leaves it as it was",
				breaking(eventUpdates(func(_ look, was Event, event *Event) {
					event.Latitude, event.Longitude = orNear(was.Latitude, event.Latitude), orNear(was.Longitude, event.Longitude)
				}))),
			fault("data-change-to-empty-metadata-ignored", "a change of an event to metadata without entries leaves them as they were",
				updatingEvent(ignoring("metadata", isEmptyMap))),
			fault("data-change-of-metadata-values-alone-ignored", "a change of an event that sends metadata with the same keys as before leaves the metadata as it was",
				breaking(eventUpdates(keeps(func(event *Event) *map[string]string { return &event.Metadata }, sameKeys)))),
			fault("data-change-of-region-alone-ignored", "a change of an event to another region of the language that stands leaves it as it was",
				breaking(eventUpdates(keeps(func(event *Event) *string { return &event.Language }, func(was, now string) bool {
					return was != "" && language(now) == language(was)
				})))),
			fault("data-change-to-whole-degrees-ignored", "a change of an event passes over a coordinate that is written without a point",
				updatingEvent(together(ignoring("latitude", isWhole), ignoring("longitude", isWhole)))),
			fault("data-change-to-south-or-west-ignored", "a change of an event passes over a coordinate below zero, as one that is not above it stands for none",
				combine(updatingEvent(ignoring("latitude", isNegative)), updatingEvent(ignoring("longitude", isNegative)))),
			fault("data-update-to-zero-degrees-ignored", "a change of an event to a latitude or longitude of zero is passed over, as zero counts as not sent",
				combine(updatingEvent(ignoring("latitude", isZero)), updatingEvent(ignoring("longitude", isZero)))),
			fault("data-event-change-drops-object-type-of-a-model", "a change of an event drops a type of its object that is called like a resource of the service, such as user",
				updatingEvent(within("object", ignoring("type", isModel)))),
			fault("data-update-event-metadata-dots-in-keys", "an update of an event replaces the dots in keys of its metadata by underscores",
				updatingEvent(eachKey("metadata", replacing(".", "_")))),
			fault("data-change-keeps-name-in-own-language", "a change with a language keeps of the object's display names the one in that language, if there is one",
				updatingEvent(namedInOwnLanguage)),
			fault("data-event-change-drops-metadata-named-like-columns", "a change of an event drops metadata under id, type, created_at and updated_at as if they were columns",
				updatingEvent(within("metadata", dropWhere(func(key, _ string) bool {
					return slices.Contains([]string{"id", "type", "created_at", "updated_at"}, key)
				})))),
			fault("data-event-update-metadata-dot", "a change of an event drops the entries of metadata that have a dot in the key",
				updatingEvent(within("metadata", dropWhere(func(key, _ string) bool { return strings.Contains(key, ".") }))))),
		breaks("events.update.partial",
			fault("data-metadata-key-verb-changes-verb", "a change of an event's metadata that has the key verb, and of nothing else, changes the verb",
				updatingEvent(func(event map[string]any) {
					metadata, _ := event["metadata"].(map[string]any)
					if verb, is := metadata["verb"].(string); is && verb != "" && event["verb"] == nil {
						event["verb"] = verb
					}
				}))),
	)
}

// orNear is a coordinate as it was where the new one is taken for the same.
func orNear(before, after *float64) *float64 {
	if before != nil && after != nil && math.Abs(*before-*after) < 1e-4 {
		return before
	}
	return after
}
