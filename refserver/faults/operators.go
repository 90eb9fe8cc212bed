package faults

import (
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/socialfeed/conform/refserver"
)

// inAnother has a request that is refused for its credentials, or for what is unknown,
// answered as another application would.
func inAnother(m match, statuses ...int) mutation {
	return withTokens(func(tokens []string) mutation {
		return intercept(m, func(next http.Handler, r *http.Request) *response {
			refusal := record(next, r)
			if !slices.Contains(statuses, refusal.status) || !slices.Contains(tokens, appIn(r)) {
				return refusal
			}
			for _, token := range tokens {
				r.SetBasicAuth(token, sessionIn(r))
				if elsewhere := record(next, r); elsewhere.ok() {
					return elsewhere
				}
			}
			return refusal
		})
	})
}

// everyNth picks every nth of a session's requests of one kind that match.
func everyNth(n int, m match, mutate func(nth match) mutation) mutation {
	return func(o *refserver.Options) {
		counts := &memory[int]{}
		mutate(m.and(func(r *http.Request) bool {
			return tally(counts, kindOf(r))%n == 0
		}))(o)
	}
}

// rewriteNth changes every nth response of a session's requests of one kind.
func rewriteNth(n int, m match, change edit) mutation {
	return everyNth(n, m, func(nth match) mutation { return rewriteResponse(nth, change) })
}

// kindOf tells a session's requests to one path from its others; the changes of all
// events are of one kind.
func kindOf(r *http.Request) string {
	path := r.URL.Path
	if updatesEvent()(r) {
		path = "/0.2/user/events/"
	}
	return r.Header.Get("Authorization") + r.Method + path
}

// inOneFlight answers requests of one key that are there at once with what the first gets.
func inOneFlight(m match, key func(*http.Request) string) mutation {
	var mu sync.Mutex
	flights := map[string][]byte{}
	return rewriteResponse(m, func(r *http.Request, resp *response) {
		if !resp.ok() {
			return
		}
		mu.Lock()
		first, there := flights[key(r)]
		if !there {
			flights[key(r)] = resp.body
		}
		mu.Unlock()
		if there {
			resp.body = first
			return
		}
		time.Sleep(window)
		mu.Lock()
		delete(flights, key(r))
		mu.Unlock()
	})
}

// latestOf gives the answers to requests that overlap the field of the latest one.
func latestOf(m match, field string) mutation {
	return func(o *refserver.Options) {
		latest := &memory[any]{}
		rewriteObject(m, func(object map[string]any) {
			latest.keep("", object[field])
			time.Sleep(window)
			object[field] = latest.get("")
		})(o)
	}
}

// changing changes the values for which a condition holds.
func changing[T any](is func(T) bool, change func(T) T) func(T) T {
	return func(value T) T {
		if is(value) {
			return change(value)
		}
		return value
	}
}

// oneFor changes one value to another.
func oneFor[T comparable](from, to T) func(T) T {
	return changing(func(value T) bool { return value == from }, func(T) T { return to })
}

// replacing replaces part of a text.
func replacing(from, to string) func(string) string { return strings.NewReplacer(from, to).Replace }

// cutTo keeps the first characters of a text.
func cutTo(most int) func(string) string {
	return changing(func(text string) bool { return utf8.RuneCountInString(text) > most },
		func(text string) string { return string([]rune(text)[:most]) })
}

// cutAt keeps the text before the first of some characters.
func cutAt(is func(rune) bool) func(string) string {
	return func(text string) string {
		if i := strings.IndexFunc(text, is); i > 0 {
			return text[:i]
		}
		return text
	}
}

// asNumber is a text of digits after its way through a number.
func asNumber(text string) string {
	return changing(isDigits, func(digits string) string {
		if number := strings.TrimLeft(digits, "0"); number != "" {
			return number
		}
		return "0"
	})(text)
}

// throughFloat writes texts of a shape as the number that they are.
func throughFloat(shape *regexp.Regexp) func(string) string {
	return changing(shape.MatchString, func(text string) string {
		number, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return text
		}
		return strconv.FormatFloat(number, 'f', -1, 64)
	})
}

func emailWithoutTag(email string) string {
	name, host, _ := strings.Cut(email, "@")
	return cutAt(func(r rune) bool { return r == '+' })(name) + "@" + host
}

// language is the first part of a language tag.
func language(tag string) string {
	first, _, _ := strings.Cut(tag, "-")
	return first
}

// dropping drops the characters of a class.
func dropping(class *unicode.RangeTable) func(string) string {
	return mapped(func(r rune) rune {
		if unicode.Is(class, r) {
			return -1
		}
		return r
	})
}

// beyond replaces the characters beyond one; a negative one drops them.
func beyond(last, by rune) func(string) string {
	return mapped(func(r rune) rune {
		if r > last {
			return by
		}
		return r
	})
}

const lastOfBasicPlane = 0xffff

func withoutMarks(text string) string { return dropping(unicode.Mn)(norm.NFD.String(text)) }

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

func isAstral(r rune) bool { return r > lastOfBasicPlane }

// eachText changes the texts in a map that a field holds.
func eachText(field string, change func(string) string) objectEdit {
	return within(field, eachTextOf(change))
}

// eachKey changes the keys of a map that a field holds.
func eachKey(field string, change func(string) string) objectEdit {
	return mapField(field, func(value any) any {
		entries, ok := value.(map[string]any)
		if !ok {
			return value
		}
		changed := map[string]any{}
		for key, entry := range entries {
			if key = change(key); key != "" {
				changed[key] = entry
			}
		}
		return changed
	})
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

// sameKeys reports whether two maps have the same keys, and any at all.
func sameKeys(a, b map[string]string) bool {
	for key := range a {
		if _, there := b[key]; !there {
			return false
		}
	}
	return len(a) > 0 && len(a) == len(b)
}

var uuid = regexp.MustCompile(`(?i)^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// uuidLowered puts a text that is a UUID into lower case.
func uuidLowered(text string) string { return changing(uuid.MatchString, strings.ToLower)(text) }

// withUser adds the user of a response to a list that lacks it.
func withUser(list []any, read *response) []any {
	user := objectOf(read.body)
	if !read.ok() || user == nil || slices.ContainsFunc(list, func(item any) bool { return idOf(item) == idOf(user) }) {
		return list
	}
	return append(list, user)
}

// idOf is the id of an object in a list.
func idOf(item any) string {
	object, _ := item.(map[string]any)
	return fieldText(object, "id")
}

// mapDegrees changes a coordinate.
func mapDegrees(field string, change func(float64) float64) objectEdit {
	return mapField(field, of(func(number json.Number) any {
		if degrees, err := number.Float64(); err == nil {
			return change(degrees)
		}
		return number
	}))
}

func isZero(value any) bool {
	number, ok := value.(json.Number)
	degrees, err := number.Float64()
	return ok && err == nil && degrees == 0
}

func isNull(value any) bool { return value == nil }

// isEmptyList reports whether a value is a list without items: what some
// languages write for an empty map.
func isEmptyList(value any) bool {
	list, ok := value.([]any)
	return ok && len(list) == 0
}

func isEmptyMap(value any) bool {
	entries, is := value.(map[string]any)
	return is && len(entries) == 0
}

func boolAsNumber(value any) any {
	return of(func(flag bool) any { return map[bool]int{true: 1}[flag] })(value)
}

// joined makes a text of a list.
func joined(value any) any {
	list, ok := value.([]any)
	if !ok {
		return value
	}
	var parts []string
	for _, item := range list {
		if text, ok := numberAsText(item).(string); ok {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ",")
}

// eachItem changes the values in a list or a map.
func eachItem(change func(any) any) func(any) any {
	return func(value any) any {
		switch items := value.(type) {
		case []any:
			for i, item := range items {
				items[i] = change(item)
			}
		case map[string]any:
			for key, item := range items {
				items[key] = change(item)
			}
		}
		return value
	}
}

// dropWhere drops the entries for which a condition holds.
func dropWhere(is func(key, value string) bool) objectEdit {
	return func(entries map[string]any) {
		for key, value := range entries {
			if text, ok := value.(string); ok && is(key, text) {
				delete(entries, key)
			}
		}
	}
}

// repairJSON changes what a pattern finds in bodies that are not JSON.
func repairJSON(m match, pattern, replacement string) mutation {
	found := regexp.MustCompile(pattern)
	return rewriteRequest(m, func(r *http.Request) {
		if body := peekBody(r); !json.Valid(body) {
			if repaired := found.ReplaceAll(body, []byte(replacement)); json.Valid(repaired) {
				setBody(r, repaired)
			}
		}
	})
}

// The JSON of lenient parsers.
const (
	trailingComma = `,\s*}\s*$`
	unquotedKey   = `([{,]\s*)([a-z_]+):`
	singleQuoted  = `'([^']*)'`
)

// creatingUser, updatingUser, creatingEvent and updatingEvent change what is sent to create or
// update one.
func creatingUser(change objectEdit) mutation { return rewriteBody(createsUser(), change) }

func updatingUser(change objectEdit) mutation { return rewriteBody(updatesUser(), change) }

func creatingEvent(change objectEdit) mutation { return rewriteBody(createsEvent(), change) }

func updatingEvent(change objectEdit) mutation { return rewriteBody(updatesEvent(), change) }

// refusesInput reports whether a response blames what was sent.
func refusesInput(resp *response) bool { return resp.status == 400 || resp.status == 422 }
