package faults

import (
	"net/http"

	"github.com/socialfeed/conform/refserver"
)

// sequenceLimits are the faults of metadata that is counted together with what came before.
func sequenceLimits() []Fault {
	return breaks("limits.metadata.keys",
		fault("sequence-event-change-counts-standing-metadata", "a change of an event is refused where the keys of its metadata and those that stand are more than ten together, though they are the same",
			countingStandingKeys))
}

// countingStandingKeys adds the keys that stand in an event's metadata to those sent.
func countingStandingKeys(o *refserver.Options) {
	const most = 10
	standing := &memory[int]{} // by event
	combine(
		rewriteObject(createsEvent().or(updatesEvent()), func(event map[string]any) {
			metadata, _ := event["metadata"].(map[string]any)
			standing.keep(fieldText(event, "id"), len(metadata))
		}),
		refused(updatesEvent().and(func(r *http.Request) bool {
			sent := len(metadataIn(r))
			return sent > 0 && sent <= most && standing.get(lastSegment(r))+sent > most
		}), 422, complaint("metadata holds too many keys")),
	)(o)
}
