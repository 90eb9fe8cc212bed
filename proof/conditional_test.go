package proof_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/scenarios"
)

// TestATagThatOutlivesAnUpdateIsFound judges a server that gives a user's own record the same ETag for ever: a client
// that has the record learns of no update. Nothing but a read that asks for what is new shows it.
func TestATagThatOutlivesAnUpdateIsFound(t *testing.T) {
	server, err := refserver.New(refserver.Options{AppTokens: []string{"app", "second"}, RateLimit: -1, PasswordCost: 1})
	must(t, err)
	const tag = `"record"`
	ts := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || r.URL.Path != "/0.2/user" {
			server.ServeHTTP(w, r)
			return
		}
		now := httptest.NewRecorder()
		server.ServeHTTP(now, r)
		if now.Code == http.StatusOK {
			now.Header().Set("ETag", tag)
			if r.Header.Get("If-None-Match") == tag {
				w.WriteHeader(http.StatusNotModified)
				return
			}
		}
		maps.Copy(w.Header(), now.Header())
		w.WriteHeader(now.Code)
		_, _ = w.Write(now.Body.Bytes())
	}))
	defer ts.Close()
	config := conformance.Config{Target: conformance.Target{BaseURL: ts.URL, AppToken: "app", SecondAppToken: "second", CACert: certificateOf(ts)}, Settle: time.Second, Rate: 100_000, Seed: 1}
	report, err := conformance.Run(t.Context(), config, scenarios.Register)
	must(t, err)
	var broken []string
	for _, rule := range report.Rules {
		if rule.Status != result.Pass && rule.Status != result.Observed && rule.Status != result.Skipped {
			broken = append(broken, rule.ID)
		}
	}
	if !slices.Equal(broken, []string{"users.me.update.applies"}) {
		t.Errorf("broken: %v", broken)
	}
}
