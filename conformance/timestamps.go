package conformance

import (
	"strings"
	"time"
)

// parseTimestamp reads an RFC 3339 timestamp with any fraction and offset, year
// 0000 included. A leap second counts as the last of its minute; RFC 3339 lets
// T and Z be lower case.
func parseTimestamp(text string) (time.Time, bool) {
	upper := strings.ToUpper(text)
	if len(upper) < len("2006-01-02T15:04:05Z") || strings.Contains(upper, ",") {
		return time.Time{}, false
	}
	if upper[17:19] == "60" {
		upper = upper[:17] + "59" + upper[19:]
	}
	t, err := time.Parse(time.RFC3339Nano, upper)
	return t, err == nil
}

// Happened tells whether the field is the time of something that happened: a
// timestamp, and not the zero value that stands for never.
func (r Record) Happened(field string) bool {
	t, ok := r.Instant(field)
	return ok && t.Year() > 1
}
