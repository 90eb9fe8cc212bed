package conformance_test

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	. "github.com/socialfeed/conform/conformance"
)

// TestSecretsOfOtherProcesses are withheld too: a target tells each user the
// session tokens of all, most of which another process knows.
func TestSecretsOfOtherProcesses(t *testing.T) {
	f := newFake(t)
	issued := map[string]bool{}
	f.instead = func(w http.ResponseWriter, _ *http.Request) bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		for token := range f.sessions {
			issued[token] = true
		}
		w.Header().Set("X-Neighbours", strings.Join(slices.Collect(maps.Keys(f.sessions)), " "))
		return false
	}
	config := f.config("users.me.get", "feed.status", "events.create.status")
	config.KeepExchanges = true
	j, err := New(config, severalStories)
	if err != nil {
		t.Fatal(err)
	}
	report, err := j.RunIn(t.Context(), 3, func(ctx context.Context, part Part) (Result, error) { return j.Play(ctx, part), nil })
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	if len(issued) < 4 || strings.Count(string(text), "X-Neighbours") < 4 {
		t.Fatalf("only %d tokens were issued, or the report does not show what was said of them", len(issued))
	}
	for token := range issued {
		if strings.Contains(string(text), token) {
			t.Errorf("the report tells the token %s", token)
		}
	}
}
