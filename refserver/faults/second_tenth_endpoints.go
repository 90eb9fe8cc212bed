package faults

import (
	"net/http"
	"slices"
)

// tenthEndpoints are the faults of endpoints that were written or mounted apart from the others.
func tenthEndpoints() []Fault {
	return slices.Concat(
		breaks("transport.user-agent-required",
			fault("endpoint-versions-without-user-agent", "the versions are also shown without a User-Agent, as they are served outside the versioned paths",
				rewriteRequest(readsVersions().and(lacksHeader("User-Agent")), setHeader("User-Agent", "any")))),
		breaks("connections.lists.empty",
			fault("endpoint-no-friends-of-another-as-object", "where another user has no friends, the list of them is {}",
				whereEmpty(readsFriendsOf(), http.StatusOK, "{}"))),
		breaks("transport.content-type-415",
			fault("endpoint-social-takes-plain-text", "connecting by social identifiers takes JSON that is sent as text/plain",
				rewriteRequest(connectsSocially().and(headerContains("Content-Type", "text/plain")), setHeader("Content-Type", "application/json")))),
		breaks("users.types",
			fault("endpoint-others-record-has-activated-as-text", "in the record of a user by its id activated is a text",
				rewriteObject(readsUser(), mapField("activated", boolAsText)))),
	)
}
