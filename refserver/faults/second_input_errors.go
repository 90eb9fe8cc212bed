package faults

import (
	"encoding/json"
	"math"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// inputErrors are the faults of odd requests that make the server fail, and are no reason
// to; and of answers to bad input that say too much.
func inputErrors() []Fault {
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
	noID := func(r *http.Request) bool { return !isDigits(lastSegment(r)) && len(lastSegment(r)) != 36 }
	unreadable := func(r *http.Request) bool {
		_, err := url.ParseQuery(r.URL.RawQuery)
		return err != nil
	}
	hasNull := func(value any) bool {
		list, _ := value.([]any)
		return slices.ContainsFunc(list, isNull)
	}
	wordInPath := func(r *http.Request) bool { return !strings.ContainsAny(lastSegment(r), "0123456789") }
	halfQuoted := func(r *http.Request) bool { return strings.Count(r.URL.Query().Get("q"), `"`)%2 == 1 }
	unnamed := logsIn().and(not(sends("user_name"))).and(not(sends("email")))
	return slices.Concat(
		breaks("errors.bad-request-empty",
			fault("input-malformed-change-says-where", "the 400 to a change of an event that is no JSON says where it breaks off",
				rewriteResponse(updatesEvent(), onStatus(400, func(r *http.Request, resp *response) {
					var value any
					if err := json.Unmarshal(peekBody(r), &value); err != nil && !json.Valid(peekBody(r)) {
						resp.become(http.StatusBadRequest, complaint(err.Error()))
					}
				})))),
		breaks("errors.no-5xx",
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
				fails(connectsSocially().and(sendsA("connection_ids", isEmptyList)))),
			fault("input-query-given-twice-fails", "a search with two terms in two parameters fails with 500",
				respond(searches().and(func(r *http.Request) bool { return len(r.URL.Query()["q"]) > 1 }), 500, complaint("internal server error"))),
			fault("input-latitude-beyond-the-pole-fails", "a new event with a latitude beyond 90 degrees fails with 500",
				refused(createsEvent().and(sendsA("latitude", beyondPole)), 500, complaint("latitude out of bounds"))),
			fault("input-query-as-list-fails", "a search whose term stands in a parameter q[], as lists are written, fails with 500",
				rewriteResponse(searches().and(func(r *http.Request) bool { return r.URL.Query().Has("q[]") }), func(_ *http.Request, resp *response) {
					if resp.ok() || resp.status == 400 || resp.status == 422 {
						resp.become(500, complaint("the term is no text"))
					}
				})),
			fault("input-end-of-connection-to-no-id-fails", "the end of a connection to what is neither a number nor a UUID fails with 500",
				rewriteResponse(disconnects().and(noID), replaceStatus(404, 500, complaint("internal server error")))),
			fault("input-query-with-broken-escape-fails", "a search for a term with a % that begins no escape fails with 500",
				respond(searches().and(unreadable), 500, complaint("internal server error"))),
			fault("input-social-null-among-ids-fails", "connecting by a list of social identifiers with a null in it fails with 500",
				respond(connectsSocially().and(sendsA("connection_ids", hasNull)), 500, complaint("internal server error"))),
			fault("input-body-in-unknown-charset-fails", "a body whose Content-Type names a charset that nobody knows fails with 500", respond(namesUnknownCharset, 500, complaint("unknown encoding"))),
			fault("input-event-id-without-digits-fails", "a change of an event whose id is a word fails with 500",
				rewriteResponse(updatesEvent().and(wordInPath), replaceStatus(404, 500, complaint("internal server error")))),
			fault("input-list-for-changes-of-event-fails", "a change of an event whose body is a list fails with 500",
				rewriteResponse(updatesEvent(), func(r *http.Request, resp *response) {
					if isA[[]any](decode(peekBody(r))) && (resp.status == http.StatusBadRequest || resp.status == http.StatusUnprocessableEntity) {
						resp.become(http.StatusInternalServerError, complaint("internal server error"))
					}
				})),
			fault("input-login-with-number-as-password-fails", "a login with a number as the password fails with 500, as a number cannot be hashed",
				refused(logsIn().and(sendsA("password", isA[json.Number])), 500, complaint("internal server error"))),
			fault("input-search-with-one-quote-fails", "a search for a term in which a quotation mark is not closed fails with 500",
				rewriteResponse(searches().and(halfQuoted), replaceStatus(200, 500, complaint("internal server error"))))),
		breaks("errors.no-secret-echo",
			fault("input-login-without-name-repeats-password", "the 422 of a login with neither user name nor email repeats its body, password and all",
				rewriteResponse(unnamed, onStatus(422, func(r *http.Request, resp *response) {
					resp.become(422, complaint("user_name or email is required in "+string(peekBody(r))))
				})))),
	)
}

func beyondPole(value any) bool {
	number, _ := value.(json.Number)
	degrees, err := number.Float64()
	return err == nil && math.Abs(degrees) > 90
}

// namesUnknownCharset picks the requests whose JSON is said to be in a charset that a library
// does not find.
func namesUnknownCharset(r *http.Request) bool {
	mediaType, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	charset := strings.ToLower(parameters["charset"])
	known := []string{"", "utf-8", "utf8", "utf-16", "utf-32", "us-ascii", "ascii", "iso-8859-1", "iso-8859-15", "latin1", "windows-1252"}
	return err == nil && mediaType == "application/json" && !slices.Contains(known, charset)
}
