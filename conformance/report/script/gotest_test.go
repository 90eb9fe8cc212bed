package script

import (
	"net/http"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
)

// TestNoGoTestOfARequestWithoutUserAgent: the typed client sends one always.
func TestNoGoTestOfARequestWithoutUserAgent(t *testing.T) {
	for agent, want := range map[string]string{"conform/1.0": "", "curl/8": "has a header of its own: User-Agent", "": "goes without a header"} {
		step := result.Step{Method: http.MethodGet, Headers: []result.Field{{Name: "Accept", Value: literal("application/json")}}}
		if agent != "" {
			step.Headers = append(step.Headers, result.Field{Name: "User-Agent", Value: literal(agent)})
		}
		if got := headerMisfit(step); got != want {
			t.Errorf("User-Agent %q: got %q, want %q", agent, got, want)
		}
	}
}
