package faults

import (
	"net/http"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// refusingBodies refuses bodies longer than so many bytes.
func refusingBodies(m match, most int) mutation {
	long := func(r *http.Request) bool { return len(peekBody(r)) > most }
	return refused(m.and(long), 413, complaint("the body is too large"))
}

// failingInput are the faults of odd requests that make the server fail, and are
// no reason to.
func failingInput() []Fault {
	fails := func(m match) mutation { return respond(m, 500, complaint("internal server error")) }
	bodyIs := func(is func(text string) bool) match {
		return func(r *http.Request) bool { return is(strings.TrimSpace(string(peekBody(r)))) }
	}
	depth := func(least int) match {
		return bodyIs(func(text string) bool { return strings.Count(text, "[") >= least || strings.Count(text, "{") >= least })
	}
	query := func(is func(q string) bool) match {
		return func(r *http.Request) bool { return is(r.URL.Query().Get("q")) }
	}
	longID := func(r *http.Request) bool { return isDigits(userInPath(r)) && len(userInPath(r)) > 20 }
	huge := func(value any) bool {
		digits, _ := numberAsText(value).(string)
		return !isA[string](value) && (len(digits) > 20 || strings.HasPrefix(digits, "-"))
	}
	return breaks("errors.no-5xx",
		fault("input-null-event-fails", "a new event whose body is null fails with 500", fails(createsEvent().and(bodyIs(func(text string) bool { return text == "null" })))),
		fault("input-list-as-login-fails", "a login whose body is a list fails with 500",
			fails(logsIn().and(bodyIs(func(text string) bool { return strings.HasPrefix(text, "[") })))),
		fault("input-empty-change-fails", "a change of an event with an empty body fails with 500",
			fails(updatesEvent().and(bodyIs(func(text string) bool { return text == "" })))),
		fault("input-deep-update-fails", "an update of the user with a value in 50 lists fails with 500", fails(updatesUser().and(depth(50)))),
		fault("input-large-exponent-fails", "a new event with a number beyond double precision fails with 500",
			fails(createsEvent().and(bodyIs(func(text string) bool { return strings.Contains(strings.ToLower(text), "e400") })))),
		fault("input-lone-surrogate-in-event-fails", "a new event with half a surrogate pair fails with 500",
			fails(createsEvent().and(bodyIs(func(text string) bool { return strings.Contains(strings.ToLower(text), `\ud83d"`) })))),
		fault("input-nul-in-event-fails", "a new event with the character NUL fails with 500",
			fails(createsEvent().and(bodyIs(func(text string) bool { return strings.Contains(text, `\u0000`) })))),
		fault("input-query-that-is-no-utf-8-fails", "a search for what is no UTF-8 fails with 500",
			fails(searches().and(query(func(q string) bool { return !utf8.ValidString(q) })))),
		fault("input-long-query-fails", "a search for more than 1,000 characters fails with 500",
			fails(searches().and(query(func(q string) bool { return len(q) > 1000 })))),
		fault("input-query-with-nul-fails", "a search for the character NUL fails with 500",
			fails(searches().and(query(func(q string) bool { return strings.Contains(q, "\x00") })))),
		fault("input-long-user-id-fails", "the followers of an id of more than 20 digits fail with 500", fails(readsFollowersOf().and(longID))),
		fault("input-huge-target-fails", "a connection to a negative id, or one of more than 20 digits, fails with 500",
			fails(connects().and(sendsA("user_to_id", huge)))),
		fault("input-odd-with-login-fails", "a create with another value of withLogin than true or false fails with 500",
			fails(createsUser().and(func(r *http.Request) bool {
				value := r.URL.Query().Get("withLogin")
				return r.URL.Query().Has("withLogin") && value != "true" && value != "false"
			}))),
		fault("input-empty-list-of-ids-fails", "connecting by no social identifiers at all fails with 500",
			fails(connectsSocially().and(sendsA("connection_ids", isEmptyList)))))
}

// unknownInput are the faults of ids that nothing has, and that are taken for others.
func unknownInput() []Fault {
	return breaks("events.update.unknown",
		fault("input-letters-behind-event-id", "what follows the digits in the id of an event to change is not looked at", rewriteRequest(updatesEvent(), func(r *http.Request) {
			if digits := strings.TrimRightFunc(lastSegment(r), unicode.IsLetter); isDigits(digits) {
				r.URL.Path, r.URL.RawPath = path.Dir(r.URL.Path)+"/"+digits, ""
			}
		})))
}
