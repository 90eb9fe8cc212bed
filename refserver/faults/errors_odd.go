package faults

import (
	"net/http"
	"slices"
	"strings"
)

// oddRequests are the faults of requests that are odd, and no reason to fail for
// (Errors, row 500).
func oddRequests() []Fault {
	const status, body = http.StatusInternalServerError, `{"errors":[{"code":1000,"message":"internal server error"}]}`
	holding := func(text string) match {
		return func(r *http.Request) bool { return strings.Contains(strings.ToLower(string(keepBody(r))), text) }
	}
	oddID := func(r *http.Request) bool {
		const longest = 18 // digits of what fits into 64 bits
		id := strings.Split(r.URL.Path+"////", "/")
		is := func(part string) bool { return strings.Trim(part, "0123456789") != "" || len(part) > longest }
		return is(id[4]) && id[2] == "user" || is(id[3]) && id[2] == "users"
	}
	fault := func(name, summary string, m match) Fault {
		return Fault{Name: "errors-" + name, Rule: "errors.no-5xx", Summary: summary, Apply: replace(m, status, body)}
	}
	return []Fault{
		fault("empty-body-fails", "creating a user with an empty body fails with 500",
			createsUser().and(func(r *http.Request) bool { return len(keepBody(r)) == 0 })),
		fault("nul-character-fails", "creating a user with the character NUL in its name fails with 500", createsUser().and(holding(`\u0000`))),
		fault("half-a-pair-fails", "creating a user with half a surrogate pair in its name fails with 500", createsUser().and(holding(`\ud83d"`))),
		fault("odd-user-id-fails", "reading a user by an id that no user could have fails with 500", on("GET /0.2/users/{UserID}").and(oddID)),
		fault("odd-id-of-list-fails", "listing the friends of an id that no user could have fails with 500",
			on("GET /0.2/users/{UserID}/friends").and(oddID)),
		fault("odd-event-id-fails", "deleting an event by an id that no event could have fails with 500",
			on("DELETE /0.2/user/events/{EventID}").and(oddID)),
		fault("odd-connection-id-fails", "ending a connection to an id that no user could have fails with 500",
			on("DELETE /0.2/user/connections/{UserID}").and(oddID)),
	}
}

// nearPaths are the faults of paths that are nearly the contract's (Errors, row
// 404; Versioning, item 1).
func nearPaths() []Fault {
	const unknown, version = "errors.unknown-path", "versions.unknown"
	served := func(name, rule, summary string, change func(parts []string) []string) Fault {
		return Fault{Name: name, Rule: rule, Summary: summary, Apply: tamper(by(http.MethodGet), func(r *http.Request) {
			r.URL.Path = strings.Join(change(strings.Split(r.URL.Path, "/")), "/")
		})}
	}
	lists := []string{"follows", "followers", "friends", "followed"}
	return []Fault{
		served("errors-path-below-a-user-is-that-user", unknown, "an unknown path below a user's is answered with the user", func(parts []string) []string {
			if len(parts) == 5 && parts[2] == "users" && !slices.Contains(lists, parts[4]) {
				return parts[:4]
			}
			return parts
		}),
		served("errors-path-below-versions-is-versions", unknown, "a path below /versions is answered with the versions", func(parts []string) []string {
			if parts[1] == "versions" {
				return parts[:2]
			}
			return parts
		}),
		served("errors-paths-need-no-version", unknown, "a path without a version is answered like that of the current one", func(parts []string) []string {
			if parts[1] == "user" {
				return append([]string{"", "0.2"}, parts[1:]...)
			}
			return parts
		}),
		served("versions-by-prefix", version, "a version that begins like the current one is served like it", func(parts []string) []string {
			if strings.HasPrefix(parts[1], "0.2") {
				parts[1] = "0.2"
			}
			return parts
		}),
		served("versions-next-served", version, "version 0.3 is served like the current one", func(parts []string) []string {
			if parts[1] == "0.3" {
				parts[1] = "0.2"
			}
			return parts
		}),
	}
}
