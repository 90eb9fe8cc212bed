package faults

import (
	"net/http"
	"strings"

	"github.com/socialfeed/conform/refserver"
)

func versions() []Fault {
	return append(versionLists(), otherVersions()...)
}

// ofVersion changes the entry of a version in the list.
func ofVersion(version string, change func(map[string]any)) func(*http.Request, *response) {
	return inEach(func(entry map[string]any) {
		if entry["version"] == version {
			change(entry)
		}
	})
}

// with adds an entry to a list.
func with(entry any) func(*http.Request, *response) {
	return func(_ *http.Request, resp *response) {
		resp.list(func(list []any) []any { return append(list, entry) })
	}
}

// versionLists are the faults of the list of versions (Versioning, item 2).
func versionLists() []Fault {
	const status, shape, current, disabled = "versions.status", "versions.shape", "versions.current", "versions.disabled"
	versions := on("GET /versions")
	return []Fault{
		{
			Name: "versions-under-a-version", Rule: status,
			Summary: "the list of versions is at /0.2/versions, and nothing at /versions",
			Apply: both(replace(versions, http.StatusNotFound, complaint("there is nothing at this path")),
				tamper(on("GET /0.2/versions"), func(r *http.Request) { r.URL.Path = "/versions" })),
		},
		{
			Name: "versions-wrapped-in-object", Rule: status,
			Summary: "the list of versions is a member of an object",
			Apply: edit(versions, answered(http.StatusOK, func(_ *http.Request, resp *response) {
				resp.json(func(list any) any { return map[string]any{"versions": list} })
			})),
		},
		{
			Name: "versions-answer-203", Rule: status,
			Summary: "the list of versions is answered with 203",
			Apply:   edit(versions, func(_ *http.Request, resp *response) { resp.restatus(http.StatusNonAuthoritativeInfo) }),
		},
		{
			Name: "versions-entry-without-status", Rule: shape,
			Summary: "a further version has no status",
			Apply:   edit(versions, with(map[string]any{"version": "0.3"})),
		},
		{
			Name: "versions-label-is-number", Rule: shape,
			Summary: "the label of a further version is a number",
			Apply:   edit(versions, with(map[string]any{"version": 1, "status": "disabled"})),
		},
		{
			Name: "versions-status-is-object", Rule: shape,
			Summary: "the status of a further version is an object",
			Apply:   edit(versions, with(map[string]any{"version": "0.0", "status": map[string]any{"name": "disabled"}})),
		},
		{
			Name: "versions-current-says-supported", Rule: current,
			Summary: "version 0.2 is listed as supported",
			Apply:   edit(versions, ofVersion("0.2", set("status", "supported"))),
		},
		{
			Name: "versions-current-capitalized", Rule: current,
			Summary: "version 0.2 is listed as Current",
			Apply:   edit(versions, ofVersion("0.2", set("status", "Current"))),
		},
		{
			Name: "versions-current-under-other-label", Rule: current,
			Summary: "version 0.2 is listed as v0.2",
			Apply:   edit(versions, ofVersion("0.2", set("version", "v0.2"))),
		},
		{
			Name: "versions-disabled-says-deprecated", Rule: disabled,
			Summary: "version 0.1 is listed as deprecated",
			Apply:   edit(versions, ofVersion("0.1", set("status", "deprecated"))),
		},
		{
			Name: "versions-disabled-unlisted", Rule: disabled,
			Summary: "version 0.1 is not listed",
			Apply: edit(versions, func(_ *http.Request, resp *response) {
				resp.list(func(list []any) []any { return list[1:] })
			}),
		},
	}
}

// otherVersions are the faults of paths under versions that are not served
// (Versioning, items 1 and 2).
func otherVersions() []Fault {
	const unknown, disabled = "versions.unknown", "versions.disabled-refused"
	under := func(version string) match {
		return func(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/"+version+"/") }
	}
	served := func(version string) func(*refserver.Options) {
		return tamper(under(version), func(r *http.Request) {
			r.URL.Path = "/0.2/" + strings.TrimPrefix(r.URL.Path, "/"+version+"/")
		})
	}
	return []Fault{
		{
			Name: "versions-unknown-served", Rule: unknown,
			Summary: "an unknown version is served like the current one",
			Apply:   served("9.9"),
		},
		{
			Name: "versions-unknown-redirected", Rule: unknown,
			Summary: "a path under an unknown version is redirected to the current one",
			Apply: around(under("9.9"), func(_ http.Handler, r *http.Request) *response {
				to := "/0.2/" + strings.TrimPrefix(r.URL.Path, "/9.9/")
				return &response{status: http.StatusPermanentRedirect, header: http.Header{"Location": {to}}}
			}),
		},
		{
			Name: "versions-unknown-answers-200", Rule: unknown,
			Summary: "a path under an unknown version is answered with 200 and an error",
			Apply:   replace(under("9.9"), http.StatusOK, complaint("the version is unknown")),
		},
		{
			Name: "versions-disabled-served", Rule: disabled,
			Summary: "version 0.1 is served like the current one",
			Apply:   served("0.1"),
		},
		{
			Name: "versions-disabled-empty", Rule: disabled,
			Summary: "a path under version 0.1 is answered with 200 and {}",
			Apply:   replace(under("0.1"), http.StatusOK, "{}"),
		},
	}
}
