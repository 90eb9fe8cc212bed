package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/report/screen"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

func asJSON(t *testing.T, r *result.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := writeJSONReport(&b, view.New(r, view.Options{})); err != nil {
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
	f.Add([]byte(leastReport))
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
		if err := screen.Write(io.Discard, view.New(r, view.Options{}), screen.Layout{}); err != nil {
			t.Error(err)
		}
	})
}

// A report whose run kept its exchanges is written as one that is encoded at once.
func TestExchangesAreWrittenAsIfEncodedAtOnce(t *testing.T) {
	r := failing()
	r.Exchanges = append(slices.Clone(r.Rules[0].Checks[0].Exchanges), result.Exchange{Error: "a \"quote\" and a \\", Request: result.Request{Body: "{[\"\u2028\x01"}})
	for _, check := range r.EachCheck() {
		r.Exchanges = append(r.Exchanges, check.Exchanges...)
	}
	for n := range len(r.Exchanges) {
		some := *r
		some.Exchanges = r.Exchanges[:n]
		var want bytes.Buffer
		encoder := json.NewEncoder(&want)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		if err := encoder.Encode(some); err != nil {
			t.Fatal(err)
		}
		if got := asJSON(t, &some); got != want.String() {
			t.Errorf("%d exchanges are written otherwise:\n%s\nwant\n%s", n, got, want.String())
		}
	}
}

// The exchanges of a run are left out of an outcome, those of checks are not.
func TestReadOutcome(t *testing.T) {
	r := failing()
	for _, check := range r.EachCheck() {
		r.Exchanges = append(r.Exchanges, check.Exchanges...)
	}
	r.Exchanges[0].Request.Body = strings.Repeat("x", 200<<10) // more than a buffer has
	back, err := ReadOutcome(strings.NewReader(asJSON(t, r)))
	if err != nil {
		t.Fatal(err)
	}
	if r.Exchanges = nil; !reflect.DeepEqual(r, back) {
		t.Error("the outcome is another one")
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(asJSON(t, failing()))); err != nil {
		t.Fatal(err)
	}
	if back, err := ReadOutcome(&compact); err != nil || !reflect.DeepEqual(failing(), back) {
		t.Errorf("a report in one line came back changed, or as %v", err)
	}
	if _, err := ReadOutcome(strings.NewReader("{\n  \"exchanges\": [\n")); err == nil {
		t.Error("a report that is cut off was read")
	}
}
