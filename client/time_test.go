package client

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestParseTime(t *testing.T) {
	for text, want := range map[string]time.Time{
		"2014-05-01T10:00:00Z":           time.Date(2014, 5, 1, 10, 0, 0, 0, time.UTC),
		"2014-05-01t10:00:00z":           time.Date(2014, 5, 1, 10, 0, 0, 0, time.UTC),
		"2014-05-01T10:00:00.123456789Z": time.Date(2014, 5, 1, 10, 0, 0, 123456789, time.UTC),
		"2014-05-01T10:00:00+05:30":      time.Date(2014, 5, 1, 4, 30, 0, 0, time.UTC),
		"2014-05-01T10:00:00-00:00":      time.Date(2014, 5, 1, 10, 0, 0, 0, time.UTC),
		"0000-01-01T00:00:00Z":           time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC),
		"9999-12-31T23:59:59Z":           time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC),
		"2016-12-31T23:59:60Z":           time.Date(2017, 1, 1, 0, 0, 0, 0, time.UTC),
		"2016-12-31T23:59:60.5Z":         time.Date(2017, 1, 1, 0, 0, 0, 5e8, time.UTC),
	} {
		if got, err := parseTime(text); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "now", "2014-05-01", "2014-05-01 10:00:00Z", "2014-05-01T10:00:00", "2014-5-1T10:00:00Z",
		"2014-02-30T10:00:00Z", "2014-05-01T10:00:61Z", "2014-05-01T10:00:00,5Z", "2014-05-01T10:00:00.Z", "2014-05-01T1:00:00Z", "2014-05-01T10:00:00+0530", "1398938400"} {
		if got, err := parseTime(text); err == nil {
			t.Errorf("%s is taken as %v", text, got)
		} else if text != "" && strings.Contains(err.Error(), text) {
			t.Errorf("%v quotes the text", err)
		}
	}
}

func TestNeverLoggedIn(t *testing.T) {
	for body, want := range map[string]bool{
		`{"id":1}`: true,
		`{"id":1,"last_login":"0000-01-01T00:00:00Z"}`:      true,
		`{"id":1,"last_login":"0000-01-01T00:00:00+02:00"}`: true,
		`{"id":1,"last_login":"0001-01-01T00:00:00Z"}`:      true,
		`{"id":1,"last_login":"2014-05-01T10:00:00Z"}`:      false,
	} {
		var u User
		if err := json.Unmarshal([]byte(body), &u); err != nil || u.NeverLoggedIn() != want {
			t.Errorf("%s: %v, %v", body, u.NeverLoggedIn(), err)
		}
	}
}

// TestModelsEncode: what a program stores, it can read again.
func TestModelsEncode(t *testing.T) {
	for _, body := range []string{adaJSON, `{"id":"1"}`} {
		var before, after User
		if err := json.Unmarshal([]byte(body), &before); err != nil {
			t.Fatal(err)
		}
		stored, err := json.Marshal(before)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(stored, &after); err != nil || !sameJSON(t, string(stored), mustJSON(t, after)) {
			t.Errorf("%s: %v", stored, err)
		}
		if strings.Contains(string(stored), "null") || strings.Contains(string(stored), "0001-01-01") {
			t.Errorf("blank fields are encoded: %s", stored)
		}
	}
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func FuzzTime(f *testing.F) {
	for _, seed := range []string{"2014-05-01T10:00:00Z", "0000-01-01T00:00:00Z", "2016-12-31T23:59:60.5+01:00", "2014-05-01t10:00:00.1z",
		"60", "2014-05-01T10:00:60", "9999-12-31T23:59:60Z", "ſ014-05-01T10:00:00Z"} {
		f.Add(seed)
	}
	grammar := regexp.MustCompile(`^(?i)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$`)
	f.Fuzz(func(t *testing.T, text string) {
		got, err := parseTime(text)
		if err == nil && !grammar.MatchString(text) {
			t.Errorf("%q is taken as %v", text, got)
		}
		var want time.Time
		if grammar.MatchString(text) && want.UnmarshalText([]byte(text)) == nil && (err != nil || !got.Equal(want)) {
			t.Errorf("%q: %v, %v instead of %v", text, got, err, want)
		}
	})
}
