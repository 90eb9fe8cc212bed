package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/scenarios"
)

// TestAnAnswerAtTheLastMomentCounts waits for a target whose last answer to the first contact
// is under way when the wait ends.
func TestAnAnswerAtTheLastMomentCounts(t *testing.T) {
	t.Parallel()
	const wait = 200 * time.Millisecond
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			time.Sleep(2 * wait)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `[{"version":"0.2","status":"current"}]`)
	}))
	defer target.Close()
	j, err := conformance.New(conformance.Config{Target: conformance.Target{BaseURL: target.URL, AppToken: "app-token", AllowHTTP: true}}, scenarios.Register)
	if err != nil {
		t.Fatal(err)
	}
	if err := awaitTarget(t.Context(), j, wait, "", newProgress(os.Stderr, true)); err != nil {
		t.Error(err)
	}
}
