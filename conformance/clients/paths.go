package clients

import (
	"net/http"
	"regexp"
	"strings"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/rules"
)

// apiPath is a path that a client of the service may have meant: below a version,
// or one of the contract's without it.
var apiPath = regexp.MustCompile(`^/(v?\d+(\.\d+)*/|versions(/|$)|users?(/|$))`)

// endpointOf finds the endpoint, also by the reference definition's other spelling.
func endpointOf(method, path string) (e rules.Endpoint, alias bool) {
	if e := rules.EndpointOf(method, path); e != rules.NoEndpoint {
		return e, false
	}
	if follows, ok := strings.CutSuffix(path, "/followed"); ok && method == http.MethodGet {
		if e := rules.EndpointOf(method, follows+"/follows"); e == rules.FollowsOf {
			return e, true
		}
	}
	if method == http.MethodPost && path == "/0.2/users/events" {
		return rules.CreateEvent, true
	}
	return rules.NoEndpoint, false
}

func endpoints(r *request) finding {
	if r.endpoint != rules.NoEndpoint {
		return kept
	}
	return violation("%s %s is none of the contract's endpoints", r.Method, jsonvalue.Cut(r.path, 120))
}

func documentedPaths(r *request) finding {
	switch {
	case r.endpoint != rules.FollowsOf && r.endpoint != rules.CreateEvent:
		return finding{}
	case r.alias:
		return violation("%s %s, where the examples have %s", r.Method, jsonvalue.Cut(r.path, 120), r.endpoint)
	}
	return kept
}

// queryEncoded judges the request target as it was sent: parsing a URL and writing it again
// would hide mistakes.
func queryEncoded(r *request) finding {
	if !strings.ContainsAny(r.Target, "?%") && strings.IndexFunc(r.Target, unwise) < 0 && !withParameter(r.endpoint) {
		return finding{}
	}
	if i := strings.IndexFunc(r.Target, unwise); i >= 0 {
		odd := []rune(r.Target[i:])[0]
		return violation("the character %q stands unencoded in the path or the query", odd)
	}
	if r.endpoint != rules.SearchUsers || !r.query.Has("q") {
		return kept
	}
	for parameter := range strings.SplitSeq(r.rawQuery, "&") {
		if name, _, value := strings.Cut(parameter, "="); name != "" && !value && name != "q" {
			return violation("the search term falls apart: behind an & stands %q without a value", jsonvalue.Cut(name, 60))
		}
	}
	return kept
}

func withParameter(e rules.Endpoint) bool { return strings.Contains(e.Path(), "{") }

// unwise is a character that no URL may hold.
func unwise(c rune) bool {
	return c <= ' ' || c >= 0x7f || strings.ContainsRune("\"<>\\^`{|}", c)
}
