package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

func asJSON(t *testing.T, r *result.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := writeJSONReport(&b, r, Options{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestJSONRoundTrip(t *testing.T) {
	for name, r := range reports() {
		back, err := ReadJSON(strings.NewReader(asJSON(t, r)))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !reflect.DeepEqual(r, back) {
			t.Errorf("%s came back changed", name)
		}
	}
}

func TestJSONIsForPeopleToo(t *testing.T) {
	r := failing()
	r.Rules[0].Statement = "a < b && c > d"
	got := asJSON(t, r)
	if !strings.Contains(got, `"statement": "a < b && c > d"`) || !strings.Contains(got, "$APP_TOKEN:$SESSION_TOKEN") {
		t.Error("characters are escaped that need not be")
	}
	if !strings.HasPrefix(got, "{\n  \"schema\": \"conform.report/v1\",\n") || !strings.HasSuffix(got, "\n}\n") {
		t.Error("not indented, or without a newline at its end")
	}
}

func TestReadJSONIgnoresUnknownKeys(t *testing.T) {
	r, err := ReadJSON(strings.NewReader(`{"schema":"conform.report/v1","seed":7,"news":{"a":[1]}}` + "\n "))
	if err != nil || r.Seed != 7 {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestReadJSONRefuses(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"nothing":            {"", "it is empty"},
		"only space":         {" \n", "it is empty"},
		"no JSON":            {"<html>\n", "invalid character '<'"},
		"cut off":            {`{"schema":"conform.report/v1","rules":[`, "it is cut off"},
		"of a newer version": {`{"schema":"conform.report/v2"}`, "newer than this version"},
		"another schema":     {`{"schema":"conform.report/v0"}`, `"conform.report/v0", not "conform.report/v1"`},
		"another shape":      {`{"schema":"other/v1","rules":7}`, `"other/v1"`},
		"no report":          {`[1,2]`, `its schema is ""`},
		"a wrong type":       {`{"schema":"conform.report/v1","rules":[{"id":7}]}`, "rules.id holds a number"},
		"something after":    {`{"schema":"conform.report/v1"} {}`, "something follows"},
		"a long schema":      {`{"schema":"` + strings.Repeat("x\\n", 500) + `"}`, "schema"},
	} {
		_, err := ReadJSON(strings.NewReader(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") || len(err.Error()) > 300 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestReadJSONIsBounded(t *testing.T) {
	text := `{"schema":"conform.report/v1"}`
	if _, err := readJSON(strings.NewReader(text), int64(len(text))); err != nil {
		t.Errorf("a report of just the size: %v", err)
	}
	for name, from := range map[string]string{"value": text, "space behind it": text + "   ", "long string": `{"schema":"` + strings.Repeat("x", 5000)} {
		if _, err := readJSON(strings.NewReader(from), int64(len(text)-1)); err == nil || !strings.Contains(err.Error(), "larger than") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errors.New("the disk is gone") }

func TestReadJSONTellsWhyItCannotRead(t *testing.T) {
	if _, err := ReadJSON(brokenReader{}); err == nil || !strings.Contains(err.Error(), "the disk is gone") {
		t.Error(err)
	}
}

// Whatever ReadJSON takes can be written again: as the same JSON, and as text.
func FuzzReadJSON(f *testing.F) {
	// A small seed: large ones keep the fuzzer busy with making them smaller.
	seed := newReport(result.NonConformant, []result.Rule{
		newRule("users.me.get", rules.Must, broken(rules.GetMe, result.Fail, "200 OK", 500, "{}")),
	}, result.Choice{Rule: "users.id-type", Answer: "integer at GET /0.2/user"})
	seed.Endpoints = seed.Endpoints[3:4]
	data, err := json.Marshal(seed)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"schema":"conform.report/v1","rules":[{"status":"fail","checks":null},{"status":"error"}],"endpoints":[{}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := ReadJSON(bytes.NewReader(data))
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("an error of more than a line: %q", err)
			}
			return
		}
		first := asJSON(t, r)
		again, err := ReadJSON(strings.NewReader(first))
		if err != nil {
			t.Fatalf("its own JSON is not taken back: %v", err)
		}
		if second := asJSON(t, again); first != second {
			t.Errorf("a second trip changes the report:\n%s\n%s", first, second)
		}
		if err := writeText(io.Discard, r, Options{}); err != nil {
			t.Error(err)
		}
	})
}
