package jsonvalue

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func jsonValue(t *testing.T, text string) any {
	t.Helper()
	value, err := Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func TestEqualJSON(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{`1e-9`, `0.000000001`, true},
		{`1E-9`, `1.0e-09`, true},
		{`52`, `52.0`, true},
		{`-13.25`, `-13.250`, true},
		{`0.1`, `0.10000000000000000555`, true}, // one float
		{`0`, `-0`, true},
		{`1000`, `1e3`, true},
		{`1`, `2`, false},
		{`1e-9`, `1e-8`, false},
		{`12743631303647841`, `12743631303647840`, false},
		{`12743631303647841`, `12743631303647841`, true},
		{`-12743631303647841`, `12743631303647841`, false},
		{`340282366920938463463374607431768211455`, `340282366920938463463374607431768211456`, false},
		{`1e400`, `1e401`, false},
		{`1`, `"1"`, false},
		{`1`, `true`, false},
		{`null`, `0`, false},
		{`"a"`, `"a"`, true},
		{`"é"`, `"\u00e9"`, true},
		{`"\u00e9"`, `"e\u0301"`, false}, // composed and not
		{`{"a":1,"b":{"c":[1,2]}}`, `{"b":{"c":[1.0,2]},"a":1e0}`, true},
		{`{"a":1}`, `{"a":1,"b":2}`, false},
		{`{"a":1}`, `{"b":1}`, false},
		{`{"a":12743631303647841}`, `{"a":12743631303647840}`, false},
		{`[1,2]`, `[2,1]`, false},
		{`[1]`, `[1,1]`, false},
		{`[{"id":12743631303647841}]`, `[{"id":12743631303647840}]`, false},
		{`[]`, `{}`, false},
		{`[]`, `null`, false},
		{`{}`, `{}`, true},
	} {
		for _, swap := range []bool{false, true} {
			a, b := jsonValue(t, tc.a), jsonValue(t, tc.b)
			if swap {
				a, b = b, a
			}
			if got := Equal(a, b); got != tc.want {
				t.Errorf("equalJSON(%s, %s) = %v", Show(a), Show(b), got)
			}
		}
	}
}

// What was sent as Go values compares to what came back as JSON.
func TestNormalizedComparesToWhatComesBack(t *testing.T) {
	for _, tc := range []struct {
		sent any
		back string
	}{
		{1e-9, `0.000000001`}, {-73.98, `-73.98`}, {int64(12743631303647841), `12743631303647841`},
		{map[string]string{"a": "<&>"}, `{"a":"\u003c&>"}`}, {[]string{"a"}, `["a"]`}, {Fields{"x": Fields{"y": true}}, `{"x":{"y":true}}`},
	} {
		if !Equal(Normalized(tc.sent), jsonValue(t, tc.back)) {
			t.Errorf("%v does not compare to %s", tc.sent, tc.back)
		}
	}
}

func TestDecodeJSONTakesOneValue(t *testing.T) {
	for _, text := range []string{``, ` `, `{`, `{} {}`, `{}]`, `nul`, `{"a":01}`, "\ufeff{}", `{"a":NaN}`, strings.Repeat("[", 100_000)} {
		if value, err := Decode([]byte(text)); err == nil {
			t.Errorf("%s decodes to %v", Cut(text, 20), value)
		}
	}
	if got := Show(jsonValue(t, ` {"id":12743631303647841,"x":1.50} `)); got != `{"id":12743631303647841,"x":1.50}` {
		t.Errorf("digits are lost: %s", got)
	}
}

func TestRecordReadsIDsAsText(t *testing.T) {
	r, _ := AsRecord(jsonValue(t, `{"id":12743631303647841,"s":"x","n":null,"b":true,"o":{"id":"y"}}`))
	for field, want := range map[string]string{"id": "12743631303647841", "s": "x", "n": "", "b": "", "o": "", "absent": ""} {
		if got := r.Text(field); got != want {
			t.Errorf("Text(%s) = %q, want %q", field, got, want)
		}
	}
	if r.ID() != "12743631303647841" || r.Map("o").ID() != "y" || r.Map("s") != nil || !r.Has("n") || r.Has("absent") {
		t.Errorf("misread: %v", r)
	}
}

func TestParseTimestamp(t *testing.T) {
	utc := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"2026-01-02T03:04:05Z":              utc,
		"2026-01-02t03:04:05z":              utc,
		"2026-01-02T03:04:05+00:00":         utc,
		"2026-01-02T03:04:05-00:00":         utc,
		"2026-01-02T08:34:05+05:30":         utc,
		"2026-01-01T19:04:05-08:00":         utc,
		"2026-01-03T03:03:05+23:59":         utc,
		"2026-01-02T03:04:05.5Z":            utc.Add(500 * time.Millisecond),
		"2026-01-02T03:04:05.123456789Z":    utc.Add(123456789),
		"2026-01-02T03:04:05.123456789012Z": utc.Add(123456789),
		"2026-01-02T03:04:05.000+00:00":     utc,
		"0000-01-01T00:00:00Z":              time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC),
		"0001-01-01T00:00:00.000Z":          {},
		"9999-12-31T23:59:59Z":              time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC),
		"2024-02-29T00:00:00Z":              time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC),
		"2016-12-31T23:59:60Z":              time.Date(2016, 12, 31, 23, 59, 59, 0, time.UTC),
	} {
		if got, ok := ParseTimestamp(text); !ok || !got.Equal(want) {
			t.Errorf("parseTimestamp(%s) = %v, %v, want %v", text, got, ok, want)
		}
	}
}

func TestCompareTimestamps(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"2026-11-23T10:00:00.123456Z", "2026-11-23T10:00:00.123456Z", 0},
		{"2026-11-23T10:00:00.123456Z", "2026-11-23t11:00:00.123456+01:00", 0},
		{"2026-11-23T10:00:00.123456Z", "2026-11-23T10:00:00.123457Z", -1},
		{"2026-11-23T10:00:00.123456789Z", "2026-11-23T10:00:00.123456Z", 0},
		{"2026-11-23T10:00:00.123456789Z", "2026-11-23T10:00:00.123457Z", 0}, // rounded, where the other is cut
		{"2026-11-23T10:00:00.123456789Z", "2026-11-23T10:00:00.123458Z", -1},
		{"2026-11-23T10:00:00.123789Z", "2026-11-23T10:00:00.123Z", 0},
		{"2026-11-23T10:00:00.123789Z", "2026-11-23T10:00:00.12Z", 0},
		{"2026-11-23T10:00:00.9Z", "2026-11-23T10:00:00Z", 0},             // cut to the second, as databases do
		{"2026-11-23T10:00:00.9Z", "2026-11-23T10:00:01Z", 0},             // or rounded
		{"2026-11-23T10:00:00.900000Z", "2026-11-23T10:00:00.000000Z", 0}, // and written with all digits
		{"2026-11-23T10:00:00.123456Z", "2026-11-23T10:00:00.124000Z", 0},
		{"2026-11-23T10:00:00.123456Z", "2026-11-23T10:00:00.125000Z", -1},
		{"2026-11-23T10:00:00Z", "2026-11-23T10:00:01Z", -1},
		{"2026-11-23T10:00:01.1Z", "2026-11-23T10:00:00Z", 1},
		{"2026-11-23T10:00:00.1234567890123Z", "2026-11-23T10:00:00.123456789Z", 0},
	} {
		if got, ok := CompareTimestamps(test.a, test.b); !ok || got != test.want {
			t.Errorf("CompareTimestamps(%s, %s) = %d, %v, want %d", test.a, test.b, got, ok, test.want)
		}
	}
	for _, none := range []string{"", "yesterday"} {
		if _, ok := CompareTimestamps(none, "2026-11-23T10:00:00Z"); ok {
			t.Errorf("%q is compared as a time", none)
		}
	}
}

// TestTimesGoBackByMoreThanClocksDiffer tells a time that went back from one by another clock.
func TestTimesGoBackByMoreThanClocksDiffer(t *testing.T) {
	for later, want := range map[string]bool{
		"2026-11-23T10:00:00Z": false, "2026-11-23T11:00:01Z": false, "2026-11-23T09:59:57.5Z": false, "2026-11-23T09:59:00Z": true, "": false,
	} {
		if got := WentBack("2026-11-23T10:00:00Z", later); got != want {
			t.Errorf("from 10:00:00Z to %q it went back: %v", later, got)
		}
	}
}

func TestParseTimestampRefuses(t *testing.T) {
	for _, text := range []string{
		"", "0", "now", "1767322800", "2026-01-02", "03:04:05Z", "2026-01-02T03:04:05", "2026-01-02T03:04Z",
		"2026-01-02 03:04:05Z", "2026-01-02T03:04:05 Z", " 2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z ",
		"2026-01-02T03:04:05+0100", "2026-01-02T03:04:05+01", "2026-01-02T03:04:05,5Z", "2026-01-02T03:04:05.Z",
		"2026-13-02T03:04:05Z", "2026-00-02T03:04:05Z", "2026-01-32T03:04:05Z", "2026-01-00T03:04:05Z", "2023-02-29T00:00:00Z",
		"2026-01-02T24:00:00Z", "2026-01-02T03:60:05Z", "2026-01-02T03:04:61Z", "2026-1-2T3:4:5Z", "2026-01-02T3:04:05.5Z",
		"2026-01-02T03:04:05+24:00", "2026-01-02T03:04:05+05:60", "2026-01-02T03:04:05+99:99", "2026-01-02T03:04:05Z+01:00",
		"20260102T030405Z", "2026-W01-5T03:04:05Z", "+2026-01-02T03:04:05Z", "-2026-01-02T03:04:05Z", "12026-01-02T03:04:05Z",
		"2026-01-02T03:04:05.5ZZ", "２026-01-02T03:04:05Z", "Fri, 02 Jan 2026 03:04:05 GMT", "2026-01-02T03:04:05UTC",
	} {
		if got, ok := ParseTimestamp(text); ok {
			t.Errorf("parseTimestamp(%q) = %v", text, got)
		}
	}
}

func TestHappened(t *testing.T) {
	for value, want := range map[string]bool{
		`"0000-01-01T00:00:00Z"`: false, `"0001-01-01T00:00:00Z"`: false, `"0000-12-31T23:59:59-12:00"`: false,
		`"2026-01-02T03:04:05Z"`: true, `"soon"`: false, `7`: false, `null`: false,
	} {
		if got := (Record{"last_login": jsonValue(t, value)}).Happened("last_login"); got != want {
			t.Errorf("%s happened: %v", value, got)
		}
	}
}

// What parses says the same when it is written anew.
func FuzzParseTimestamp(f *testing.F) {
	for _, text := range []string{"2026-01-02T03:04:05Z", "0000-01-01t00:00:00.1z", "2016-12-31T23:59:60+05:30", "2026-01-02T3:04:05.5Z", "ſ026-01-02T03:04:05Z"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at, ok := ParseTimestamp(text)
		if !ok {
			return
		}
		if len(text) < len("2026-01-02T03:04:05Z") || strings.ContainsAny(text, ", ") || strings.ContainsFunc(text, func(r rune) bool { return r > 'z' }) {
			t.Errorf("%q is taken for a timestamp", text)
		}
		if again, ok := ParseTimestamp(at.Format(time.RFC3339Nano)); !ok || !again.Equal(at) {
			t.Errorf("%q is %v, and written anew %v", text, at, again)
		}
	})
}

// TestShowBothShowsTheDifference checks that two long values are cut where they differ.
func TestShowBothShowsTheDifference(t *testing.T) {
	long := strings.Repeat("é", 1000)
	for _, test := range []struct{ a, b any }{
		{long + "a", long + "b"},
		{long, long + "b"},
		{strings.Repeat("é", 250) + "a", strings.Repeat("é", 250) + "b"},
		{"a", "b"},
		{"a" + long, "b" + long},
		{map[string]any{"k": long + "a"}, map[string]any{"k": long}},
	} {
		a, b := ShowBoth(test.a, test.b)
		if a == b || utf8.RuneCountInString(a) > 301 || utf8.RuneCountInString(b) > 301 {
			t.Errorf("%d and %d characters are shown as %s and %s", len(fmt.Sprint(test.a)), len(fmt.Sprint(test.b)), a, b)
		}
	}
}

// TestEscapedTextMeansTheSame writes texts in ASCII and reads them back.
func TestEscapedTextMeansTheSame(t *testing.T) {
	for _, text := range []string{"plain", "größe", "👍🏽 and 界", "\u2028", `a "quoted" \ one`} {
		encoded, err := Encode(map[string]any{"a": text})
		if err != nil {
			t.Fatal(err)
		}
		escaped := Escaped(string(encoded))
		for _, b := range []byte(escaped) {
			if b >= 0x80 {
				t.Fatalf("%q is not ASCII", escaped)
			}
		}
		back, err := Decode([]byte(escaped))
		if err != nil || !reflect.DeepEqual(back, map[string]any{"a": text}) {
			t.Errorf("%q is read as %v, %v", escaped, back, err)
		}
	}
}
