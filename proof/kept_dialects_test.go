package proof_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/model/draw"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/refserver"
)

// TestNoDialectIsBlamedByKeptStories has servers of dialects judged by drawn stories as scenarios, as
// a team keeps them: what watches all scenarios watches these, too, and must not take a lawful
// answer for a failure. One dialect in KEPT_SHARES is tried, and of each one story in KEPT_STORIES,
// those whose turn PROOF_TURN says.
func TestNoDialectIsBlamedByKeptStories(t *testing.T) {
	t.Parallel()
	shares, turn := fromEnvironment(t, "KEPT_SHARES", 24), fromEnvironment(t, "PROOF_TURN", 0)
	for i, dialect := range refserver.Dialects() {
		if i%shares != turn%shares {
			continue
		}
		t.Run(dialect.Name, func(t *testing.T) {
			server, err := refserver.New(refserver.Options{AppTokens: []string{"app", "second"}, RateLimit: -1, PasswordCost: 1, Choices: dialect.Choices})
			must(t, err)
			ts := httptest.NewTLSServer(server)
			defer ts.Close()
			config := conformance.Config{Target: conformance.Target{BaseURL: ts.URL, AppToken: "app", SecondAppToken: "second", CACert: certificateOf(ts)},
				Settle: time.Second, Rate: 100_000, Seed: 1}
			report, err := conformance.Run(t.Context(), config, func(s *conformance.Suite) { keep(t, s, uint64(turn+i), turn) })
			must(t, err)
			for _, rule := range report.Rules {
				for _, check := range rule.Checks {
					if check.FoundBroken() || check.SeenOnce() {
						t.Errorf("%s: %s (%s)", rule.ID, check.Message, check.Scenario)
					}
				}
			}
		})
	}
}

// keep registers stories of a seed whose turn it is, as if each had shown a rule broken.
func keep(t *testing.T, s *conformance.Suite, seed uint64, turn int) {
	t.Helper()
	const longest = 1000 // operations, which a story that is kept has at most
	shares := fromEnvironment(t, "KEPT_STORIES", 4)
	for i, drawn := range draw.Deep(seed) {
		if i%shares != turn%shares || len(drawn.Ops) > longest {
			continue
		}
		text, err := json.Marshal(story.CorpusEntry{Rule: "feed.unfollow", Endpoint: rules.DeleteConnection, Story: &drawn})
		must(t, err)
		s.Story(fmt.Sprintf("%s, %d of seed %d", drawn.Name, i, seed), string(text))
	}
}
