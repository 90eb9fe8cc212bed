package faults

import (
	"bytes"
	"encoding/json"
	"net/http"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/socialfeed/conform/refserver"
)

// inputEvents are the faults of bad events, and bad changes of events, that are taken,
// mended or passed over; and of some that are refused and leave something behind.
func inputEvents() []Fault {
	empty := func(value any) bool {
		object, is := value.(map[string]any)
		return is && len(object) == 0
	}
	const comments = `(?s)/\*.*?\*/|//[^\n]*`
	const plusSign = `(:\s*)\+(\d)`
	isNumber := isA[json.Number]
	emptyListAsMap := func(value any) any {
		if list, is := value.([]any); is && len(list) == 0 {
			return map[string]any{}
		}
		return value
	}
	byID := func(value any) any {
		if id, is := value.(string); is && id != "" {
			return map[string]any{"id": id}
		}
		return value
	}
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
			fault("input-event-null-object-id-taken", "the id of a new event's object may be null", creatingEvent(within("object", func(object map[string]any) {
				if id, there := object["id"]; there && id == nil {
					object["id"] = "null"
				}
			}))),
			fault("input-event-empty-object-ignored", "an object without fields is passed over in a new event",
				creatingEvent(ignoring("object", func(value any) bool { object, ok := value.(map[string]any); return ok && len(object) == 0 }))),
			fault("input-object-without-id-takes-its-url", "the object of a new event without an id has its url for one",
				creatingEvent(within("object", func(object map[string]any) {
					if _, there := object["id"]; !there && fieldText(object, "url") != "" {
						object["id"] = object["url"]
					}
				}))),
			fault("input-empty-object-taken-for-none", "a new event with an empty object is accepted, and has none", creatingEvent(ignoring("object", empty)))),
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
			fault("input-event-object-as-json-text-taken", "the text of a JSON object is taken for the object of a new event",
				creatingEvent(mapField("object", func(value any) any {
					text, _ := value.(string)
					if object := objectOf([]byte(text)); object != nil {
						return object
					}
					return value
				}))),
			fault("input-event-metadata-pairs-taken", "a list of objects with a key and a value each is taken for the metadata of a new event",
				creatingEvent(mapField("metadata", pairsAsMap))),
			fault("input-verb-single-element-array", "a new event takes a list of one text for the verb in it",
				creatingEvent(mapField("verb", func(value any) any {
					if list, ok := value.([]any); ok && len(list) == 1 {
						return list[0]
					}
					return value
				})))),
		breaks("events.create.malformed-json",
			fault("input-event-single-quotes-taken", "single quotes do for double ones in a new event", mendJSON(createsEvent(), singleQuoted, `"$1"`)),
			fault("input-event-nan-taken", "NaN is taken for a coordinate, and passed over", mendJSON(createsEvent(), notANumber, "null")),
			fault("input-event-raw-newline-taken", "texts of a new event may hold line breaks and tabs as they are",
				rewriteRequest(createsEvent(), func(r *http.Request) {
					if body := peekBody(r); !json.Valid(body) {
						if mended := controlsEscaped(body); json.Valid(mended) {
							setBody(r, mended)
						}
					}
				})),
			fault("input-event-number-with-plus-taken", "a + may stand before a number of a new event", mendJSON(createsEvent(), plusSign, "$1$2")),
			fault("input-event-escaped-apostrophe-taken", "an apostrophe may have a backslash before it in the texts of a new event", mendJSON(createsEvent(), `\\'`, `'`)),
			fault("input-event-numbers-without-leading-zero-taken", "a number of a new event may begin with its point",
				mendJSON(createsEvent(), `([:,\[]\s*-?)\.(\d)`, "${1}0.$2")),
			fault("input-event-with-something-behind-it", "an event is created from the first value in a body, whatever follows it",
				rewriteRequest(createsEvent(), func(r *http.Request) {
					var first json.RawMessage
					if json.NewDecoder(bytes.NewReader(peekBody(r))).Decode(&first) == nil {
						setBody(r, first)
					}
				})),
			fault("input-event-numbers-with-leading-zeros", "an event whose numbers begin with zeros, which no JSON has, is accepted",
				mendJSON(createsEvent(), leadingZeros, "$1$2")),
			fault("input-comments-in-new-event", "comments in the JSON of a new event are passed over", mendJSON(createsEvent(), comments, ""))),
		breaks("events.update.wrong-type",
			fault("input-update-object-text-ignored", "an update passes over an object that is a text", updatingEvent(ignoring("object", isA[string]))),
			fault("input-update-metadata-number-ignored", "an update passes over metadata that are a number", updatingEvent(ignoring("metadata", isA[json.Number]))),
			fault("input-update-latitude-false-is-zero", "an update takes a boolean for a latitude", updatingEvent(mapField("latitude", boolAsNumber))),
			fault("input-update-display-name-list-ignored", "an update passes over display names that are a list",
				updatingEvent(within("object", ignoring("display_name", isA[[]any])))),
			fault("input-refused-longitude-moves-latitude", "an update of an event whose longitude is no number is refused, and its latitude counts all the same",
				intercept(updatesEvent(), func(next http.Handler, r *http.Request) *response {
					resp := record(next, r)
					sent := requestObject(r)
					if refusesInput(resp) && isNumber(sent["latitude"]) && sent["longitude"] != nil && !isNumber(sent["longitude"]) {
						call(next, r, http.MethodPut, r.URL.Path, map[string]any{"latitude": sent["latitude"]})
					}
					return resp
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
				updatingEvent(mapField("metadata", emptyListAsMap))),
			fault("input-event-change-takes-number-as-display-name", "a change of an event takes a number as a display name of its object",
				updatingEvent(within("object", within("display_name", eachValue(numberAsText))))),
			fault("input-object-as-text-changes-event", "a change of an event whose object is a text makes it the object's id", updatingEvent(mapField("object", byID))),
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
			fault("input-empty-change-of-anothers-event-answered", "a change of another's event that changes nothing, with {} for a body, is answered with that event", emptyChangesAnswered)),
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
func emptyChangesAnswered(o *refserver.Options) {
	latest := &memory[[]byte]{} // by event
	combine(
		rewriteResponse(createsEvent().or(updatesEvent()), func(_ *http.Request, resp *response) {
			if event := objectOf(resp.body); resp.ok() && event != nil {
				latest.keep(fieldText(event, "id"), resp.body)
			}
		}),
		rewriteResponse(updatesEvent(), onStatus(403, func(r *http.Request, resp *response) {
			event, known := latest.lookup(lastSegment(r))
			if sent := requestObject(r); known && sent != nil && len(sent) == 0 {
				resp.become(http.StatusOK, string(event))
			}
		})),
	)(o)
}
