package faults

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// dataEventsUpdate are the faults of changes of an event to certain values, most of them
// taken for no change or for no value.
func dataEventsUpdate() []Fault {
	emptyMap := func(value any) bool { entries, is := value.(map[string]any); return is && len(entries) == 0 }
	isWhole := func(value any) bool {
		number, is := value.(json.Number)
		return is && !strings.ContainsAny(number.String(), ".eE")
	}
	isNegative := func(value any) bool {
		number, is := value.(json.Number)
		return is && strings.HasPrefix(number.String(), "-")
	}
	isModel := func(value any) bool {
		name, _ := value.(string)
		return slices.Contains([]string{"user", "session", "connection", "event"}, folded(name))
	}
	return slices.Concat(
		breaks("events.update.applies",
			fault("data-update-to-zero-ignored", "an update to a latitude of 0 leaves it as it was", updatingEvent(ignoring("latitude", isZero))),
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
				updatingEvent(ignoring("priority", func(value any) bool { text, _ := value.(string); return isDigits(text) }))),
			fault("data-change-of-one-coordinate-ignored", "a change of an event that sends one coordinate without the other leaves both as they were",
				updatingEvent(func(event map[string]any) {
					if (event["latitude"] == nil) != (event["longitude"] == nil) {
						ignoring("latitude", isA[json.Number])(event)
						ignoring("longitude", isA[json.Number])(event)
					}
				})),
			fault("data-change-of-object-with-same-id-ignored", "a change of an event takes an object with the id of the one that stands for the same, and leaves that as it is",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
						return inner.UpdateEvent(app, owner, id, func(event *store.Event) {
							standing := event.Object
							if change(event); standing != nil && event.Object != nil && standing.ID == event.Object.ID {
								event.Object = standing
							}
						})
					}
				})),
			fault("data-change-by-a-few-metres-ignored", "a change of a coordinate by less than 0.0001 degrees leaves it as it was",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
						return inner.UpdateEvent(app, owner, id, func(event *store.Event) {
							latitude, longitude := event.Latitude, event.Longitude
							change(event)
							event.Latitude, event.Longitude = orNear(latitude, event.Latitude), orNear(longitude, event.Longitude)
						})
					}
				})),
			fault("data-change-to-empty-metadata-ignored", "a change of an event to metadata without entries leaves them as they were",
				updatingEvent(ignoring("metadata", emptyMap))),
			fault("data-change-of-metadata-values-alone-ignored", "a change of an event that sends metadata with the same keys as before leaves the metadata as it was",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
						return inner.UpdateEvent(app, owner, id, func(event *store.Event) {
							before := event.Metadata
							if change(event); sameKeys(before, event.Metadata) {
								event.Metadata = before
							}
						})
					}
				})),
			fault("data-change-of-region-alone-ignored", "a change of an event to another region of the language that stands leaves it as it was",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
						return inner.UpdateEvent(app, owner, id, func(event *store.Event) {
							before := event.Language
							if change(event); before != "" && language(event.Language) == language(before) {
								event.Language = before
							}
						})
					}
				})),
			fault("data-change-to-whole-degrees-ignored", "a change of an event passes over a coordinate that is written without a point",
				updatingEvent(func(event map[string]any) {
					ignoring("latitude", isWhole)(event)
					ignoring("longitude", isWhole)(event)
				})),
			fault("data-change-to-south-or-west-ignored", "a change of an event passes over a coordinate below zero, as one that is not above it stands for none",
				combine(updatingEvent(ignoring("latitude", isNegative)), updatingEvent(ignoring("longitude", isNegative)))),
			fault("data-update-to-zero-degrees-ignored", "a change of an event to a latitude or longitude of zero is passed over, as zero counts as not sent",
				combine(updatingEvent(ignoring("latitude", isZero)), updatingEvent(ignoring("longitude", isZero)))),
			fault("data-event-change-drops-object-type-of-a-model", "a change of an event drops a type of its object that is called like a resource of the service, such as user",
				updatingEvent(within("object", ignoring("type", isModel)))),
			fault("data-location-changed-in-case-alone-stays", "a change of an event's location in nothing but case is taken for none",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
						return inner.UpdateEvent(app, owner, id, func(event *store.Event) {
							location := event.Location
							if change(event); strings.EqualFold(event.Location, location) {
								event.Location = location
							}
						})
					}
				})),
			fault("data-update-event-metadata-dots-in-keys", "an update of an event replaces the dots in keys of its metadata by underscores",
				updatingEvent(eachKey("metadata", replacing(".", "_")))),
			fault("data-change-keeps-name-in-own-language", "a change with a language keeps of the object's display names the one in that language, if there is one",
				updatingEvent(func(event map[string]any) {
					within("object", within("display_name", func(names map[string]any) {
						own := fieldText(event, "language")
						if name, there := names[own]; there {
							clear(names)
							names[own] = name
						}
					}))(event)
				})),
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
