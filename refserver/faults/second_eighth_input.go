package faults

import (
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
)

// eighthInput are the faults of checks that hang on what else was sent or stands already,
// and of items that nobody looked at.
func eighthInput() []Fault {
	hasNull := func(value any) bool {
		list, _ := value.([]any)
		return slices.ContainsFunc(list, isNull)
	}
	metadataAlone := match(func(r *http.Request) bool { return len(requestObject(r)) == 1 }).and(sends("metadata"))
	return slices.Concat(
		breaks("limits.metadata.keys",
			fault("input-change-counts-added-keys-alone", "a change of an event counts those keys of metadata alone that the event does not have already", standingKeysNotCounted)),
		breaks("users.create.wrong-type",
			fault("input-create-with-login-takes-number-as-last-name", "a create that also logs in takes a number for a last name", rewriteBody(createWithLogin(), textOf("last_name")))),
		breaks("users.me.update.user-name-required",
			fault("input-update-of-metadata-alone-needs-no-name", "an update that sends metadata and nothing else needs no user name",
				intercept(updatesUser().and(metadataAlone), func(next http.Handler, r *http.Request) *response {
					if name := ownName(next, r); name != "" {
						inBody(set("user_name", name))(r)
					}
					return record(next, r)
				}))),
		breaks("errors.no-5xx",
			fault("input-social-null-among-ids-fails", "connecting by a list of social identifiers with a null in it fails with 500",
				respond(connectsSocially().and(sendsA("connection_ids", hasNull)), 500, complaint("internal server error")))),
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
