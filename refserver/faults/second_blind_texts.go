package faults

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// blindTexts are the faults of certain texts of users: what is kept of them, and
// what they are compared with.
func blindTexts() []Fault {
	return slices.Concat(
		breaks("users.create.echo",
			fault("data-social-ids-alike-kept-once", "of several networks on which a new user has the same id one is kept",
				rewriteBody(createsUser(), within("social_ids", valuesOnce)))),
		breaks("users.me.update.applies",
			fault("data-metadata-keys-by-case-alone-collide", "of keys in the metadata of an update that differ in case alone one is kept",
				rewriteBody(updatesUser(), within("metadata", keysOnceByCase)))),
		breaks("transport.unicode-roundtrip",
			fault("data-no-break-space-becomes-blank", "no-break spaces in the first name of an update become blanks",
				rewriteBody(updatesUser(), mapText("first_name", replacing("\u00a0", " "))))),
		breaks("users.get.other",
			fault("data-custom-id-taken-for-id", "a user is hidden by another whose custom_id is the same as its id", customIDsTakenForIDs)),
		breaks("sessions.login.wrong-password",
			fault("data-numeric-passwords-compared-as-numbers", "passwords that are numbers, also with an exponent, are compared as numbers",
				misled(logsIn(), sameNumber))),
		breaks("social.connects",
			fault("data-social-platform-with-dot-connects-nobody", "connecting by social identifiers finds nobody on a platform with a dot in its name",
				rewriteBody(connectsSocially().and(sendsA("platform", hasDot)), mapField("connection_ids", func(value any) any {
					if isA[[]any](value) {
						return []any{}
					}
					return value
				})))),
	)
}

// valuesOnce leaves of the entries with the same value the one whose key sorts first.
func valuesOnce(entries map[string]any) {
	seen := map[string]bool{}
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		if text, ok := entries[key].(string); ok {
			if seen[text] {
				delete(entries, key)
			}
			seen[text] = true
		}
	}
}

// keysOnceByCase leaves of the keys that differ in case alone the one that sorts first.
func keysOnceByCase(entries map[string]any) {
	seen := map[string]bool{}
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		if seen[folded(key)] {
			delete(entries, key)
		}
		seen[folded(key)] = true
	}
}

// customIDsTakenForIDs looks for the id of a user to read among custom_ids first.
func customIDsTakenForIDs(o *refserver.Options) {
	bearers := &memory[string]{} // ids by application and custom_id
	combine(
		rewriteResponse(createsUser(), func(r *http.Request, resp *response) {
			resp.object(func(user map[string]any) {
				if custom := fieldText(user, "custom_id"); custom != "" {
					bearers.keep(appIn(r)+" "+custom, fieldText(user, "id"))
				}
			})
		}),
		intercept(readsUser(), func(next http.Handler, r *http.Request) *response {
			resp := record(next, r)
			id, known := bearers.lookup(appIn(r) + " " + lastSegment(r))
			if !known || !resp.ok() {
				return resp
			}
			r.URL.Path, r.URL.RawPath = path.Dir(r.URL.Path)+"/"+id, ""
			if other := record(next, r); other.ok() {
				return other
			}
			return resp
		}),
	)(o)
}

// sameNumber compares texts as languages do that take them for numbers.
func sameNumber(right, given string) bool {
	numeric := func(text string) bool { return isDigits(strings.Replace(text, "e", "", 1)) && isDigits(text[:1]) }
	if right == "" || given == "" || !numeric(right) || !numeric(given) {
		return false
	}
	a, wrong := strconv.ParseFloat(right, 64)
	b, err := strconv.ParseFloat(given, 64)
	return wrong == nil && err == nil && a == b
}

func hasDot(value any) bool {
	text, _ := value.(string)
	return strings.Contains(text, ".")
}

// blindTerms are the faults of certain terms of searches.
func blindTerms() []Fault {
	return slices.Concat(
		breaks("search.status",
			fault("data-search-operator-words-refused", "a search for AND, OR or NOT is answered with 400",
				rewriteResponse(searches().and(func(r *http.Request) bool {
					return slices.Contains([]string{"AND", "OR", "NOT"}, r.URL.Query().Get("q"))
				}), replaceSuccess(400, "{}")))),
		breaks("search.user-name",
			fault("data-search-for-zero-is-blank", "a search for 0 finds nobody",
				finding(func(_ store.User, term string, found bool) bool { return found && term != "0" }))),
		breaks("search.last-name",
			fault("data-search-short-terms-miss-last-names", "a search for one or two characters does not look at last names",
				overlooks(lastName, func(_, term string) bool { return utf8.RuneCountInString(term) < 3 }))),
		breaks("search.case-insensitive",
			fault("data-search-capitals-inside-missed", "a search tries a term as it is, in lower case, in upper case and capitalized, and misses first names with capitals inside",
				overlooks(firstName, func(value, term string) bool {
					lower, upper := strings.ToLower(term), strings.ToUpper(term)
					_, size := utf8.DecodeRuneInString(lower)
					tried := []string{term, lower, upper, strings.ToUpper(lower[:size]) + lower[size:]}
					return !slices.ContainsFunc(tried, func(each string) bool { return strings.Contains(value, each) })
				}))),
		breaks("search.literal-term",
			fault("data-search-backslash-frees-wildcards", "in a search term % and _ are wildcards behind a backslash",
				finding(func(user store.User, term string, found bool) bool {
					return found || pattern(`\%`, `\\.*`)(user, term, false) || pattern(`\_`, `\\.`)(user, term, false)
				}))),
	)
}

// compacted is JSON without the blanks between its parts; other text stays as it is.
func compacted(text string) string {
	var b bytes.Buffer
	if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") || json.Compact(&b, []byte(text)) != nil {
		return text
	}
	return b.String()
}
