package wire

import (
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode"
)

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	const fallback = 700 * time.Millisecond
	for value, want := range map[string]time.Duration{
		"":                               fallback,
		"soon":                           fallback,
		"-5":                             fallback,
		"1.5":                            fallback,
		"99999999999999999999999":        fallback,
		"0":                              initialBackoff,
		"1":                              time.Second,
		" 12 ":                           12 * time.Second,
		"120":                            2 * time.Minute,
		"Fri, 02 Jan 2026 03:04:08 GMT":  3 * time.Second,
		"Fri, 02 Jan 2026 03:04:05 GMT":  initialBackoff,
		"Thu, 01 Jan 1970 00:00:00 GMT":  initialBackoff,
		"Friday, 02-Jan-26 03:05:05 GMT": time.Minute,
	} {
		h := http.Header{}
		if value != "" {
			h.Set("Retry-After", value)
		}
		if got := retryAfter(h, now, fallback); got != want {
			t.Errorf("Retry-After: %q waits %s, want %s", value, got, want)
		}
	}
}

func FuzzRetryAfter(f *testing.F) {
	for _, value := range []string{"", "0", "-1", "1073741823", "9223372036854775807", "Fri, 31 Dec 9999 23:59:59 GMT", "Mon, 01 Jan 0000 00:00:00 GMT"} {
		f.Add(value, int64(1767322800))
	}
	f.Fuzz(func(t *testing.T, value string, at int64) {
		now := time.Unix(at%(1<<40), 0)
		wait := retryAfter(http.Header{"Retry-After": {value}}, now, initialBackoff)
		if wait < initialBackoff {
			t.Errorf("Retry-After: %q waits %s", value, wait)
		}
		if strings.ContainsFunc(value, unicode.IsLetter) && !strings.Contains(value, ":") && wait != initialBackoff {
			t.Errorf("Retry-After: %q, which says nothing, waits %s", value, wait)
		}
	})
}
