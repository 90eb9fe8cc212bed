// Package jsonvalue reads, compares and shows decoded JSON without losing the digits
// of numbers.
package jsonvalue

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// Fields are the fields of a resource as a scenario sends them.
type Fields map[string]any

// Record is a resource as the target returned it: numbers keep their digits.
type Record map[string]any

// Has reports whether the field is there, whatever its value.
func (r Record) Has(field string) bool {
	_, ok := r[field]
	return ok
}

// Text is a string field's value; of a number its digits, of anything else "".
// So it is the way to read ids, which are compared as text.
func (r Record) Text(field string) string {
	switch v := r[field].(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// Shown is a field's value as a report shows it, "absent" where there is none.
func (r Record) Shown(field string) string {
	if !r.Has(field) {
		return "absent"
	}
	return Show(r[field])
}

// ID is the resource's id as text, "" when there is none.
func (r Record) ID() string { return r.Text("id") }

// Map is a field that holds an object, nil when it does not.
func (r Record) Map(field string) Record {
	m, _ := r[field].(map[string]any)
	return m
}

// Instant reads a timestamp; false when there is none that RFC 3339 knows.
func (r Record) Instant(field string) (time.Time, bool) {
	text, _ := r[field].(string)
	return ParseTimestamp(text)
}

// CompareInstant compares two records by the time in a field, as CompareTimestamps does.
func (r Record) CompareInstant(field string, other Record) (int, bool) {
	return CompareTimestamps(r.Text(field), other.Text(field))
}

// WentBack reports whether a time in a field of a later record is before that of this one, as WentBack does.
func (r Record) WentBack(field string, later Record) bool {
	return WentBack(r.Text(field), later.Text(field))
}

// AsRecords are the objects of a list; false where it is none, or holds anything else.
func AsRecords(value any) ([]Record, bool) {
	list, ok := value.([]any)
	if !ok {
		return nil, false
	}
	records := make([]Record, len(list))
	for i, item := range list {
		if records[i], ok = AsRecord(item); !ok {
			return nil, false
		}
	}
	return records, true
}

// AsRecord is an object as a Record.
func AsRecord(value any) (Record, bool) {
	m, ok := value.(map[string]any)
	return m, ok
}

// MaxLevels is how deep JSON may be nested to be decoded: answers of a service are a few levels
// deep, and walking through thousands takes long.
const MaxLevels = 1000

// Measure is about how many values there are in a text, and in how many levels, if that is JSON. It
// allocates nothing.
func Measure(data []byte) (values, levels int) {
	text, depth := false, 0
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case text && c == '\\':
			i++
		case c == '"':
			text = !text
		case text:
		case c == '{', c == '[':
			values++
			depth++
			levels = max(levels, depth)
		case c == '}', c == ']':
			depth--
		case c == ',', c == ':':
			values++
		}
	}
	return values, levels
}

// Decode decodes exactly one JSON value, keeping the digits of numbers.
func Decode(data []byte) (any, error) {
	if _, levels := Measure(data); levels > MaxLevels {
		return nil, fmt.Errorf("not JSON: nested in more than %d levels", MaxLevels)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, fmt.Errorf("not JSON: more follows the first value")
	}
	return value, nil
}

// Encode encodes a request's body as it is, without escaping for HTML.
func Encode(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Escaped returns a JSON text in ASCII: what is beyond it as \u escapes, in pairs where it is beyond
// the basic plane. It means the same.
func Escaped(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r < utf8.RuneSelf {
			b.WriteByte(byte(r))
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// Normalized is a value after encoding and decoding as JSON, so that values sent and received can
// be compared.
func Normalized(value any) any {
	data, err := Encode(value)
	if err != nil {
		return value
	}
	back, err := Decode(data)
	if err != nil {
		return value
	}
	return back
}

// Show is a value in a message: JSON, cut.
func Show(value any) string { return Cut(encoded(value), longestShown) }

// longestShown is how many characters of a value a message has.
const longestShown = 300

// ShowBoth is two values in a message: JSON, each cut so that the first character that differs
// is among what is left.
func ShowBoth(a, b any) (string, string) {
	one, other := []rune(encoded(a)), []rune(encoded(b))
	same := 0
	for same < min(len(one), len(other)) && one[same] == other[same] {
		same++
	}
	const before = 100 // characters that are the same
	skipped := same - before
	if skipped <= longestShown-2*before {
		return Show(a), Show(b)
	}
	return Cut("…"+string(one[skipped:]), longestShown), Cut("…"+string(other[skipped:]), longestShown)
}

func encoded(value any) string {
	data, err := Encode(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(data)
}

// Cut is at most so many characters of a text.
func Cut(s string, most int) string {
	n := 0
	for i := range s {
		if n == most {
			return s[:i] + "…"
		}
		n++
	}
	return s
}
