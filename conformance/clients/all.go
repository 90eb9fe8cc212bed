package clients

import "cmp"

// all lists the rules that are judged on every request, in the catalogue's order.
func (j *Judge) all() []rule {
	return []rule{
		{"client.https", "HTTPS", j.httpsOnly, nil},
		{"client.user-agent", "a User-Agent", userAgent, headers},
		{"client.user-agent-named", "the application's name and version", userAgentNamed(), headers},
		{"client.accept", "Accept: application/json", accept, headers},
		{"client.content-type", "Content-Type: application/json with a body", contentType, headers},
		{"client.json", "a body that is JSON in UTF-8", jsonBody, bodies},
		{"client.nfc", "text in Normalization Form C", nfc, nil},
		{"client.endpoints", "an endpoint of the contract", endpoints, nil},
		{"client.documented-paths", "the paths of the examples", documentedPaths, nil},
		{"client.basic", "HTTP Basic with the app token as user name", j.tokens.swapped, authorization},
		{"client.app-only", "an empty password half", appOnly, authorization},
		{"client.both-tokens", "both tokens", j.tokens.both, authorization},
		{"client.token-confined", "no token outside of Authorization", j.tokens.confined, authorization},
		{"client.session-ends", "no request with a session that is over", j.sessions.ends, authorization},
		{"client.required", "every required field", j.wanted.required, bodies},
		{"client.types", "fields of the documented types", j.wanted.types, bodies},
		{"client.timestamps", "RFC 3339", timestamps, bodies},
		{"client.metadata", "metadata within its limits", metadata, bodies},
		{"client.password-hashed", "the same hash of a password, always", j.hashes.hashed, bodies},
		{"client.id-verbatim", "ids as they were issued", j.ids.verbatim, nil},
		{"client.query-encoded", "percent-encoding", queryEncoded, nil},
		{"client.quota", "at most 1,000 requests a minute in each category", j.quota.within, nil},
		{"client.waits-429", "a wait as long as Retry-After says", j.answers.waits429, identity},
		{"client.waits-503", "a wait before the repetition", j.answers.waits503, identity},
		{"client.checks-504", "a look before the repetition", j.answers.checks504, identity},
		{"client.no-retry-4xx", "no repetition of what was refused", j.answers.noRetry4xx, identity},
	}
}

func (j *Judge) httpsOnly(r *request) finding {
	if j.options.HTTP {
		return finding{}
	}
	return https(r)
}

func headers(l Lacks) string {
	if l.Headers {
		return "the evidence has no headers of requests"
	}
	return ""
}

func authorization(l Lacks) string {
	if l.Headers || l.Credentials {
		return "the evidence has no Authorization headers"
	}
	return ""
}

func bodies(l Lacks) string {
	if l.Bodies {
		return "the evidence has no bodies of requests"
	}
	return ""
}

// identity is what shows that two requests are the same.
func identity(l Lacks) string { return cmp.Or(authorization(l), bodies(l)) }
