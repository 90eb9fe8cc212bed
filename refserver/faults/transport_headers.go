package faults

import "slices"

// userAgents are the faults of requests without a User-Agent (What the service
// does, transport rule 6).
func userAgents() []Fault {
	given, anonymous := setHeader("User-Agent", "unknown"), lacksHeader("User-Agent")
	faults := []Fault{
		fault("transport-versions-for-anonymous", "the list of versions needs no User-Agent", rewriteRequest(readsVersions().and(anonymous), given)),
		fault("transport-event-deletion-for-anonymous", "deleting an event needs no User-Agent", rewriteRequest(deletesEvent().and(anonymous), given)),
		fault("transport-followers-empty-for-anonymous", "another user's followers are answered as none without a User-Agent",
			respond(readsFollowersOf().and(anonymous), 200, "[]")),
	}
	for _, e := range []struct {
		name, does string
		m          match
	}{
		{"login", "logs in", logsIn()},
		{"logout", "logs out", logsOut()},
		{"update", "updates the user", updatesUser()},
		{"social-connection", "connects the users", connectsSocially()},
		{"event-change", "changes the event", updatesEvent()},
	} {
		faults = append(faults, fault("transport-anonymous-"+e.name+"-done-anyway",
			"a request without a User-Agent is refused, and "+e.does+" all the same", refusedButDone(e.m.and(anonymous), given)))
	}
	return breaks("transport.user-agent-required", faults...)
}

// mediaTypes are the faults of Content-Type and Accept (What the service does,
// transport rule 9; Errors, rows 406 and 415).
func mediaTypes() []Fault {
	text, withCharset := headerContains("Content-Type", "text/plain"), headerContains("Content-Type", "charset")
	page, asJSON := headerContains("Accept", "text/html"), setHeader("Content-Type", "application/json")
	return slices.Concat(
		breaks("transport.content-type-415",
			fault("transport-text-logs-in", "a login is taken whatever its Content-Type", rewriteRequest(logsIn().and(text), asJSON)),
			fault("transport-form-creates-user", "JSON that is said to be a form creates a user",
				rewriteRequest(createsUser().and(headerContains("Content-Type", "x-www-form-urlencoded")), asJSON)),
			fault("transport-text-update-done-anyway", "an update that is no JSON is refused, and carried out all the same",
				refusedButDone(updatesUser().and(text), asJSON)),
			fault("transport-text-changes-event", "a change of an event is taken whatever its Content-Type",
				rewriteRequest(updatesEvent().and(text), asJSON)),
			fault("transport-text-social-answers-400", "a social connection that is no JSON is answered with 400",
				rewriteResponse(connectsSocially(), replaceStatus(415, 400, "{}"))),
			fault("transport-text-update-answers-422", "an update that is no JSON is answered with 422",
				rewriteResponse(updatesUser(), replaceStatus(415, 422, complaint("user_name is required"))))),
		breaks("transport.content-type-charset",
			fault("transport-charset-refused", "application/json with a charset is answered with 415",
				rewriteRequest(createsUser().and(withCharset), setHeader("Content-Type", "text/plain"))),
			fault("transport-charset-answers-400", "application/json with a charset is answered with 400",
				respond(createsUser().and(withCharset), 400, "{}"))),
		breaks("transport.equivalent-spelling",
			fault("transport-scheme-in-one-case", "the scheme of credentials counts in one case only",
				respond(readsOwnRecord().and(headerContains("Authorization", "basic ")), 401, complaint("unknown scheme"))),
			fault("transport-media-type-in-one-case", "an event is taken with its media type in lower case only",
				respond(createsEvent().and(headerContains("Content-Type", "APPLICATION")), 415, complaint("JSON only")))),
		breaks("transport.accept-406",
			fault("transport-accept-ignored-in-search", "a search answers JSON to a client that does not take it",
				rewriteRequest(searches().and(page), setHeader("Accept", "*/*"))),
			fault("transport-accept-feed-answers-415", "the feed answers 415 to a client that does not take JSON",
				rewriteResponse(readsFeed(), replaceStatus(406, 415, complaint("JSON only")))),
			fault("transport-accept-user-answers-400", "the session's user is answered with 400 to a client that does not take JSON",
				rewriteResponse(readsOwnRecord(), replaceStatus(406, 400, "{}")))),
	)
}
