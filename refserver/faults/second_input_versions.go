package faults

import (
	"net/http"
	"strconv"
	"strings"
)

// inputVersions is the fault of a version that is compared as a number.
func inputVersions() []Fault {
	return breaks("versions.unknown",
		fault("input-version-compared-as-number", "the version in a path is read as a number: 0.20 and 00.2 are served like 0.2",
			rewriteRequest(func(r *http.Request) bool { return true }, versionAsNumber)))
}

// versionAsNumber mends the first segment of a path that is the current version, as numbers go.
func versionAsNumber(r *http.Request) {
	const current = 0.2
	version, rest, below := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if number, err := strconv.ParseFloat(version, 64); err == nil && number == current && below {
		r.URL.Path, r.URL.RawPath = "/0.2/"+rest, ""
	}
}
