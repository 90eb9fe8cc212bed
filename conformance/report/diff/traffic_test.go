package diff

import (
	"slices"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
)

// TestOneChangeOfAnEndpointIsOneLine: a status that changes does so for each form of request.
func TestOneChangeOfAnEndpointIsOneLine(t *testing.T) {
	const put, get = "#5 PUT /0.2/user", "#4 GET /0.2/user"
	got := outcomeLines([]result.OutcomeChange{
		{Endpoint: put, Request: "body {email:text url:text}", Old: "201", New: "200"}, {Endpoint: put, Request: "body {email:text}", Old: "201", New: "200"},
		{Endpoint: put, Request: "body {}", Old: "422", New: "400"}, {Endpoint: get, Request: "no body", Old: "200", New: "404"},
	})
	want := [][2]string{{put, "201 → 200 to body {email:text}, and 1 longer request alike"}, {put, "422 → 400 to body {}"}, {get, "200 → 404 to no body"}}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
