package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// Fields are the fields of a resource as a scenario sends them.
type Fields map[string]any

// Record is a resource as the target returned it: numbers keep their digits.
type Record map[string]any

// Has tells whether the field is there, whatever its value.
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
	return parseTimestamp(text)
}

// decodeJSON decodes exactly one JSON value, keeping the digits of numbers.
func decodeJSON(data []byte) (any, error) {
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

// encodeJSON encodes a request's body as it is, without escaping for HTML.
func encodeJSON(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// normalized is a value as it looks after a trip through JSON, so that what was
// sent and what came back compare.
func normalized(value any) any {
	data, err := encodeJSON(value)
	if err != nil {
		return value
	}
	back, err := decodeJSON(data)
	if err != nil {
		return value
	}
	return back
}

// show is a value in a message: JSON, cut.
func show(value any) string {
	data, err := encodeJSON(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return cutText(string(data), 300)
}

func cutText(s string, most int) string {
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	return string(runes[:most]) + "…"
}
