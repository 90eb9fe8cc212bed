package faults

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/socialfeed/conform/refserver"
)

// inputEvents are faults of bad events and bad updates of events: they are accepted,
// corrected or ignored, or refused with an effect.
func inputEvents() []Fault {
	const comments = `(?s)/\*.*?\*/|//[^\n]*`
	const plusSign = `(:\s*)\+(\d)`
	isNumber := isA[json.Number]
	falsy := func(value any) bool {
		members, isMap := value.(map[string]any)
		return value == false || isZero(value) || isEmptyList(value) || isMap && len(members) == 0
	}
	const leadingZeros = `(:\s*-?)0+(\d)` // before the digits of a number
	return slices.Concat(
		breaks("events.create.enabled",
			fault("input-event-sent-as-disabled-is-disabled", "a new event that is sent with false for enabled is disabled", disabledAsSent)),
		breaks("events.create.verb-required",
			fault("input-event-null-verb-taken", "a new event's verb may be null",
				rewriteBody(createsEvent().and(sendsA("verb", isNull)), set("verb", "null"))),
			fault("input-verb-missing-beside-object-is-post", "a new event without a verb that has an object gets the verb post",
				rewriteBody(createsEvent().and(sends("object")).and(not(sends("verb"))), set("verb", "post")))),
		breaks("events.create.object-id-required",
			fault("input-event-null-object-id-taken", "the id of a new event's object may be null",
				creatingEvent(within("object", mapField("id", func(id any) any { return cmp.Or(id, any("null")) })))),
			fault("input-event-empty-object-ignored", "an object without fields is passed over in a new event",
				creatingEvent(ignoring("object", func(value any) bool { object, ok := value.(map[string]any); return ok && len(object) == 0 }))),
			fault("input-object-without-id-takes-its-url", "the object of a new event without an id has its url for one",
				creatingEvent(within("object", func(object map[string]any) {
					if _, there := object["id"]; !there && fieldText(object, "url") != "" {
						object["id"] = object["url"]
					}
				})))),
		breaks("events.create.wrong-type",
			fault("input-latitude-true-is-one", "a boolean is taken for a new event's latitude", creatingEvent(mapField("latitude", boolAsNumber))),
			fault("input-latitude-empty-text-ignored", "a text without characters is passed over where a new event's latitude should be",
				creatingEvent(ignoring("latitude", is("")))),
			fault("input-longitude-object-ignored", "an object is passed over where a new event's longitude should be",
				creatingEvent(ignoring("longitude", isA[map[string]any]))),
			fault("input-empty-object-list-ignored", "an empty list is passed over where a new event's object should be", creatingEvent(ignoring("object", isEmptyList))),
			fault("input-empty-metadata-list-ignored", "an empty list is passed over where a new event's metadata should be",
				creatingEvent(ignoring("metadata", isEmptyList))),
			fault("input-display-name-number-taken", "numbers are taken for the display names of a new event's object",
				creatingEvent(within("object", mapField("display_name", eachItem(numberAsText))))),
			fault("input-object-url-list-ignored", "a list is passed over where the url of a new event's object should be",
				creatingEvent(within("object", ignoring("url", isA[[]any])))),
			fault("input-verb-false-taken", "a boolean is taken for the verb of a new event", creatingEvent(mapField("verb", boolAsText))),
			fault("input-language-list-joined", "a list is taken for a new event's language, joined by commas", creatingEvent(mapField("language", joined))),
			fault("input-event-object-as-json-text-taken", "the text of a JSON object is taken for the object of a new event", creatingEvent(mapField("object", parsed))),
			fault("input-event-metadata-pairs-taken", "a list of objects with a key and a value each is taken for the metadata of a new event",
				creatingEvent(mapField("metadata", pairsAsMap))),
			fault("input-verb-single-element-array", "a new event takes a list of one text for the verb in it",
				creatingEvent(mapField("verb", of(func(list []any) any {
					if len(list) == 1 {
						return list[0]
					}
					return list
				}))))),
		breaks("events.create.malformed-json",
			fault("input-event-single-quotes-taken", "single quotes do for double ones in a new event", repairJSON(createsEvent(), singleQuoted, `"$1"`)),
			fault("input-event-raw-newline-taken", "texts of a new event may hold line breaks and tabs as they are",
				rewriteRequest(createsEvent(), func(r *http.Request) {
					if body := peekBody(r); !json.Valid(body) {
						if mended := controlsEscaped(body); json.Valid(mended) {
							setBody(r, mended)
						}
					}
				})),
			fault("input-event-number-with-plus-taken", "a + may stand before a number of a new event", repairJSON(createsEvent(), plusSign, "$1$2")),
			fault("input-event-escaped-apostrophe-taken", "an apostrophe may have a backslash before it in the texts of a new event", repairJSON(createsEvent(), `\\'`, `'`)),
			fault("input-event-numbers-without-leading-zero-taken", "a number of a new event may begin with its point",
				repairJSON(createsEvent(), `([:,\[]\s*-?)\.(\d)`, "${1}0.$2")),
			fault("input-event-with-something-behind-it", "an event is created from the first value in a body, whatever follows it",
				rewriteRequest(createsEvent(), func(r *http.Request) {
					var first json.RawMessage
					if json.NewDecoder(bytes.NewReader(peekBody(r))).Decode(&first) == nil {
						setBody(r, first)
					}
				})),
			fault("input-event-numbers-with-leading-zeros", "an event whose numbers begin with zeros, which no JSON has, is accepted",
				repairJSON(createsEvent(), leadingZeros, "$1$2")),
			fault("input-comments-in-new-event", "comments in the JSON of a new event are passed over", repairJSON(createsEvent(), comments, ""))),
		breaks("events.update.wrong-type",
			fault("input-update-object-text-ignored", "an update passes over an object that is a text", updatingEvent(ignoring("object", isA[string]))),
			fault("input-update-metadata-number-ignored", "an update passes over metadata that are a number", updatingEvent(ignoring("metadata", isA[json.Number]))),
			fault("input-update-latitude-false-is-zero", "an update takes a boolean for a latitude", updatingEvent(mapField("latitude", boolAsNumber))),
			fault("input-update-display-name-list-ignored", "an update passes over display names that are a list",
				updatingEvent(within("object", ignoring("display_name", isA[[]any])))),
			fault("input-refused-longitude-moves-latitude", "an update of an event with a longitude that is not a number is refused, but its latitude is stored",
				answers(updatesEvent(), func(q asked) {
					sent := q.sent()
					if refusesInput(q.response) && isNumber(sent["latitude"]) && sent["longitude"] != nil && !isNumber(sent["longitude"]) {
						q.call(http.MethodPut, q.URL.Path, map[string]any{"latitude": sent["latitude"]})
					}
				})),
			fault("input-change-location-object-taken-by-name", "a change of an event takes an object for a location by its name, and passes it over where it has none",
				rewriteBody(updatesEvent().and(sendsA("location", isA[map[string]any])), func(event map[string]any) {
					place, _ := event["location"].(map[string]any)
					if name, named := place["name"].(string); named {
						event["location"] = name
						return
					}
					delete(event, "location")
				})),
			fault("input-change-object-id-number-taken", "a change of an event takes a number for the id of its object", updatingEvent(within("object", textOf("id")))),
			fault("input-blank-text-for-longitude-passed-over", "in a change of an event a blank text as the longitude is passed over",
				updatingEvent(ignoring("longitude", is("")))),
			fault("input-event-update-takes-empty-list-as-metadata", "an update of an event takes an empty list as metadata, which an empty map is in some languages",
				rewriteBody(updatesEvent().and(sendsA("metadata", isEmptyList)), set("metadata", map[string]any{}))),
			fault("input-event-change-takes-number-as-display-name", "a change of an event takes a number as a display name of its object",
				updatingEvent(within("object", within("display_name", eachValue(numberAsText))))),
			fault("input-object-as-text-changes-event", "a change of an event whose object is a text makes it the object's id",
				rewriteBody(updatesEvent().and(not(sendsA("object", is("")))), mapField("object", of(func(id string) any { return map[string]any{"id": id} })))),
			fault("input-event-change-passes-over-falsy-texts", "false, 0, [] and {} for the language, priority or location of a changed event count as not sent",
				updatingEvent(func(event map[string]any) {
					for _, field := range []string{"language", "priority", "location"} {
						ignoring(field, falsy)(event)
					}
				})),
			fault("input-event-update-coordinates-as-text", "an update of an event takes a latitude or a longitude that is a text of digits",
				combine(updatingEvent(mapField("latitude", textAsNumber)), updatingEvent(mapField("longitude", textAsNumber)))),
			fault("input-changed-longitude-as-text", "a change takes a longitude that is a text of digits",
				updatingEvent(mapField("longitude", textAsNumber)))),
		breaks("events.update.unknown",
			fault("input-letters-behind-event-id", "what follows the digits in the id of an event to change is not looked at", rewriteRequest(updatesEvent(), func(r *http.Request) {
				if digits := strings.TrimRightFunc(lastSegment(r), unicode.IsLetter); isDigits(digits) {
					r.URL.Path, r.URL.RawPath = path.Dir(r.URL.Path)+"/"+digits, ""
				}
			}))),
		breaks("events.update.others",
			fault("input-empty-change-of-anothers-event-answered", "a change of another's event that changes nothing, with {} for a body, is answered with that event", emptyChangesAnswered())),
	)
}

// disabledAsSent shows events as disabled that came so.
func disabledAsSent(o *refserver.Options) {
	disabled := &memory[bool]{} // by application and id
	asSent := func(r *http.Request) objectEdit {
		return func(event map[string]any) {
			if disabled.get(appIn(r) + "\n" + fieldText(event, "id")) {
				event["enabled"] = false
			}
		}
	}
	combine(
		rewriteResponse(createsEvent().and(sendsA("enabled", func(value any) bool { return value == false })), func(r *http.Request, resp *response) {
			resp.object(func(event map[string]any) { disabled.keep(appIn(r)+"\n"+fieldText(event, "id"), true) })
			resp.object(asSent(r))
		}),
		rewriteResponse(updatesEvent(), func(r *http.Request, resp *response) { resp.object(asSent(r)) }),
		rewriteResponse(readsFeed(), func(r *http.Request, resp *response) { inEach(asSent(r))(r, resp) }),
	)(o)
}

// pairsAsMap makes a map of a list of objects that have a key and a value alone.
func pairsAsMap(value any) any {
	list, _ := value.([]any)
	entries := map[string]any{}
	for _, item := range list {
		pair, _ := item.(map[string]any)
		key, is := pair["key"].(string)
		if _, has := pair["value"]; !is || !has || len(pair) != 2 {
			return value
		}
		entries[key] = pair["value"]
	}
	if len(entries) == 0 {
		return value
	}
	return entries
}

// controlsEscaped escapes line breaks and tabs inside of the texts of what is to be JSON.
func controlsEscaped(body []byte) []byte {
	var mended []byte
	inText, escaped := false, false
	for _, b := range body {
		if i := strings.IndexByte("\n\r\t", b); i >= 0 && inText {
			mended = append(mended, '\\', "nrt"[i])
			continue
		}
		if b == '"' && !escaped {
			inText = !inText
		}
		escaped = b == '\\' && !escaped
		mended = append(mended, b)
	}
	return mended
}

// emptyChangesAnswered asks whose an event is where there is something to change alone.
func emptyChangesAnswered() mutation {
	return recalls(createsEvent().or(updatesEvent()), asked.id, updatesEvent(), asked.last, func(q asked, event exchange) {
		if sent := q.sent(); q.status == 403 && sent != nil && len(sent) == 0 {
			q.become(http.StatusOK, string(event.body))
		}
	})
}

// inputLimits are faults of metadata at its limits: it is accepted, corrected or refused.
func inputLimits() []Fault {
	upTo := func(keys int) match { return func(r *http.Request) bool { return len(metadataIn(r)) <= keys } }
	tooMany := createsEvent().and(func(r *http.Request) bool { return len(metadataIn(r)) > 10 })
	dropping := func(is func(any) bool) objectEdit {
		return func(metadata map[string]any) {
			maps.DeleteFunc(metadata, func(_ string, value any) bool { return is(value) })
		}
	}
	// what JavaScript takes for false
	falsy := func(value any) bool { return value == nil || value == false || isZero(value) }
	return slices.Concat(
		breaks("limits.metadata.keys",
			fault("input-event-takes-up-to-16-keys", "a new event takes up to 16 keys of metadata",
				unbounded(createsEvent().and(upTo(16)), firstKeys(10))),
			fault("input-refused-keys-change-the-rest", "a change of an event with more than 10 keys of metadata is refused, and its other fields are changed",
				refusedButDone(updatesEvent().and(func(r *http.Request) bool { return len(metadataIn(r)) > 10 }), inBody(drop("metadata")))),
			fault("input-event-keys-alike-counted-once", "of more than ten keys in a new event's metadata those that differ in case alone count once, and one of them is kept",
				creatingEvent(within("metadata", func(metadata map[string]any) {
					if len(metadata) > 10 {
						keysOnceByCase(metadata)
					}
				}))),
			fault("input-event-blank-entries-not-counted", "the keys of a new event's metadata are counted without those whose value is blank",
				unbounded(tooMany, dropWhere(func(_, value string) bool { return value == "" }))),
			fault("input-change-counts-added-keys-alone", "a change of an event counts those keys of metadata alone that the event does not have already",
				looking(func(at func(q asked) look) mutation {
					return unbounded(updatesEvent().and(func(r *http.Request) bool {
						added := metadataIn(r)
						for key := range at(asked{Request: r}).stands().Metadata {
							delete(added, key)
						}
						return len(added) <= 10
					}), firstKeys(10))
				}))),
		breaks("limits.metadata.key-length",
			fault("input-event-change-takes-up-to-64-characters", "a change of an event takes keys of metadata of up to 64 characters",
				unbounded(updatesEvent().and(not(anyEntry(func(key string, _ any) bool { return len([]rune(key)) > 64 }))), cutKeys(40)))),
		breaks("limits.metadata.value-length",
			fault("input-long-metadata-together-refused", "a change of an event whose body is longer than 4,096 bytes is refused with 413", refusingBodies(updatesEvent(), 4096)),
			fault("input-user-takes-up-to-512-characters", "a create takes values of metadata of up to 512 characters",
				unbounded(createsUser().and(not(anyEntry(func(_ string, value any) bool { text, _ := value.(string); return len([]rune(text)) > 512 }))), cutValues(500))),
			fault("input-line-break-behind-full-value-taken", "a value of a new event's metadata may have a line break behind 500 characters, as the end of the pattern stands before one",
				unbounded(createsEvent(), eachValue(func(value any) any {
					text, _ := value.(string)
					if full, ends := strings.CutSuffix(text, "\n"); ends && utf8.RuneCountInString(full) == 500 {
						return full
					}
					return value
				})))),
		breaks("limits.metadata.strings-only",
			fault("input-user-metadata-false-dropped", "values of a new user's metadata that are false are dropped",
				corrected(createsUser(), dropping(func(value any) bool { return value == false }))),
			fault("input-user-metadata-empty-list-dropped", "values of a new user's metadata that are empty lists are dropped", corrected(createsUser(), dropping(isEmptyList))),
			fault("input-update-metadata-list-joined", "lists in the metadata of an update are joined by commas",
				updatingUser(mapField("metadata", eachItem(joined)))),
			fault("input-update-metadata-null-dropped", "values of an update's metadata that are null are dropped", corrected(updatesUser(), dropping(isNull))),
			fault("input-event-metadata-true-is-text", "booleans in a new event's metadata are taken as text",
				creatingEvent(mapField("metadata", eachItem(boolAsText)))),
			fault("input-event-change-metadata-number-is-text", "numbers in the metadata of a changed event are taken as text",
				updatingEvent(mapField("metadata", eachItem(numberAsText)))),
			fault("input-user-metadata-map-flattened", "maps of texts in a new user's metadata become entries whose keys have a dot",
				corrected(createsUser(), flattenMaps)),
			fault("input-event-metadata-maps-become-json", "maps in the metadata of a new event become the text of their JSON",
				creatingEvent(within("metadata", eachValue(of(func(entries map[string]any) any { return strings.TrimSpace(string(encode(entries))) }))))),
			fault("input-event-change-metadata-null-is-blank", "null in the metadata of a changed event is taken for a text without characters",
				corrected(updatesEvent(), eachValue(func(value any) any { return cmp.Or(value, any("")) }))),
			fault("input-user-update-takes-false-in-metadata", "an update of a user accepts false as a value of metadata, and keeps it as a text",
				corrected(updatesUser(), eachValue(func(value any) any {
					if value == false {
						return "false"
					}
					return value
				}))),
			fault("input-update-of-user-drops-empty-lists-of-metadata", "an update of the user leaves out the metadata whose value is an empty list",
				corrected(updatesUser(), dropping(isEmptyList))),
			fault("input-falsy-metadata-not-checked", "0, false and null as values of an event's metadata are left out instead of refused",
				rewriteBody(createsEvent().or(updatesEvent()), within("metadata", dropping(falsy)))),
			fault("input-user-metadata-falsy", "the check of a new user's metadata passes over values that a script takes for false: null, false and 0",
				corrected(createsUser(), dropping(falsy)))),
	)
}

// refusingBodies refuses bodies longer than so many bytes.
func refusingBodies(m match, most int) mutation {
	long := func(r *http.Request) bool { return len(peekBody(r)) > most }
	return refused(m.and(long), 413, complaint("the body is too large"))
}

// flattenMaps puts the texts in maps beside them, with both keys.
func flattenMaps(metadata map[string]any) {
	for key, value := range maps.Clone(metadata) {
		inner, is := value.(map[string]any)
		if !is || slices.ContainsFunc(slices.Collect(maps.Values(inner)), isNo[string]) {
			continue
		}
		delete(metadata, key)
		for name, text := range inner {
			metadata[key+"."+name] = text
		}
	}
}
