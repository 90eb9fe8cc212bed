package conformance

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestAReadSoonAfterAWriteMayBeLate reads right after a write: what the read shows may be late for as long as the target
// may take to settle. One answer alone contradicts itself, and is not late.
func TestAReadSoonAfterAWriteMayBeLate(t *testing.T) {
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"id":1}`)
	}))
	defer target.Close()
	for settle, late := range map[time.Duration]bool{time.Minute: true, time.Nanosecond: false} {
		d := drawingOf(t, Config{Settle: settle, Target: Target{BaseURL: target.URL, AllowHTTP: true}})
		m := &modelTarget{t: newT(t.Context(), d.run, &scenario{text: "a story"})}
		var evidence []any
		for _, at := range []rules.Endpoint{rules.UpdateMe, rules.GetMe} {
			answer, err := m.Do(t.Context(), exchange.Request{Endpoint: at, Session: "session"})
			if err != nil {
				t.Fatal(err)
			}
			evidence = append(evidence, answer.Evidence)
		}
		if d.run.mayBeLate(blame.Difference{Evidence: evidence}) != late {
			t.Errorf("a target that may take %s: a read right after a write may be late: %v", settle, !late)
		}
		if d.run.mayBeLate(blame.Difference{Evidence: evidence[1:]}) {
			t.Errorf("a target that may take %s: one answer alone may be late", settle)
		}
	}
}
