package faults

import (
	"net/http"
	"slices"
	"strings"
)

func versions() []Fault {
	return append(versionLists(), otherVersions()...)
}

// ofVersion changes the entry of a version in the list.
func ofVersion(version string, change objectEdit) edit {
	return inEach(func(entry map[string]any) {
		if entry["version"] == version {
			change(entry)
		}
	})
}

// adding adds an entry to a list.
func adding(entry any) func([]any) []any {
	return func(list []any) []any { return append(list, entry) }
}

// versionLists are the faults of the list of versions (Versioning, item 2).
func versionLists() []Fault {
	return slices.Concat(
		breaks("versions.status",
			fault("versions-under-a-version", "the list of versions is at /0.2/versions, and nothing at /versions",
				combine(respond(readsVersions(), 404, complaint("there is nothing at this path")),
					rewriteRequest(on("GET /0.2/versions"), func(r *http.Request) { r.URL.Path = "/versions" }))),
			fault("versions-wrapped-in-object", "the list of versions is a member of an object",
				rewriteResponse(readsVersions(), wrapped("versions"))),
			fault("versions-answer-203", "the list of versions is answered with 203", rewriteResponse(readsVersions(), status(203)))),
		breaks("versions.shape",
			fault("versions-entry-without-status", "a further version has no status",
				rewriteResponse(readsVersions(), inList(adding(map[string]any{"version": "0.3"})))),
			fault("versions-label-is-number", "the label of a further version is a number",
				rewriteResponse(readsVersions(), inList(adding(map[string]any{"version": 1, "status": "disabled"})))),
			fault("versions-status-is-object", "the status of a further version is an object",
				rewriteResponse(readsVersions(), inList(adding(map[string]any{"version": "0.0", "status": map[string]any{"name": "disabled"}}))))),
		breaks("versions.current",
			fault("versions-current-says-supported", "version 0.2 is listed as supported",
				rewriteResponse(readsVersions(), ofVersion("0.2", set("status", "supported")))),
			fault("versions-current-capitalized", "version 0.2 is listed as Current",
				rewriteResponse(readsVersions(), ofVersion("0.2", set("status", "Current")))),
			fault("versions-current-under-other-label", "version 0.2 is listed as v0.2",
				rewriteResponse(readsVersions(), ofVersion("0.2", set("version", "v0.2"))))),
		breaks("versions.disabled",
			fault("versions-disabled-says-deprecated", "version 0.1 is listed as deprecated",
				rewriteResponse(readsVersions(), ofVersion("0.1", set("status", "deprecated")))),
			fault("versions-disabled-unlisted", "version 0.1 is not listed",
				rewriteResponse(readsVersions(), inList(func(list []any) []any { return list[1:] })))),
	)
}

// otherVersions are the faults of paths under versions that are not served
// (Versioning, items 1 and 2).
func otherVersions() []Fault {
	under := func(version string) match {
		return func(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/"+version+"/") }
	}
	served := func(version string) mutation {
		return rewriteRequest(under(version), func(r *http.Request) { r.URL.Path = "/0.2/" + strings.TrimPrefix(r.URL.Path, "/"+version+"/") })
	}
	return slices.Concat(
		breaks("versions.unknown",
			fault("versions-unknown-served", "an unknown version is served like the current one", served("9.9")),
			fault("versions-unknown-redirected", "a path under an unknown version is redirected to the current one",
				intercept(under("9.9"), func(_ http.Handler, r *http.Request) *response {
					to := "/0.2/" + strings.TrimPrefix(r.URL.Path, "/9.9/")
					return &response{status: 308, header: http.Header{"Location": {to}}}
				})),
			fault("versions-unknown-answers-200", "a path under an unknown version is answered with 200 and an error",
				respond(under("9.9"), 200, complaint("the version is unknown")))),
		breaks("versions.disabled-refused",
			fault("versions-disabled-served", "version 0.1 is served like the current one", served("0.1")),
			fault("versions-disabled-empty", "a path under version 0.1 is answered with 200 and {}", respond(under("0.1"), 200, "{}"))),
	)
}
