package faults

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
)

// mapDegrees changes a coordinate.
func mapDegrees(field string, change func(float64) float64) objectEdit {
	return mapField(field, func(value any) any {
		number, ok := value.(json.Number)
		if !ok {
			return value
		}
		degrees, err := number.Float64()
		if err != nil {
			return value
		}
		return change(degrees)
	})
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

func boolAsNumber(value any) any {
	if flag, ok := value.(bool); ok {
		return map[bool]int{true: 1}[flag]
	}
	return value
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

// mendJSON changes what a pattern finds in bodies that are no JSON.
func mendJSON(m match, pattern, replacement string) mutation {
	found := regexp.MustCompile(pattern)
	return rewriteRequest(m, func(r *http.Request) {
		if body := peekBody(r); !json.Valid(body) {
			if mended := found.ReplaceAll(body, []byte(replacement)); json.Valid(mended) {
				setBody(r, mended)
			}
		}
	})
}

// The JSON of lenient parsers.
const (
	trailingComma = `,\s*}\s*$`
	unquotedKey   = `([{,]\s*)([a-z_]+):`
	singleQuoted  = `'([^']*)'`
	notANumber    = `\bNaN\b`
)

// creatingUser, updatingUser, creatingEvent and updatingEvent change what is sent to create or
// update one.
func creatingUser(change objectEdit) mutation { return rewriteBody(createsUser(), change) }

func updatingUser(change objectEdit) mutation { return rewriteBody(updatesUser(), change) }

func creatingEvent(change objectEdit) mutation { return rewriteBody(createsEvent(), change) }

func updatingEvent(change objectEdit) mutation { return rewriteBody(updatesEvent(), change) }

// refusesInput reports whether a response blames what was sent.
func refusesInput(resp *response) bool { return resp.status == 400 || resp.status == 422 }
