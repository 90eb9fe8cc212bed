package client

import (
	"encoding/json"
	"errors"
	"net/url"
	"strconv"
	"strings"
)

// ID identifies a user or an event. The contract leaves its type open
// (Resources and their fields): an ID keeps the text and the form, number or
// string, in which the service issued it, and is sent back in that form.
//
// IDs are comparable. The service may give one id in both forms, and == tells
// these apart: use SameAs to compare, and String as a map key, where that matters.
type ID struct {
	text   string
	number bool
}

// ParseID returns the ID with the text s, in string form. An empty s gives the
// zero ID.
func ParseID(s string) ID { return ID{text: s} }

// NumberID returns the ID n, in number form.
func NumberID(n int64) ID { return ID{text: strconv.FormatInt(n, 10), number: true} }

// String is the ID's text, the same in both forms.
func (id ID) String() string { return id.text }

// IsZero reports whether the ID has no value.
func (id ID) IsZero() bool { return id.text == "" }

// SameAs reports whether both IDs have the same text, in whatever form.
func (id ID) SameAs(other ID) bool { return id.text == other.text }

// segment is the ID as one segment of a path.
func (id ID) segment() string { return url.PathEscape(id.text) }

// MarshalJSON writes the ID in the form it was given. An ID without a value
// cannot be written.
func (id ID) MarshalJSON() ([]byte, error) {
	switch {
	case id.IsZero():
		return nil, errors.New("an ID without a value")
	case id.number:
		return []byte(id.text), nil
	default:
		return json.Marshal(id.text)
	}
}

// UnmarshalJSON takes a string that is not empty, or an integer of any size.
func (id *ID) UnmarshalJSON(data []byte) error {
	if isInteger(string(data)) {
		*id = ID{text: string(data), number: true}
		return nil
	}
	var text string
	if len(data) == 0 || data[0] != '"' || json.Unmarshal(data, &text) != nil || text == "" {
		return errors.New("an ID that is neither an integer nor a string with text in it")
	}
	*id = ID{text: text}
	return nil
}

// isInteger reports whether s is a JSON number without fraction and exponent.
func isInteger(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || digits[0] == '0' && digits != "0" {
		return false
	}
	return strings.Trim(digits, "0123456789") == ""
}
