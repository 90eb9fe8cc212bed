package grid_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/grid"
	"github.com/socialfeed/conform/conformance/rules"
)

func TestCasesHaveNamesOfTheirOwn(t *testing.T) {
	seen := map[rules.Input]bool{}
	for _, c := range grid.Cases() {
		if seen[c.Input] {
			t.Errorf("two cases are %+v", c.Input)
		}
		seen[c.Input] = true
	}
}

func TestEveryCaseDiffersFromThePlainRequest(t *testing.T) {
	catalogue := rules.Load()
	for _, c := range grid.Cases() {
		before, after := grid.Plain(c.Endpoint), grid.Plain(c.Endpoint)
		c.Apply(after)
		sent, err := after.EncodedBody()
		if err != nil {
			t.Errorf("%+v: %v", c.Input, err)
			continue
		}
		unchanged, _ := before.EncodedBody()
		if bytes.Equal(sent, unchanged) && before.EscapedPath() == after.EscapedPath() && before.RawQuery == after.RawQuery && before.Chunked == after.Chunked && reflect.DeepEqual(before.Header, after.Header) {
			t.Errorf("%+v is the plain request", c.Input)
		}
		if _, known := catalogue.Rule(c.Rule); !known {
			t.Errorf("%+v names the rule %q, which is in no catalogue", c.Input, c.Rule)
		}
		if c.Accepted && len(c.Refused) > 0 {
			t.Errorf("%+v is to be accepted and refused", c.Input)
		}
	}
}

// The contract's status for a body that is no JSON is 400, as the scenarios have it.
func TestMalformedBodiesAskForA400(t *testing.T) {
	for _, c := range grid.Cases() {
		if strings.HasSuffix(c.Rule, ".malformed-json") && (len(c.Refused) == 0 || c.Refused[0] != http.StatusBadRequest) {
			t.Errorf("%s at %s asks for %v", c.Class, c.Endpoint, c.Refused)
		}
	}
}

// Ids are opaque: a server may look for a number in the place of one, and find nothing. A list is none.
func TestANumberInThePlaceOfAnIDMayBeUnknown(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range grid.Cases() {
		if c.Endpoint == rules.CreateConnection && c.Field == "user_to_id" && strings.HasSuffix(c.Rule, ".wrong-type") {
			seen[c.Class] = slices.Contains(c.Refused, http.StatusNotFound)
		}
	}
	for class, unknown := range map[string]bool{"a fraction": true, "true": true, "an empty list": false, "an object": false} {
		if got, there := seen[class]; !there || got != unknown {
			t.Errorf("%s may be answered with 404: %v (tried: %v), want %v", class, got, there, unknown)
		}
	}
}

// The parsers of some languages take it where nobody asked them to: that blames no server.
func TestNaNMayBeTakenForANumber(t *testing.T) {
	seen := 0
	for _, c := range grid.Cases() {
		if c.Class != "no number" {
			continue
		}
		if seen++; len(c.Refused) > 0 || c.Accepted {
			t.Errorf("%s must answer it with %v, or as a request without it: %v", c.Endpoint, c.Refused, c.Accepted)
		}
	}
	if seen == 0 {
		t.Error("no endpoint is sent NaN")
	}
}

func TestBeginningsCoverEveryClassAndPosition(t *testing.T) {
	classes, fields := map[string]bool{}, map[string]bool{}
	for _, c := range grid.Cases() {
		classes[c.Class], fields[c.Endpoint.String()+c.Field] = true, true
	}
	for seed := range uint64(5) {
		drawn := grid.Draw(seed)
		if len(drawn) != len(grid.Cases()) {
			t.Fatalf("seed %d draws %d of %d cases", seed, len(drawn), len(grid.Cases()))
		}
		first, covered := map[string]bool{}, map[string]bool{}
		for _, c := range drawn[:len(classes)] {
			first[c.Class], covered[c.Endpoint.String()+c.Field] = true, true
		}
		if len(first) != len(classes) {
			t.Errorf("the first %d of seed %d have %d classes", len(classes), seed, len(first))
		}
		if least := len(fields) * 2 / 3; len(covered) < least {
			t.Errorf("the first %d of seed %d cover %d of %d positions", len(classes), seed, len(covered), len(fields))
		}
		t.Logf("seed %d: %d cases, %d classes, %d of %d positions in the first of each class", seed, len(drawn), len(classes), len(covered), len(fields))
	}
	if reflect.DeepEqual(inputsOf(grid.Draw(1)), inputsOf(grid.Draw(2))) {
		t.Error("two seeds draw the same order")
	}
	if !reflect.DeepEqual(inputsOf(grid.Draw(1)), inputsOf(grid.Draw(1))) {
		t.Error("a seed draws two orders")
	}
}

func inputsOf(cases []grid.Case) []rules.Input {
	var all []rules.Input
	for _, c := range cases {
		all = append(all, c.Input)
	}
	return all
}

func TestLayoutsSayThePlainBody(t *testing.T) {
	const body = `{"list":["a: {b}, \"c\":",1.50],"map":{"k\n":null},"name":"x"}`
	var want any
	if err := json.Unmarshal([]byte(body), &want); err != nil {
		t.Fatal(err)
	}
	together := []byte(body)
	for _, layout := range grid.Layouts() {
		together = layout.Respell(together)
		alone := layout.Respell([]byte(body))
		for _, respelled := range [][]byte{together, alone} {
			var got any
			if err := json.Unmarshal(respelled, &got); err != nil || !reflect.DeepEqual(want, got) {
				t.Errorf("%s: %q does not say what %q says (%v)", layout.Name, respelled, body, err)
			}
		}
		if string(alone) == body {
			t.Errorf("%s changes nothing", layout.Name)
		}
	}
	for _, sign := range []string{"\r\n", "\t", `"\u00`, " "} {
		if !bytes.Contains(together, []byte(sign)) {
			t.Errorf("all layouts together lack %q: %q", sign, together)
		}
	}
}

// A group is of use only where its message has all that each of its cases changes.
func TestGroupsHaveAllOfTheirCases(t *testing.T) {
	for seed := range uint64(2) {
		for cases := range grid.Together(seed) {
			at, whole := cases[0].Endpoint, grid.Plain(cases[0].Endpoint)
			grid.ApplyAll(whole, cases)
			for _, c := range cases {
				if c.Endpoint != at || len(c.Refused) > 0 {
					t.Fatalf("seed %d: %+v is in a group of %s", seed, c, at)
				}
				alone := grid.Plain(at)
				c.Apply(alone)
				if lost := lostFrom(alone, grid.Plain(at), whole); lost != "" {
					t.Errorf("seed %d, %s: %s as %s is lost among %d cases: %s", seed, at, c.Class, c.Field, len(cases), lost)
				}
			}
		}
	}
}

// lostFrom is a header, field or flag that a message changes of the plain one and that another message has otherwise.
func lostFrom(m, plain, other *grid.Message) string {
	for name, values := range m.Header {
		if !reflect.DeepEqual(values, plain.Header[name]) && !reflect.DeepEqual(values, other.Header[name]) {
			return name
		}
	}
	for name, value := range m.Body {
		if _, nested := value.(map[string]any); nested && name == "object" {
			continue // of which each case has a field
		}
		if !reflect.DeepEqual(value, plain.Body[name]) && !reflect.DeepEqual(value, other.Body[name]) {
			return name
		}
	}
	if m.Chunked && !other.Chunked {
		return "chunks"
	}
	if m.RawQuery != "" && m.RawQuery != other.RawQuery {
		return m.RawQuery
	}
	return ""
}

// What must be accepted is tried at each endpoint by a group that a sound server accepts.
func TestEachEndpointHasOneGroupOfWhatIsAccepted(t *testing.T) {
	for seed := range uint64(2) {
		layouts := map[rules.Endpoint]int{}
		for cases := range grid.Together(seed) {
			for _, c := range cases {
				for _, layout := range grid.Layouts() {
					if c.Class == layout.Name {
						layouts[c.Endpoint]++
					}
				}
				if c.Accepted && c.Reception != grid.Taken {
					t.Errorf("%+v must be accepted, and is taken for one that servers refuse", c.Input)
				}
			}
		}
		for _, e := range rules.Endpoints() {
			body := grid.Plain(e).Body
			want := len(grid.Layouts())
			switch {
			case len(e.Request().Body) == 0:
				want = 0
			case len(body) == 1:
				want-- // one field has no order
			}
			if layouts[e] != want {
				t.Errorf("seed %d: %d layouts are tried at %s, want %d", seed, layouts[e], e, want)
			}
		}
	}
}
