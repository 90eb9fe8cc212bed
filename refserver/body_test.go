package refserver

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"
	"unicode/utf8"
)

// FuzzBodiesAreReadAsByEncodingJSON holds the members of a body, and its texts, against encoding/json.
func FuzzBodiesAreReadAsByEncodingJSON(f *testing.F) {
	for _, body := range []string{
		`{}`, ` { } `, `[]`, `null`, `7`, `"a"`, ``, `{`, `{"a":1}`, "{\"a\" : \"b\"\n,\t\"c\":null}", `{"a":[1,{"b":"]}"}],"d":-1e5,"e":true}`,
		`{"a":1,"a":2}`, `{"\u0061":"\u00e9\ud800"}`, `{"a":"\\\"","b":"x"}`, `{"":{"":{}}}`, `{"a":1,}`, `{"a":1}x`, "{\"a\":\"\x01\"}", "{\"\xff\":1}", `{"ä":"😀"}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var want map[string]json.RawMessage
		wantErr := json.Unmarshal(body, &want)
		got, err := decodeObject(body, 422)
		if (err == nil) != (wantErr == nil && want != nil) && json.Valid(body) && utf8.Valid(body) {
			t.Fatalf("%q: %v, encoding/json %v", body, err, wantErr)
		}
		if err != nil {
			return
		}
		if !maps.EqualFunc(got, want, slices.Equal[json.RawMessage]) {
			t.Errorf("%q: %q, want %q", body, got, want)
		}
		for name, raw := range got {
			var text string
			wrong := json.Unmarshal(raw, &text)
			if plain, is := plainText(raw); is && (wrong != nil || plain != text) {
				t.Errorf("%s of %q: %q, want %q (%v)", name, body, plain, text, wrong)
			}
		}
	})
}
