package faults

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
)

// sixthInput are the faults of what is tidied, defaulted or taken over before it is checked.
func sixthInput() []Fault {
	unreadable := func(r *http.Request) bool {
		_, err := url.ParseQuery(r.URL.RawQuery)
		return err != nil
	}
	beginsAsJSON := func(r *http.Request) bool { return strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") }
	return slices.Concat(
		breaks("errors.no-5xx",
			fault("input-query-with-broken-escape-fails", "a search for a term with a % that begins no escape fails with 500",
				respond(searches().and(unreadable), 500, complaint("internal server error")))),
		breaks("limits.metadata.strings-only",
			fault("input-event-change-metadata-null-is-blank", "null in the metadata of a changed event is taken for a text without characters",
				mended(updatesEvent(), eachValue(func(value any) any {
					if value == nil {
						return ""
					}
					return value
				})))),
		breaks("connections.create.type-invalid",
			fault("input-type-between-blanks-taken", "the type of a connection may have blanks around it",
				rewriteBody(connects(), mapText("type", strings.TrimSpace)))),
		breaks("transport.content-type-415",
			fault("input-user-of-type-that-begins-as-json-taken", "a new user is taken where its Content-Type begins with application/json, such as application/json-patch+json",
				rewriteRequest(createsUser().and(beginsAsJSON), setHeader("Content-Type", "application/json")))),
		breaks("events.create.enabled",
			fault("input-event-sent-as-disabled-is-disabled", "a new event that is sent with false for enabled is disabled", disabledAsSent)),
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
