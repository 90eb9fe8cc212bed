package faults

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/socialfeed/conform/refserver"
)

// inputLimits are the faults of metadata that is taken, mended or refused at its bounds.
func inputLimits() []Fault {
	upTo := func(keys int) match { return func(r *http.Request) bool { return len(metadataIn(r)) <= keys } }
	tooMany := createsEvent().and(func(r *http.Request) bool { return len(metadataIn(r)) > 10 })
	dropping := func(is func(any) bool) objectEdit {
		return func(metadata map[string]any) {
			for key, value := range metadata {
				if is(value) {
					delete(metadata, key)
				}
			}
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
			fault("input-change-counts-added-keys-alone", "a change of an event counts those keys of metadata alone that the event does not have already", standingKeysNotCounted)),
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
				mended(createsUser(), dropping(func(value any) bool { return value == false }))),
			fault("input-user-metadata-empty-list-dropped", "values of a new user's metadata that are empty lists are dropped", mended(createsUser(), dropping(isEmptyList))),
			fault("input-update-metadata-list-joined", "lists in the metadata of an update are joined by commas",
				updatingUser(mapField("metadata", eachItem(joined)))),
			fault("input-update-metadata-null-dropped", "values of an update's metadata that are null are dropped", mended(updatesUser(), dropping(isNull))),
			fault("input-event-metadata-true-is-text", "booleans in a new event's metadata are taken as text",
				creatingEvent(mapField("metadata", eachItem(boolAsText)))),
			fault("input-event-change-metadata-number-is-text", "numbers in the metadata of a changed event are taken as text",
				updatingEvent(mapField("metadata", eachItem(numberAsText)))),
			fault("input-user-metadata-map-flattened", "maps of texts in a new user's metadata become entries whose keys have a dot",
				mended(createsUser(), flattenMaps)),
			fault("input-event-metadata-maps-become-json", "maps in the metadata of a new event become the text of their JSON",
				creatingEvent(within("metadata", eachValue(func(value any) any {
					if isNo[map[string]any](value) {
						return value
					}
					return strings.TrimSpace(string(encode(value)))
				})))),
			fault("input-event-change-metadata-null-is-blank", "null in the metadata of a changed event is taken for a text without characters",
				mended(updatesEvent(), eachValue(func(value any) any {
					if value == nil {
						return ""
					}
					return value
				}))),
			fault("input-user-update-drops-null-metadata", "a null in the metadata of an update of the user is left out instead of refused",
				mended(updatesUser(), func(metadata map[string]any) {
					for key := range metadata {
						ignoring(key, isNull)(metadata)
					}
				})),
			fault("input-user-update-takes-false-in-metadata", "an update of a user accepts false as a value of metadata, and keeps it as a text",
				mended(updatesUser(), eachValue(func(value any) any {
					if value == false {
						return "false"
					}
					return value
				}))),
			fault("input-update-of-user-drops-empty-lists-of-metadata", "an update of the user leaves out the metadata whose value is an empty list",
				mended(updatesUser(), dropping(isEmptyList))),
			fault("input-falsy-metadata-not-checked", "0, false and null as values of an event's metadata are left out instead of refused",
				rewriteBody(createsEvent().or(updatesEvent()), within("metadata", dropping(falsy)))),
			fault("input-user-metadata-falsy", "the check of a new user's metadata passes over values that a script takes for false: null, false and 0",
				mended(createsUser(), dropping(falsy)))),
	)
}

// standingKeysNotCounted counts what a change would add.
func standingKeysNotCounted(o *refserver.Options) {
	const most = 10
	standing := &memory[map[string]any]{} // metadata by application and event
	key := func(r *http.Request, id string) string { return appIn(r) + "\n" + id }
	fewAdded := func(r *http.Request) bool {
		before, added := standing.get(key(r, lastSegment(r))), 0
		for name := range metadataIn(r) {
			if _, stands := before[name]; !stands {
				added++
			}
		}
		return added <= most
	}
	combine(
		rewriteResponse(createsEvent().or(updatesEvent()), func(r *http.Request, resp *response) {
			event := objectOf(resp.body)
			if metadata, has := event["metadata"].(map[string]any); has && resp.ok() {
				standing.keep(key(r, fieldText(event, "id")), metadata)
			}
		}),
		unbounded(updatesEvent().and(fewAdded), firstKeys(most)),
	)(o)
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
