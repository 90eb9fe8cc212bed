package proof_test

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/faults"
)

// keptStory shows a fault that takes a second follow, and its end.
const keptStory = `{"rule":"feed.unfollow","endpoint":10,"story":{"name":"kept","slots":2,"ops":[{"kind":"post","a":1},{"kind":"follow","a":0,"b":1},` +
	`{"kind":"end","a":0,"b":1},{"kind":"follow","a":0,"b":1},{"kind":"end","a":0,"b":1}]}}`

// keptOfTwo shows a fault that takes a namesake in another application.
const keptOfTwo = `{"rule":"auth.app-isolation","endpoint":4,"story":{"name":"kept","slots":2,"apps":2,"looks":1,"ops":[{"kind":"join","a":0},` +
	`{"kind":"take the names of","a":1},{"kind":"edit","a":0,"v":1}]}}`

// TestKeptStoriesOfTwoJudge plays a story of two applications that was kept: where the fault
// is, where it is not, and where there is one application alone.
func TestKeptStoriesOfTwoJudge(t *testing.T) {
	for name, test := range map[string]struct {
		fault, second string
		want          result.Status
	}{
		"broken": {"sequence-update-changes-namesake", "second", result.Fail}, "sound": {"", "second", result.Pass}, "one application": {"", "", result.Skipped},
	} {
		t.Run(name, func(t *testing.T) {
			options := refserver.Options{AppTokens: []string{"app", "second"}, RateLimit: -1}
			if test.fault != "" {
				f, err := faults.Find(test.fault)
				must(t, err)
				f.Apply(&options)
			}
			server, err := refserver.New(options)
			must(t, err)
			ts := httptest.NewTLSServer(server)
			defer ts.Close()
			target := conformance.Target{BaseURL: ts.URL, AppToken: "app", SecondAppToken: test.second, CACert: certificateOf(ts)}
			report, err := conformance.Run(t.Context(), conformance.Config{Target: target, Settle: time.Second, Rate: 100_000, Seed: 1},
				func(s *conformance.Suite) { s.Story("an update beside a namesake", keptOfTwo) })
			must(t, err)
			for _, rule := range report.Rules {
				for _, check := range rule.Checks {
					if rule.ID == "auth.app-isolation" && check.Endpoint == "GET /0.2/user" && check.Status != test.want {
						t.Errorf("%s is %s, want %s: %s", rule.ID, check.Status, test.want, check.Message)
					}
				}
			}
			if test.want == result.Fail {
				return
			}
			if stats := server.Stats(); stats.Users > 0 {
				t.Errorf("%d users are left", stats.Users)
			}
		})
	}
}

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
			target := conformance.Target{BaseURL: ts.URL, AppToken: "app", CACert: certificateOf(ts)}
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

// TestAFoundStoryIsFoundAgain plays a story in which a feed of several users lacks an event. It
// takes one of them alone: the shortened story is blamed on the rule that it shows, and shows it
// again when it is replayed.
func TestAFoundStoryIsFoundAgain(t *testing.T) {
	const story = `{"rule":"feed.merge","endpoint":21,"story":{"name":"found","slots":3,"plain":true,"ops":[{"kind":"ask","a":0,"b":1},{"kind":"ask","a":1,"b":0},{"kind":"end","a":0,"b":1},{"kind":"follow","a":1,"b":0},{"kind":"follow","a":1,"b":2},{"kind":"post","a":2},{"kind":"post","a":0}]}}`
	options := refserver.Options{AppTokens: []string{"app"}, RateLimit: -1}
	fault, err := faults.Find("sequence-follow-after-friendship-gets-nothing-new")
	must(t, err)
	fault.Apply(&options)
	server, err := refserver.New(options)
	must(t, err)
	ts := httptest.NewTLSServer(server)
	defer ts.Close()
	config := conformance.Config{Target: conformance.Target{BaseURL: ts.URL, AppToken: "app", CACert: certificateOf(ts)}, Settle: time.Second, Rate: 100_000, Seed: 1,
		Stories: [][]byte{[]byte(story)}, Deep: time.Second, Selection: rules.Selection{Rules: []string{fault.Rule, "feed.merge"}}}
	found, err := conformance.Run(t.Context(), config)
	must(t, err)
	shortened := storyOf(found, fault.Rule)
	if shortened == "" || storyOf(found, "feed.merge") != "" {
		t.Fatalf("the story of %s is %q, that of feed.merge %q", fault.Rule, shortened, storyOf(found, "feed.merge"))
	}
	config.Stories, config.Deep, config.Selection = nil, 0, rules.Selection{Scenarios: []string{"again"}}
	again, err := conformance.Run(t.Context(), config, func(s *conformance.Suite) { s.Story("again", shortened) })
	must(t, err)
	if storyOf(again, fault.Rule) == "" {
		t.Errorf("replayed, %s does not fail", shortened)
	}
}

// storyOf is the story by which a rule failed, blank where none is reported.
func storyOf(r *result.Report, id string) string {
	for rule, check := range r.EachCheck() {
		if rule.ID == id && check.Status == result.Fail && len(check.Story) > 0 {
			return string(check.Story)
		}
	}
	return ""
}
