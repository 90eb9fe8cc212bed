package faults

import (
	"net/http"
	"slices"
)

// repetitionTransportVersions are the faults of one answer in several of a feed, of a
// preflight, and of the versions.
func repetitionTransportVersions() []Fault {
	return slices.Concat(
		breaks("transport.json-body",
			fault("repetition-tenth-feed-unlabelled", "every tenth answer of a feed has no Content-Type", rewriteNth(10, readsFeed(), header("Content-Type", "")))),
		breaks("transport.cors-preflight",
			fault("repetition-second-preflight-names-no-headers", "every second preflight of a path allows no headers",
				rewriteNth(2, by(http.MethodOptions), header("Access-Control-Allow-Headers", "")))),
		breaks("versions.current",
			fault("repetition-third-versions-outdated", "every third list of versions has 0.2 as disabled", rewriteNth(3, readsVersions(), ofVersion("0.2", set("status", "disabled")))),
			fault("repetition-fourth-versions-of-an-old-node", "every fourth reading of the versions comes from a node where 0.2 is beta",
				everyNth(4, readsVersions(), func(fourth match) mutation {
					return rewriteResponse(fourth, ofVersion("0.2", set("status", "beta")))
				}))),
	)
}
