package result

import (
	"net/http"
	"slices"
	"testing"
	"time"
)

// exchanged is a report with so many of the same exchange.
func exchanged(times int, method, path, body string, status int, answer string, took time.Duration) *Report {
	r := &Report{Target: Target{BaseURL: "https://service.example/base"}}
	for range times {
		r.Exchanges = append(r.Exchanges, Exchange{
			Request: Request{Method: method, URL: r.Target.BaseURL + path, Body: body,
				Headers: http.Header{"Authorization": {"Basic base64($APP_TOKEN:$SESSION_TOKEN_2)"}, "Accept": {"application/json"}, "User-Agent": {"x"}}},
			Response: &Response{Status: status, Body: answer}, DurationMS: float64(took.Milliseconds()),
		})
	}
	return r
}

// Names, ids and tokens differ from run to run; what a request is for does not.
func TestRequestsAreAlignedByTheirForm(t *testing.T) {
	old := exchanged(1, "PUT", "/0.2/user/events/700", `{"verb":"abcdefgh"}`, 403, "{}", 0)
	now := exchanged(1, "PUT", "/0.2/user/events/912", `{"verb":"stuvwxyz"}`, 404, "{}", 0)
	got := compareTraffic(old, now).Outcomes
	want := []OutcomeChange{{"PUT /0.2/user/events/{EventID}", "id digits; body {verb:text}", "403", "404"}}
	if !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	for name, other := range map[string]*Report{
		"another form":   exchanged(1, "PUT", "/0.2/user/events/912", `{"verb":null}`, 404, "{}", 0),
		"the same":       exchanged(1, "PUT", "/0.2/user/events/912", `{"verb":"x"}`, 403, "{}", 0),
		"the weather's":  exchanged(1, "PUT", "/0.2/user/events/912", `{"verb":"x"}`, 503, "{}", 0),
		"no exchange":    exchanged(0, "", "", "", 0, "", 0),
		"a rate's limit": exchanged(1, "PUT", "/0.2/user/events/912", `{"verb":"x"}`, 429, "{}", 0),
	} {
		if d := compareTraffic(old, other); !d.Empty() {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

func TestFieldsAreGoneOrNew(t *testing.T) {
	old := exchanged(6, "GET", "/0.2/user/feed", "", 200, `[{"id":1,"object":{"url":"x"},"metadata":{"a":"1"}}]`, 0)
	now := exchanged(6, "GET", "/0.2/user/feed", "", 200, `[{"id":1,"object":{},"metadata":{"b":"1"},"nick":"n"}]`, 0)
	got := compareTraffic(old, now)
	want := []FieldChange{{"GET /0.2/user/feed", "$[].nick", true}, {"GET /0.2/user/feed", "$[].object.url", false}}
	if !slices.Equal(got.Fields, want) || !got.Noticeable() {
		t.Errorf("%+v", got.Fields)
	}
	got.Confirm(&Traffic{Fields: want[:1]})
	if !slices.Equal(got.Fields, want[:1]) || got.Noticeable() {
		t.Errorf("what did not show again is kept: %+v", got.Fields)
	}
}

func TestSlowerIsMoreThanTimesVary(t *testing.T) {
	fast, slow := exchanged(8, "GET", "/0.2/user", "", 200, "{}", 10*time.Millisecond), exchanged(8, "GET", "/0.2/user", "", 200, "{}", 200*time.Millisecond)
	if d := compareTraffic(fast, slow); len(d.Slower) != 1 || d.Noticeable() {
		t.Errorf("%+v", d)
	}
	fast.Exchanges = append(fast.Exchanges, slow.Exchanges[:4]...)
	if d := compareTraffic(fast, slow); len(d.Slower) != 0 {
		t.Errorf("what varies is slower: %+v", d.Slower)
	}
}

func TestDeltasSayMostFirst(t *testing.T) {
	at := func(status int, body string) *Response { return &Response{Status: status, Body: body} }
	for name, tc := range map[string]struct {
		want, got *Response
		first     string
	}{
		"status":  {at(201, `{"a":1}`), at(200, `{"b":1}`), "status: 201 Created, not 200 OK"},
		"absent":  {at(200, `{"a":1}`), at(200, `{}`), "$.a: 1, not absent"},
		"length":  {at(200, `[1]`), at(200, `[]`), "the length of $: 1, not 0"},
		"order":   {at(200, `[{"id":1},{"id":2}]`), at(200, `[{"id":2},{"id":1}]`), "the order of $: 1, 2, not 2, 1"},
		"a time":  {at(200, `{"at":"2026-01-01T00:00:00Z","n":"a"}`), at(200, `{"at":"2027-01-01T00:00:00Z","n":"b"}`), `$.n: "a", not "b"`},
		"no JSON": {at(200, `{}`), at(200, `<p>`), "body: {}, not <p>"},
		"cut":     {at(200, `{}`), nil, "status: 200 OK, not no answer"},
	} {
		if d := Deltas(tc.want, tc.got); len(d) == 0 || d[0].String() != tc.first {
			t.Errorf("%s: %v", name, d)
		}
	}
	if d := Deltas(at(200, `{"a":1,"b":2}`), at(200, `{"b":2, "a":1}`)); len(d) > 0 {
		t.Errorf("the order of keys: %v", d)
	}
}
