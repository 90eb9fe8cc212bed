package faults

import "slices"

// twelfthEndpoints are the faults of endpoints that are served beside the others, or
// have checks of their own.
func twelfthEndpoints() []Fault {
	const mostValue = 500
	return slices.Concat(
		breaks("transport.user-agent-required",
			fault("endpoint-social-needs-no-user-agent", "connecting by social identifiers works without a User-Agent header",
				rewriteRequest(connectsSocially().and(lacksHeader("User-Agent")), setHeader("User-Agent", "unknown")))),
		breaks("transport.cors-response",
			fault("endpoint-versions-allow-no-origin", "the list of versions, served by the gateway, has no Access-Control-Allow-Origin",
				rewriteResponse(readsVersions(), header("Access-Control-Allow-Origin", "")))),
		breaks("limits.metadata.value-length",
			fault("endpoint-user-update-takes-long-metadata-values", "an update of a user takes values of metadata with more than 500 characters",
				unbounded(updatesUser(), cutValues(mostValue)))),
	)
}
