package faults

import (
	"slices"
	"unicode/utf8"
)

// endpointEventsLimits are the faults of events that one endpoint shows with other types,
// and of limits of metadata that one endpoint lacks.
func endpointEventsLimits() []Fault {
	return slices.Concat(
		breaks("events.types",
			fault("endpoint-changed-event-latitude-as-text", "the answer to a change of an event that sends no latitude has the one that stands as a text",
				rewriteObject(updatesEvent().and(not(sends("latitude"))), textOf("latitude"))),
			fault("endpoint-changed-event-enabled-as-number", "the answer to a change of an event has enabled as a number",
				rewriteObject(updatesEvent(), mapField("enabled", boolAsNumber))),
			fault("endpoint-feed-coordinates-as-text", "in a feed coordinates are texts, as a database gives its decimals",
				combine(rewriteEach(readsFeed(), textOf("latitude")), rewriteEach(readsFeed(), textOf("longitude")))).
				also("feed.event-shape", "a text is no number")),
		breaks("limits.metadata.keys",
			fault("endpoint-user-takes-11-keys", "a create does not count the keys of metadata", unbounded(createsUser(), firstKeys(10))),
			fault("endpoint-event-change-takes-11-keys", "a change of an event does not count the keys of metadata", unbounded(updatesEvent(), firstKeys(10))),
			fault("endpoint-create-with-login-takes-11-keys", "a create does not count the keys of metadata where it also logs in",
				unbounded(createWithLogin(), firstKeys(10)))),
		breaks("limits.metadata.key-length",
			fault("endpoint-update-takes-long-key", "an update of the user takes keys of metadata of any length", unbounded(updatesUser(), cutKeys(40)))),
		breaks("limits.metadata.value-length",
			fault("endpoint-user-takes-long-value", "a create takes values of metadata of any length", unbounded(createsUser(), cutValues(500))),
			fault("endpoint-update-takes-long-value", "an update of the user takes values of metadata of any length", unbounded(updatesUser(), cutValues(500))),
			fault("endpoint-event-change-takes-long-value", "a change of an event takes values of metadata of any length",
				unbounded(updatesEvent(), cutValues(500))),
			fault("endpoint-user-update-takes-long-metadata-values", "an update of a user takes values of metadata with more than 500 characters",
				unbounded(updatesUser(), cutValues(500)))),
		breaks("limits.metadata.characters",
			fault("endpoint-change-of-event-counts-values-in-bytes", "the values of a changed event's metadata are counted in bytes",
				refusing(updatesEvent(), func(_ string, value any) bool {
					const mostValue = 500
					text, _ := value.(string)
					return len(text) > mostValue && utf8.RuneCountInString(text) <= mostValue
				}))),
	)
}
