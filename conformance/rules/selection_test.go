package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/setting"
)

func resolved(t *testing.T, s Selection) *Selected {
	t.Helper()
	sel, err := s.Resolve(loaded(), Given{}, flags())
	if err != nil {
		t.Fatal(err)
	}
	return sel
}

// flags are the names of a command for what it selects.
func flags() setting.Names {
	return setting.Names{setting.Rules: "--rule", setting.Parts: "--part", setting.Endpoints: "--endpoint", setting.Levels: "--level",
		setting.Skip: "--skip", setting.SecondApp: "--second-app-token", setting.RateLimits: "--rate-limits", setting.Restarts: "--restarts"}
}

func (s *Selected) chosen() []string {
	var ids []string
	for _, rule := range s.catalogue.rules {
		if _, skipped := s.reasons[rule.ID]; !skipped {
			ids = append(ids, rule.ID)
		}
	}
	return ids
}

// A few rules of the catalogue: a new one changes nothing here.
func fewRules(t *testing.T) *Catalogue {
	t.Helper()
	few := []string{"feed.order", "feed.merge", "sessions.logout.status", "sessions.logout.destroys", "sessions.logout.others", "sessions.logout.relogin",
		"versions.status", "versions.shape", "versions.disabled", "versions.disabled-refused",
		"social.status", "social.connects", "social.required", "social.wrong-type", "events.types", "users.types"}
	return loaded().Only(func(r Rule) bool { return slices.Contains(few, r.ID) })
}

func TestSelectionByRule(t *testing.T) {
	for _, tc := range []struct {
		name      string
		selection Selection
		want      []string
	}{
		{"one rule", Selection{Rules: []string{"feed.order"}}, []string{"feed.order"}},
		{"a glob", Selection{Rules: []string{"sessions.logout.*"}},
			[]string{"sessions.logout.status", "sessions.logout.destroys", "sessions.logout.others", "sessions.logout.relogin"}},
		{"two patterns", Selection{Rules: []string{"feed.order", "versions.s*"}}, []string{"feed.order", "versions.status", "versions.shape"}},
		{"part and level", Selection{Parts: []string{"versions"}, Levels: []string{"should"}}, []string{"versions.disabled", "versions.disabled-refused"}},
		{"part and skip", Selection{Parts: []string{"social"}, Skip: []string{"social.*-*", "social.required"}}, []string{"social.status", "social.connects"}},
		{"rule and part apart", Selection{Rules: []string{"*.types"}, Parts: []string{"events"}}, []string{"events.types"}},
		{"classes", Selection{Rules: []string{"feed.[eo]*r"}}, []string{"feed.order"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			selected, err := tc.selection.Resolve(fewRules(t), Given{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := selected.chosen(); !slices.Equal(got, tc.want) {
				t.Errorf("selects %v, want %v", got, tc.want)
			}
		})
	}
}

func TestSelectionByEndpointTakesWhatTouchesIt(t *testing.T) {
	sel := resolved(t, Selection{Endpoints: []string{"#22"}})
	for rule, want := range map[string]bool{
		"versions.status": true, "transport.user-agent-required": true, "transport.utf8": true, // passive
		"users.me.get": false, "errors.unknown-path": false,
	} {
		if slices.Contains(sel.chosen(), rule) != want {
			t.Errorf("%s selected: %v, want %v", rule, !want, want)
		}
	}
	for _, tc := range []struct {
		rule string
		at   Endpoint
		want bool
	}{
		{"transport.user-agent-required", Versions, true},
		{"transport.user-agent-required", GetMe, false},
		{"transport.utf8", Versions, true},
		{"transport.utf8", GetMe, false},
	} {
		if got := sel.Includes(tc.rule, tc.at); got != tc.want {
			t.Errorf("includes(%s, %s) = %v", tc.rule, tc.at, got)
		}
	}
	// A story that passes through the endpoint is judged at its own.
	if sel := resolved(t, Selection{Endpoints: []string{"21"}}); !sel.Includes("feed.purge.followers", DeleteMe) {
		t.Error("the purge is left out of what concerns the feed")
	}
}

func TestSkippedRulesSayWhy(t *testing.T) {
	c := loaded()
	reasons := func(given Given, s Selection) map[string]string {
		sel, err := s.Resolve(c, given, flags())
		if err != nil {
			t.Fatal(err)
		}
		return sel.reasons
	}
	bare := reasons(Given{}, Selection{Skip: []string{"feed.*"}})
	for rule, want := range map[string]string{
		"auth.app-isolation": "needs --second-app-token",
		"limits.rate.get":    "needs --rate-limits",
		"restarts.order":     "only for a target that the run starts, with --restarts",
		"feed.order":         "left out by --skip",
		"users.me.get":       "",
	} {
		if bare[rule] != want {
			t.Errorf("%s is skipped because %q, want %q", rule, bare[rule], want)
		}
	}
	if r := reasons(Given{}, Selection{Parts: []string{"feed"}})["users.me.get"]; r != "not selected" {
		t.Errorf("a rule outside of the selection is skipped because %q", r)
	}
	if r := reasons(Given{Startable: true}, Selection{})["restarts.order"]; r != "needs --restarts" {
		t.Errorf("of a target that the run starts, a rule about restarts is skipped because %q", r)
	}
	if all := reasons(Given{true, true, true, true}, Selection{}); len(all) > 0 {
		t.Errorf("with every option, skipped are %v", all)
	}
}

func TestPatternsThatMatchNothingAreErrors(t *testing.T) {
	for name, tc := range map[string]struct {
		selection Selection
		says      []string
	}{
		"rule":        {Selection{Rules: []string{"users.create.statsu"}}, []string{"--rule users.create.statsu", "did you mean users.create.status?"}},
		"rule glob":   {Selection{Rules: []string{"feeds.*"}}, []string{"--rule feeds.*"}},
		"second":      {Selection{Rules: []string{"feed.order", "feed.ordre"}}, []string{"feed.ordre", "feed.order?"}},
		"skip":        {Selection{Skip: []string{"feed.ordre"}}, []string{"--skip feed.ordre", "feed.order?"}},
		"begun rule":  {Selection{Rules: []string{"feed.purg"}}, []string{"--rule feed.purg", "did you mean 'feed.purg*'?"}},
		"part":        {Selection{Parts: []string{"user"}}, []string{"--part user", "did you mean users?"}},
		"level":       {Selection{Levels: []string{"shuold"}}, []string{"--level shuold", "did you mean should?"}},
		"endpoint":    {Selection{Endpoints: []string{"23"}}, []string{"--endpoint 23", "1 to 22"}},
		"endpoint 0":  {Selection{Endpoints: []string{"0"}}, []string{"--endpoint 0"}},
		"word":        {Selection{Endpoints: []string{"feed"}}, []string{"--endpoint feed"}},
		"bad pattern": {Selection{Rules: []string{"users.[a"}}, []string{"--rule users.[a", "not a valid pattern"}},
		"disjoint":    {Selection{Parts: []string{"feed"}, Rules: []string{"users.*"}}, []string{"no rule"}},
		"all skipped": {Selection{Rules: []string{"feed.order"}, Skip: []string{"feed.*"}}, []string{"no rule", "--skip"}},
		"needs":       {Selection{Rules: []string{"limits.rate.get"}}, []string{"no rule", "needs --rate-limits"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := tc.selection.Resolve(loaded(), Given{}, flags())
			if err == nil {
				t.Fatal("no error")
			}
			for _, part := range tc.says {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q does not say %q", err, part)
				}
			}
		})
	}
}
