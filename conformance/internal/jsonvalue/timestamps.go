package jsonvalue

import (
	"strings"
	"time"
)

// ParseTimestamp reads an RFC 3339 timestamp with any fraction and offset, year
// 0000 included. A leap second counts as the last of its minute; RFC 3339 lets
// T and Z be lower case.
func ParseTimestamp(text string) (time.Time, bool) {
	upper := strings.ToUpper(text)
	// The library takes an hour of one digit, and a comma before the fraction.
	if len(upper) < len("2006-01-02T15:04:05Z") || upper[13] != ':' || strings.Contains(upper, ",") {
		return time.Time{}, false
	}
	if upper[17:19] == "60" {
		upper = upper[:17] + "59" + upper[19:]
	}
	t, err := time.Parse(time.RFC3339Nano, upper)
	return t, err == nil && soundOffset(upper)
}

// CompareTimestamps compares two RFC 3339 timestamps: negative where a is, 0 where they are the
// same instant; false where one is none. Where they are of different precision they are compared as
// finely as the coarser one says: a server may answer a write with a finer time than its database
// keeps, which cuts or rounds it, to the second at most. The contract promises no precision.
func CompareTimestamps(a, b string) (int, bool) {
	x, okX := ParseTimestamp(a)
	y, okY := ParseTimestamp(b)
	digitsX, digitsY := precision(x), precision(y)
	if digitsX != digitsY && x.Sub(y).Abs() < unit(min(digitsX, digitsY)) {
		return 0, okX && okY
	}
	return x.Compare(y), okX && okY
}

// ClockSkew is how far apart the clocks of a service's replicas may be.
const ClockSkew = 5 * time.Second

// WentBack reports whether a timestamp is before an earlier one: never by as little as the clocks
// of two replicas may differ, of which each may have answered one request.
func WentBack(earlier, later string) bool {
	x, okX := ParseTimestamp(earlier)
	y, okY := ParseTimestamp(later)
	return okX && okY && x.Sub(y) > ClockSkew
}

// precision is how many digits after the seconds a time needs.
func precision(t time.Time) int {
	const most = 9
	digits := most
	for n := t.Nanosecond(); digits > 0 && n%10 == 0; n /= 10 {
		digits--
	}
	return digits
}

// unit is the smallest time that so many digits after the seconds can tell.
func unit(digits int) time.Duration {
	d := time.Second
	for range digits {
		d /= 10
	}
	return max(d, 1)
}

// soundOffset reports whether a numeric offset stays within a day and has no more
// than 59 minutes, which the library does not insist on.
func soundOffset(text string) bool {
	if strings.HasSuffix(text, "Z") {
		return true
	}
	offset := text[len(text)-len("00:00"):]
	return offset[:2] <= "23" && offset[3:] <= "59"
}

// Happened reports whether the field is the time of something that happened: a
// timestamp, and not the zero value that stands for never.
func (r Record) Happened(field string) bool {
	t, ok := r.Instant(field)
	return ok && t.Year() > 1
}
