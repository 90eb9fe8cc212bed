package client

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Which credentials a request carries, as the Authorization header has them.
const (
	noAuth      = ""
	appAuth     = "Basic YXBwLXRva2VuLTdmM2E6"
	sessionAuth = "Basic YXBwLXRva2VuLTdmM2E6c2Vzc2lvbi10b2tlbi05MWNj"
)

// wireCase is one call: what must be on the wire, and what comes of the answer.
type wireCase struct {
	endpoint    int // the contract's number
	name        string
	call        func(context.Context, *Client, *Session) (any, error)
	method, uri string
	auth        string
	sent        string // JSON, or nothing
	answer      answer
	want        any
}

func TestWire(t *testing.T) {
	covered := map[int]bool{}
	for _, tc := range slices.Concat(userCases(), sessionCases(), connectionCases(), listCases(), eventCases(), feedCases()) {
		covered[tc.endpoint] = true
		t.Run("#"+strconv.Itoa(tc.endpoint)+" "+tc.name, func(t *testing.T) {
			s, c := serve(t, tc.answer)
			got, err := tc.call(t.Context(), c, c.Session(testSession))
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, tc.want) {
				t.Errorf("got %+v\nwant %+v", got, tc.want)
			}
			requests := s.seen()
			if len(requests) != 1 {
				t.Fatalf("%d requests", len(requests))
			}
			tc.judge(t, requests[0])
		})
	}
	for n := 1; n <= 22; n++ {
		if !covered[n] {
			t.Errorf("endpoint #%d is not covered", n)
		}
	}
}

func (tc wireCase) judge(t *testing.T, r recorded) {
	t.Helper()
	if r.method != tc.method || r.uri != tc.uri {
		t.Errorf("sent %s %s, want %s %s", r.method, r.uri, tc.method, tc.uri)
	}
	want := http.Header{
		"User-Agent":      {"socialfeed-client/" + version},
		"Accept":          {"application/json"},
		"Accept-Encoding": {"gzip"},
	}
	if tc.auth != noAuth {
		want.Set("Authorization", tc.auth)
	}
	if tc.sent != "" {
		want.Set("Content-Type", "application/json")
	}
	if tc.sent != "" || tc.method == http.MethodPost || tc.method == http.MethodPut {
		want.Set("Content-Length", strconv.Itoa(len(r.body)))
	}
	if !reflect.DeepEqual(r.header, want) {
		t.Errorf("header %v\nwant %v", r.header, want)
	}
	if !sameJSON(t, r.body, tc.sent) {
		t.Errorf("body %s\nwant %s", r.body, tc.sent)
	}
}

// sameJSON compares numbers by their text: floats would hide a changed id.
func sameJSON(t *testing.T, got, want string) bool {
	t.Helper()
	if got == "" || want == "" {
		return got == want
	}
	return reflect.DeepEqual(exact(t, got), exact(t, want))
}

func exact(t *testing.T, text string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return v
}
