package faults

import (
	"net/http"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// serverErrors are the faults of requests that make the server fail (Errors, rows
// 500 and 503).
func serverErrors() []Fault {
	return breaks("errors.no-5xx",
		fault("errors-search-without-q-fails", "a search without q fails with 500",
			rewriteResponse(searches().and(func(r *http.Request) bool { return !r.URL.Query().Has("q") }),
				replaceStatus(200, 500, complaint("internal server error")))),
		fault("errors-connection-to-oneself-fails", "a connection to oneself fails with 500",
			rewriteResponse(connects(), onStatus(422, func(_ *http.Request, resp *response) {
				if strings.Contains(string(resp.body), "2006") {
					resp.become(500, complaint("internal server error"))
				}
			}))),
		fault("errors-decomposed-name-is-unavailable", "creating a user whose first name is decomposed is answered with 503, time and again",
			respond(createsUser().and(func(r *http.Request) bool { return !norm.NFC.IsNormalString(fieldText(requestObject(r), "first_name")) }),
				503, complaint("temporarily unavailable"))))
}

// oddRequests are the faults of requests that are odd, and no reason to fail for
// (Errors, row 500).
func oddRequests() []Fault {
	fails := func(m match) mutation { return respond(m, 500, complaint("internal server error")) }
	holding := func(text string) match {
		return func(r *http.Request) bool { return strings.Contains(strings.ToLower(string(peekBody(r))), text) }
	}
	emptyBody := func(r *http.Request) bool { return len(peekBody(r)) == 0 }
	oddID := func(r *http.Request) bool {
		const longest = 18 // digits of what fits into 64 bits
		id := strings.Split(r.URL.Path+"////", "/")
		is := func(part string) bool { return strings.Trim(part, "0123456789") != "" || len(part) > longest }
		return is(id[4]) && id[2] == "user" || is(id[3]) && id[2] == "users"
	}
	return breaks("errors.no-5xx",
		fault("errors-empty-body-fails", "creating a user with an empty body fails with 500", fails(createsUser().and(emptyBody))),
		fault("errors-nul-character-fails", "creating a user with the character NUL in its name fails with 500",
			fails(createsUser().and(holding(`\u0000`)))),
		fault("errors-half-a-pair-fails", "creating a user with half a surrogate pair in its name fails with 500",
			fails(createsUser().and(holding(`\ud83d"`)))),
		fault("errors-odd-user-id-fails", "reading a user by an id that no user could have fails with 500", fails(readsUser().and(oddID))),
		fault("errors-odd-id-of-list-fails", "listing the friends of an id that no user could have fails with 500", fails(readsFriendsOf().and(oddID))),
		fault("errors-odd-event-id-fails", "deleting an event by an id that no event could have fails with 500", fails(deletesEvent().and(oddID))),
		fault("errors-odd-connection-id-fails", "ending a connection to an id that no user could have fails with 500",
			fails(disconnects().and(oddID))))
}
