package faults

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// fourthInput are the faults of checks whose pattern is too wide, and of comparisons
// that convert before they compare.
func fourthInput() []Fault {
	const mostKeys, mostValue = 10, 500
	tooMany := createsEvent().and(func(r *http.Request) bool { return len(metadataIn(r)) > mostKeys })
	return slices.Concat(
		breaks("limits.metadata.keys",
			fault("input-event-blank-entries-not-counted", "the keys of a new event's metadata are counted without those whose value is blank",
				unbounded(tooMany, dropWhere(func(_, value string) bool { return value == "" })))),
		breaks("limits.metadata.value-length",
			fault("input-line-break-behind-full-value-taken", "a value of a new event's metadata may have a line break behind 500 characters, as the end of the pattern stands before one",
				unbounded(createsEvent(), eachValue(func(value any) any {
					text, _ := value.(string)
					if full, ends := strings.CutSuffix(text, "\n"); ends && utf8.RuneCountInString(full) == mostValue {
						return full
					}
					return value
				})))),
		breaks("transport.content-type-415",
			fault("input-event-of-any-type-with-json-in-it-taken", "a new event is taken where its Content-Type has json anywhere in it, such as text/json",
				rewriteRequest(createsEvent().and(headerContains("Content-Type", "json")), setHeader("Content-Type", "application/json")))),
		breaks("versions.unknown",
			fault("input-version-compared-as-number", "the version in a path is read as a number: 0.20 and 00.2 are served like 0.2",
				rewriteRequest(func(r *http.Request) bool { return true }, versionAsNumber))),
		breaks("auth.session-unknown",
			fault("input-session-token-in-lower-case-taken", "a session token is also taken in lower case",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.session = func(app store.App, token string) (store.ID, error) {
						user, err := inner.Session(app, token)
						if err != nil {
							return inner.Session(app, strings.ToUpper(token))
						}
						return user, nil
					}
				}))),
		breaks("connections.create.wrong-type",
			fault("input-target-with-fraction-cut", "of a user_to_id with a fraction the whole part is taken",
				rewriteBody(connects(), mapField("user_to_id", wholePart)))),
	)
}

// versionAsNumber mends the first segment of a path that is the current version, as numbers go.
func versionAsNumber(r *http.Request) {
	const current = 0.2
	version, rest, below := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if number, err := strconv.ParseFloat(version, 64); err == nil && number == current && below {
		r.URL.Path, r.URL.RawPath = "/0.2/"+rest, ""
	}
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
