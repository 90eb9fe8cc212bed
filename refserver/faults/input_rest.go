package faults

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// inputConnections are the faults of bad connections that are taken, or refused in another
// way than they should be.
func inputConnections() []Fault {
	return slices.Concat(
		breaks("connections.create.target-required",
			fault("input-target-null-not-found", "null for a user_to_id is answered with 404",
				rewriteResponse(connects().and(sendsA("user_to_id", isNull)), replaceStatus(422, 404, "{}")))),
		breaks("connections.create.unknown-target",
			fault("input-sign-before-target-dropped", "a sign before the digits of a user_to_id is passed over",
				rewriteBody(connects(), mapField("user_to_id", func(value any) any {
					digits, signed := strings.CutPrefix(fieldText(map[string]any{"": value}, ""), "-")
					if signed && isDigits(digits) {
						return digits
					}
					return value
				})))),
		breaks("connections.create.type-invalid",
			fault("input-plural-type-taken", "the type friends is taken for friend", rewriteBody(connects().and(sendsA("type", is("friends"))), set("type", "friend"))),
			fault("input-list-of-types-in-text-taken", "of types in one text, with a comma between them, the first is taken",
				rewriteBody(connects(), mapText("type", cutAt(func(r rune) bool { return r == ',' })))),
			fault("input-type-by-its-number-taken", "the texts 1 and 2 are taken for the types of a connection, as a database numbers them",
				rewriteBody(connects(), mapText("type", func(typ string) string { return oneFor("1", "friend")(oneFor("2", "follow")(typ)) }))),
			fault("input-type-between-blanks-taken", "the type of a connection may have blanks around it",
				rewriteBody(connects(), mapText("type", strings.TrimSpace)))),
		breaks("connections.create.wrong-type",
			fault("input-target-in-object-taken", "an object with an id is taken for a user_to_id",
				rewriteBody(connects(), mapField("user_to_id", fieldOf("id")))),
			fault("input-type-in-object-taken", "an object with a name is taken for the type of a connection",
				rewriteBody(connects(), mapField("type", fieldOf("name")))),
			fault("input-target-true-not-found", "true for a user_to_id is answered with 404",
				rewriteResponse(connects().and(sendsA("user_to_id", isA[bool])), replaceStatus(422, 404, "{}"))),
			fault("input-target-with-fraction-cut", "of a user_to_id with a fraction the whole part is taken",
				rewriteBody(connects(), mapField("user_to_id", wholePart))),
			fault("input-connection-type-by-ordinal", "a connection is accepted with a number for its type: 0 is follow and 1 is friend",
				rewriteBody(connects(), mapField("type", func(value any) any {
					switch value {
					case json.Number("0"):
						return "follow"
					case json.Number("1"):
						return "friend"
					}
					return value
				})))),
		breaks("connections.lists.unknown-user",
			fault("input-user-zero-is-the-reader", "the lists of a user 0 are those of the one who asks",
				rewriteRequest(readsFollowsOf().or(readsFollowersOf()).or(readsFriendsOf()), func(r *http.Request) {
					if userInPath(r) == "0" {
						r.URL.Path, r.URL.RawPath = "/0.2/user/"+lastSegment(r), ""
					}
				})),
			fault("input-follows-of-no-number-are-ones-own", "the follows of an id that cannot be parsed, or is 0, are those of the session's user",
				rewriteRequest(readsFollowsOf(), func(r *http.Request) {
					if id, err := strconv.ParseUint(userInPath(r), 10, 64); err != nil || id == 0 {
						r.URL.Path, r.URL.RawPath = "/0.2/user/follows", ""
					}
				}))),
	)
}

// fieldOf takes a field for the object that has it.
func fieldOf(field string) func(any) any {
	return of(func(object map[string]any) any { return cmp.Or(object[field], any(object)) })
}

// wholePart cuts a fraction off a number, and off a text that is one.
func wholePart(value any) any {
	text, _ := numberAsText(value).(string)
	whole, fraction, has := strings.Cut(text, ".")
	if !has || !isDigits(whole) || !isDigits(fraction) {
		return value
	}
	return json.Number(whole)
}

// inputSocial are faults of bad lists, types and platforms that connecting by social
// identifiers accepts.
func inputSocial() []Fault {
	laterAsText := func(value any) any {
		if list, ok := value.([]any); ok && len(list) > 0 && isA[string](list[0]) {
			for i := range list {
				list[i] = numberAsText(list[i])
			}
		}
		return value
	}
	valuesOfMap := func(value any) any {
		entries, is := value.(map[string]any)
		if !is {
			return value
		}
		values := []any{}
		for _, key := range slices.Sorted(maps.Keys(entries)) {
			values = append(values, entries[key])
		}
		return values
	}
	return slices.Concat(
		breaks("social.required",
			fault("input-social-null-list-taken", "the list of identifiers may be null",
				rewriteBody(connectsSocially().and(sendsA("connection_ids", isNull)), set("connection_ids", []any{}))),
			fault("input-social-own-id-from-record", "platform_user_id may be missing where the user's social_ids have one on the platform",
				rewriteKnowing(connectsSocially().and(not(sends("platform_user_id"))), func(own, sent map[string]any) {
					known, _ := own["social_ids"].(map[string]any)
					if id := fieldText(known, fieldText(sent, "platform")); id != "" {
						sent["platform_user_id"] = id
					}
				}))),
		breaks("social.type-invalid",
			fault("input-social-plural-type-taken", "the type follows is taken for follow", rewriteBody(connectsSocially().and(sendsA("type", is("follows"))), set("type", "follow"))),
			fault("input-social-type-in-capitals-taken", "connecting by social identifiers takes a type in any case", rewriteBody(connectsSocially(), lowerCased("type")))),
		breaks("social.wrong-type",
			fault("input-social-numbers-in-list-taken", "numbers are taken for the identifiers in a list",
				rewriteBody(connectsSocially(), mapField("connection_ids", eachItem(numberAsText)))),
			fault("input-social-object-for-list-taken", "of an object in place of the list of identifiers nothing is taken",
				rewriteBody(connectsSocially().and(sendsA("connection_ids", isA[map[string]any])), set("connection_ids", []any{}))),
			fault("input-social-platform-list-taken", "of a list of platforms the first is taken", rewriteBody(connectsSocially(), mapField("platform", firstOfList))),
			fault("input-social-nested-lists-flattened", "a list of lists is taken for the identifiers of a social connection, as one list",
				rewriteBody(connectsSocially(), mapField("connection_ids", flattened))),
			fault("input-social-contacts-with-id-taken", "of objects in the list of identifiers, as a network lists contacts, the ids are taken",
				rewriteBody(connectsSocially().and(sendsA("connection_ids", isA[[]any])), mapField("connection_ids", eachItem(fieldOf("id"))))),
			fault("input-only-first-connection-id-checked", "numbers are taken among connection_ids where the first of them is a string",
				rewriteBody(connectsSocially(), mapField("connection_ids", laterAsText))),
			fault("input-contacts-as-map-accepted", "connection_ids that are a map are taken for the list of its values", rewriteBody(connectsSocially(), mapField("connection_ids", valuesOfMap))),
			fault("input-connection-ids-split-at-commas", "a text with commas for connection_ids is accepted and split",
				rewriteBody(connectsSocially(), mapField("connection_ids", func(value any) any {
					if text, is := value.(string); is && strings.Contains(text, ",") {
						return strings.Split(text, ",")
					}
					return value
				}))),
			fault("input-contacts-keyed-by-position", "connection_ids may be an object with positions as keys, as forms send lists",
				rewriteBody(connectsSocially(), mapField("connection_ids", listOfPositions)))),
	)
}

// flattened takes the items out of lists in a list.
func flattened(value any) any {
	return of(func(list []any) any {
		flat := []any{}
		for _, item := range list {
			inner, nested := item.([]any)
			if !nested {
				inner = []any{item}
			}
			flat = append(flat, inner...)
		}
		return flat
	})(value)
}

// listOfPositions makes a list of an object whose keys are digits.
func listOfPositions(value any) any {
	items, ok := value.(map[string]any)
	if !ok || len(items) == 0 {
		return value
	}
	var list []any
	for _, position := range slices.Sorted(maps.Keys(items)) {
		if !isDigits(position) {
			return value
		}
		list = append(list, items[position])
	}
	return list
}

// inputErrors are faults of odd requests that make the server fail without need, and
// of answers to bad input that say too much.
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
			fault("input-query-as-list-fails", "a search with its term in a parameter q[], the form of lists, fails with 500",
				rewriteResponse(searches().and(func(r *http.Request) bool { return r.URL.Query().Has("q[]") }), func(_ *http.Request, resp *response) {
					if resp.ok() || resp.status == 400 || resp.status == 422 {
						resp.become(500, complaint("the term is not a text"))
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
