package faults

import "slices"

// sixthEndpoints are the faults of one endpoint of several that answers without looking
// at who asks, and of a list that is served like a file.
func sixthEndpoints() []Fault {
	return slices.Concat(
		breaks("auth.missing",
			fault("endpoint-nobody-logs-out", "a logout without Authorization is answered with 204, as there is nothing to do",
				respond(logsOut().and(lacksHeader("Authorization")), 204, ""))),
		breaks("auth.session-unknown",
			fault("endpoint-unknown-session-sees-no-friends-of-user", "another user's friends are answered as none in an unknown session",
				inUnknownSession(readsFriendsOf(), 200, "[]"))),
		breaks("auth.app-token-unknown",
			fault("endpoint-unknown-app-ends-connection-not-found", "the end of a connection under an unknown app token is answered with 404",
				inUnknownApp(disconnects(), func(m match) mutation {
					return rewriteResponse(m, replaceStatus(401, 404, complaint("connection not found")))
				}))),
		breaks("transport.json-body",
			fault("endpoint-versions-labelled-as-bytes", "the list of versions is served like a file of an unknown type",
				rewriteResponse(readsVersions(), onStatus(200, header("Content-Type", "application/octet-stream"))))),
	)
}
