package proof_test

import (
	"encoding/pem"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/faults"
)

// keptStory shows a fault that takes a second follow, and its end.
const keptStory = `{"rule":"feed.unfollow","endpoint":10,"story":{"name":"kept","slots":2,"ops":[{"kind":"post","a":1},{"kind":"follow","a":0,"b":1},` +
	`{"kind":"end","a":0,"b":1},{"kind":"follow","a":0,"b":1},{"kind":"end","a":0,"b":1}]}}`

// TestKeptStoriesJudge plays a story that was kept, as a scenario of somebody's own and
// before a run's other stories: it is blamed on its rule where the fault is, and nothing
// where it is not.
func TestKeptStoriesJudge(t *testing.T) {
	kept := func(s *conformance.Suite) { s.Story("an end of a second follow", keptStory) }
	for name, want := range map[string]result.Status{"sequence-second-unfollow-keeps-events": result.Fail, "": result.Pass} {
		t.Run("fault "+name, func(t *testing.T) {
			options := refserver.Options{AppTokens: []string{"app"}, RateLimit: -1}
			for _, f := range faults.SecondOrder() {
				if f.Name == name {
					f.Apply(&options)
				}
			}
			server, err := refserver.New(options)
			must(t, err)
			ts := httptest.NewTLSServer(server)
			defer ts.Close()
			ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: ts.Certificate().Raw})
			target := conformance.Target{BaseURL: ts.URL, AppToken: "app", CACert: ca}
			config := conformance.Config{Target: target, Settle: time.Second, Rate: 100_000, Seed: 1}
			report, err := conformance.Run(t.Context(), config, kept)
			must(t, err)
			for _, rule := range report.Rules {
				if rule.ID == "feed.unfollow" && rule.Status != want {
					t.Errorf("a scenario of one's own: %s is %s, want %s", rule.ID, rule.Status, want)
				}
			}
		})
	}
}
