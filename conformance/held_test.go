package conformance

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/rules"
	"golang.org/x/sync/errgroup"
)

// TestLongAnswersAtOnceAreReadWhole has requests of one story answered at the same time, each
// at such length that the scenario lets go of those before: not while the passive rules read them.
func TestLongAnswersAtOnceAreReadWhole(t *testing.T) {
	long := `{"id":1,"user_name":"` + strings.Repeat("a", 600<<10) + `"}`
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, long)
	}))
	defer target.Close()
	d := drawingOf(t, Config{Target: Target{BaseURL: target.URL, AllowHTTP: true}})
	story := newT(t.Context(), d.run, &scenario{text: "a story"})
	m := &modelTarget{t: story}
	var group errgroup.Group
	for range 8 {
		group.Go(func() error {
			_, err := m.Do(t.Context(), exchange.Request{Endpoint: rules.GetMe, Session: "session"})
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	for _, outcome := range d.run.monitor.Outcomes() {
		if outcome.Broken > 0 {
			t.Errorf("%s is blamed: %s", outcome.Rule, outcome.Problem)
		}
	}
}
