package faults

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// objectEdit changes a decoded JSON object.
type objectEdit = func(map[string]any)

// set gives a field a value.
func set(field string, value any) objectEdit {
	return func(object map[string]any) { object[field] = value }
}

// copied gives a field the value of another.
func copied(field, from string) objectEdit {
	return func(object map[string]any) { object[field] = object[from] }
}

// drop leaves a field out.
func drop(field string) objectEdit {
	return func(object map[string]any) { delete(object, field) }
}

// within changes the object that a field holds, if it does.
func within(field string, change objectEdit) objectEdit {
	return func(object map[string]any) {
		if inner, ok := object[field].(map[string]any); ok {
			change(inner)
		}
	}
}

// mapField changes a field that is there.
func mapField(field string, change func(any) any) objectEdit {
	return func(object map[string]any) {
		if value, there := object[field]; there {
			object[field] = change(value)
		}
	}
}

// of changes the values of one type.
func of[T any](change func(T) any) func(any) any {
	return func(value any) any {
		if typed, is := value.(T); is {
			return change(typed)
		}
		return value
	}
}

// mapText changes a field that is a text.
func mapText(field string, change func(string) string) objectEdit {
	return mapField(field, of(func(text string) any { return change(text) }))
}

// where narrows an edit to the objects that are so.
func where(is func(object map[string]any) bool, change objectEdit) objectEdit {
	return func(object map[string]any) {
		if is(object) {
			change(object)
		}
	}
}

// has is where a field has a value that is so.
func has(field string, is func(value any) bool) func(object map[string]any) bool {
	return func(object map[string]any) bool {
		value, there := object[field]
		return there && is(value)
	}
}

// together makes several edits.
func together(edits ...objectEdit) objectEdit {
	return func(object map[string]any) {
		for _, change := range edits {
			change(object)
		}
	}
}

// textIs is where a value is a text that is so.
func textIs(is func(text string) bool) func(any) bool {
	return func(value any) bool {
		text, ok := value.(string)
		return ok && is(text)
	}
}

// wasChanged reports whether an object was changed since it was made.
func wasChanged(object map[string]any) bool { return object["updated_at"] != object["created_at"] }

// ignoring leaves a field out whose value is so.
func ignoring(field string, is func(any) bool) objectEdit { return where(has(field, is), drop(field)) }

func lowerCased(field string) objectEdit { return mapText(field, strings.ToLower) }

// textOf makes text of a field that is a number.
func textOf(field string) objectEdit { return mapField(field, numberAsText) }

// firstEntry leaves of a map the entry whose key sorts first.
func firstEntry(field string) objectEdit { return within(field, firstKeys(1)) }

// firstKeys leaves the entries whose keys sort first.
func firstKeys(n int) objectEdit {
	return func(object map[string]any) {
		keys := slices.Sorted(maps.Keys(object))
		for _, key := range keys[min(n, len(keys)):] {
			delete(object, key)
		}
	}
}

// fieldText is a field's text; of a number its digits.
func fieldText(object map[string]any, field string) string {
	text, _ := numberAsText(object[field]).(string)
	return text
}

// timeIn is a field's time, zero where it is none.
func timeIn(object map[string]any, field string) time.Time {
	at, err := time.Parse(time.RFC3339Nano, fieldText(object, field))
	if err != nil {
		return time.Time{}
	}
	return at
}

func numberAsText(value any) any {
	return of(func(number json.Number) any { return number.String() })(value)
}

func boolAsText(value any) any {
	return of(func(flag bool) any { return strconv.FormatBool(flag) })(value)
}

func firstOfList(value any) any {
	return of(func(list []any) any {
		if len(list) > 0 {
			return list[0]
		}
		return list
	})(value)
}

// mapStrings changes all text in a value, keys included.
func mapStrings(value any, change func(string) string) any {
	switch v := value.(type) {
	case string:
		return change(v)
	case map[string]any:
		changed := make(map[string]any, len(v))
		for key, item := range v {
			changed[change(key)] = mapStrings(item, change)
		}
		return changed
	}
	return value
}

func isA[T any](value any) bool {
	_, is := value.(T)
	return is
}

func isNo[T any](value any) bool { return !isA[T](value) }

// objectOf decodes an object, nil where it is none.
func objectOf(data []byte) map[string]any {
	object, _ := decode(data).(map[string]any)
	return object
}

// decode decodes JSON without losing digits; nil when it is none, or more than one value.
func decode(data []byte) any {
	if !json.Valid(data) {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return nil
	}
	return value
}

func encode(value any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil
	}
	return b.Bytes()
}
