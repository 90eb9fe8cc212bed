package client

import (
	"encoding/json"
	"errors"
	"strings"
	"time"
)

var errTimestamp = errors.New("a timestamp that is not RFC 3339")

// timestamp reads what RFC 3339 allows (General transport rules, item 4), and
// time.Time's own decoding does not: lower-case letters and leap seconds.
type timestamp time.Time

func (t *timestamp) UnmarshalJSON(data []byte) error {
	var text string
	if len(data) == 0 || data[0] != '"' || json.Unmarshal(data, &text) != nil {
		return errTimestamp
	}
	parsed, err := parseTime(text)
	*t = timestamp(parsed)
	return err
}

// parseTime returns the instant in UTC. A leap second is the second after it.
func parseTime(text string) (time.Time, error) {
	text = strings.ToUpper(text)
	if !hasTimeShape(text) {
		return time.Time{}, errTimestamp
	}
	const seconds = len("0000-00-00T00:00:")
	leap := time.Duration(0)
	if text[seconds:seconds+2] == "60" {
		text = text[:seconds] + "59" + text[seconds+2:]
		leap = time.Second
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}, errTimestamp // err would quote the text
	}
	return t.Add(leap).UTC(), nil
}

// hasTimeShape checks what time.Parse lets pass, such as a comma before the
// fraction and hours of one digit.
func hasTimeShape(text string) bool {
	const clock = "0000-00-00T00:00:00"
	if len(text) < len(clock) || !hasShape(text[:len(clock)], clock) {
		return false
	}
	zone := text[len(clock):]
	if fraction, ok := strings.CutPrefix(zone, "."); ok {
		zone = strings.TrimLeft(fraction, "0123456789")
		if len(zone) == len(fraction) {
			return false
		}
	}
	return zone == "Z" || hasShape(zone, "+00:00") || hasShape(zone, "-00:00")
}

// hasShape reports whether text is shape with any digits in place of its zeros.
func hasShape(text, shape string) bool {
	if len(text) != len(shape) {
		return false
	}
	for i := range len(shape) {
		digit := '0' <= text[i] && text[i] <= '9'
		if shape[i] == '0' && !digit || shape[i] != '0' && text[i] != shape[i] {
			return false
		}
	}
	return true
}
