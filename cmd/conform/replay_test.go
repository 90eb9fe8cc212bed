//go:build unix

package main

import (
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
)

// TestReplayPlaysWhatJudgedARule counts what reaches the target.
func TestReplayPlaysWhatJudgedARule(t *testing.T) {
	t.Parallel()
	between := record(logout(reference(t, nil), always(http.StatusOK)))
	target := serve(t, between)
	o := judged(t, append(target, fast("--part", "sessions", "--seed", "7")...)...)
	o.wants(t, exitNonConformant)
	before := len(between.lines)
	path := filepath.Join(t.TempDir(), "again.json")
	again := conform(t, append(target, "replay", file(t, []byte(o.written)), "--rule", "sessions.logout.status", "--report", "json="+path)...)
	again.says(t, exitNonConformant, "1 rule is broken", "FAIL sessions.logout.status")
	again.read(t, path)
	if got := again.blamed(); !slices.Equal(got, []string{"sessions.logout.status"}) || again.report.Seed != 7 {
		t.Errorf("blamed: %v, seed %d", got, again.report.Seed)
	}
	scenarios := func(r *result.Report) (all []string) {
		for _, rule := range r.Rules {
			for _, check := range rule.Checks {
				if rule.ID == "sessions.logout.status" {
					all = append(all, check.Scenario)
				}
			}
		}
		return all
	}
	if got, want := scenarios(again.report), scenarios(o.report); !slices.Equal(got, want) || len(got) == 0 {
		t.Errorf("%q judged it again, and %q before", got, want)
	}
	if sent := len(between.lines) - before; sent > before/3 {
		t.Errorf("it took %d requests, and the whole run %d", sent, before)
	}
}

// What a report alone names is not sent a token of the environment: the line to use instead
// trusts the target as the run did, whatever the report's words mean to a shell.
func TestTheLineToUseInsteadTrustsAsTheRunDid(t *testing.T) {
	t.Parallel()
	data := handmade(t, &result.Report{Target: result.Target{BaseURL: "https://127.0.0.1:1", Trust: []string{"--ca-cert", "my $(ca).pem"}}, Rules: []result.Rule{
		{ID: "feed.unfollow", Checks: []result.Check{{Scenario: "a user follows", Status: result.Fail}}}}})
	cmd := command(t, "replay", file(t, data), "--rule", "feed.unfollow")
	cmd.Env = append(cmd.Environ(), "CONFORM_APP_TOKEN=token-of-the-environment")
	out, _ := cmd.CombinedOutput()
	if want := `say --base-url https://127.0.0.1:1 --ca-cert 'my $(ca).pem'`; !strings.Contains(string(out), want) || cmd.ProcessState.ExitCode() != exitUsage {
		t.Errorf("exit %d: %s\nwant %s", cmd.ProcessState.ExitCode(), out, want)
	}
}

// TestReplayOfADrawnStory plays the story of a report as it was shortened, on a target that
// breaks the rule and on one that keeps it, and then what the first report of that has.
func TestReplayOfADrawnStory(t *testing.T) {
	t.Parallel()
	data := handmade(t, withStories(kept))
	broken := serve(t, reference(t, faultOf(t, "feed-unfollow-keeps-events").Apply))
	path := filepath.Join(t.TempDir(), "again.json")
	for _, report := range []string{file(t, data), path} {
		o := conform(t, append([]string{"replay", report, "--rule", "feed.unfollow", "--settle", "1s", "--report", "json=" + path}, broken...)...)
		o.says(t, exitNonConformant, "1 rule is broken", "FAIL feed.unfollow", "again.json --rule feed.unfollow")
	}
	unwritten := conform(t, append([]string{"replay", path, "--rule", "feed.unfollow"}, broken...)...)
	unwritten.says(t, exitNonConformant, "again", path+" --rule feed.unfollow")
	sound := append([]string{"replay", path, "--rule", "feed.unfollow"}, serve(t, reference(t, nil))...)
	conform(t, sound...).says(t, exitConformant, "The one rule that was judged is not broken")
	other := strings.Replace(kept, `"slots":2`, `"slots":0`, 1)
	sound[1] = file(t, handmade(t, withStories(other)))
	conform(t, sound...).says(t, exitUsage, "of 0 users")
}

// TestWhatNoStoryWasKeptOf asks for what broke in passing in a drawn story, or in one that was not kept: it
// would pass in the scenarios that judged the rule. No command promises what another one denies.
func TestWhatNoStoryWasKeptOf(t *testing.T) {
	t.Parallel()
	script := &result.Reproduction{Steps: []result.Step{{Method: "GET"}}}
	for name, check := range map[string]result.Check{
		"of itself":                {Drawn: true, Status: result.Fail},
		"of itself, with a script": {Drawn: true, Status: result.Fail, Reproduction: script},
		"in passing":               {Scenario: "a drawn story: inputs with a defect", Status: result.Fail},
		"of what should be":        {Drawn: true, Status: result.Warn},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := handmade(t, &result.Report{Seed: 7, Rules: []result.Rule{
				{ID: "feed.unfollow", Status: check.Status, Checks: []result.Check{{Scenario: "a user follows", Status: result.Pass}, check}}}})
			path := file(t, data)
			if check.Reproduction == nil {
				conform(t, "reproduce", path, "--rule", "feed.unfollow").says(t, exitUsage, "no script can show", "conform --seed 7 plays all again")
			}
			conform(t, "keep", path, "--rule", "feed.unfollow").says(t, exitUsage, "no story to keep of feed.unfollow", "conform --seed 7 plays all again")
		})
	}
}

// TestReplayStartsTheEmbeddedServerAgain has no target to come back to.
func TestReplayStartsTheEmbeddedServerAgain(t *testing.T) {
	t.Parallel()
	o := judged(t, fast("--rule", "sessions.logout.status")...)
	o.wants(t, exitConformant)
	cmd := command(t, "replay", file(t, []byte(o.written)), "--rule", "sessions.logout.status")
	cmd.Env = append(cmd.Env, "CONFORM_BASE_URL=https://127.0.0.1:1")
	finish(t, cmd).says(t, exitConformant, "CONFORMANT")
}

// TestRepeatFindsWhatIsUnstable logs out with another status the first time.
func TestRepeatFindsWhatIsUnstable(t *testing.T) {
	t.Parallel()
	target := serve(t, logout(reference(t, nil), func(n int64) int {
		if n == 1 {
			return http.StatusOK
		}
		return http.StatusNoContent
	}))
	o := judged(t, append(target, "--rate", "30000", "--jobs", "1", "--rule", "sessions.logout.status", "--repeat", "3")...)
	o.says(t, exitNoVerdict, "UNSTABLE sessions.logout.status", "fail in 1 of 3 repeats", "pass in 2 of 3 repeats",
		"200 OK {}", "204 No Content", "3 repeats")
	steady := judged(t, append(serve(t, reference(t, nil)), fast("--part", "sessions", "--part", "search", "--repeat", "2")...)...)
	steady.says(t, exitConformant, "2 repeats")
	if steady.report.Repeats != 2 {
		t.Errorf("%d repeats are reported", steady.report.Repeats)
	}
}

// TestWrongUseOfTheGate says in a word what is wrong.
func TestWrongUseOfTheGate(t *testing.T) {
	t.Parallel()
	report := file(t, []byte(reportOfNothing))
	nowhere := filepath.Join(t.TempDir(), "nowhere.json")
	for name, wrong := range map[string]struct {
		args []string
		says string
	}{
		"waive nothing":            {[]string{"waive"}, "waive takes one JSON report"},
		"waive a missing file":     {[]string{"waive", nowhere}, "nowhere.json"},
		"waive what is no report":  {[]string{"waive", file(t, []byte("{}"))}, "schema"},
		"waive without a calendar": {[]string{"waive", report, "--expires", "soon"}, "YYYY-MM-DD"},
		"waive into nowhere":       {[]string{"waive", report, "-o", filepath.Join(nowhere, "x")}, "nowhere.json"},
		"diff of one":              {[]string{"diff", report}, "diff takes two JSON reports"},
		"diff as a picture":        {[]string{"diff", report, report, "--format", "svg"}, "--format takes text, json, markdown"},
		"diff for nothing":         {[]string{"diff", report, report, "--fail-on", "all"}, "--fail-on takes regressions or drift"},
		"merge nothing":            {[]string{"merge"}, "merge takes the JSON reports of shards"},
		"merge no shards":          {[]string{"merge", report}, "is of no shard"},
		"merge to two outputs":     {[]string{"merge", report, "-o", "-", "--report", "text=-"}, "only one report"},
		"replay nothing":           {[]string{"replay"}, "replay takes one JSON report"},
		"replay no rule":           {[]string{"replay", report}, "--rule"},
		"replay an unknown rule":   {[]string{"replay", report, "--rule", "feed.odrer"}, "did you mean feed.order?"},
		"replay a part":            {[]string{"replay", report, "--rule", "feed.order", "--part", "feed"}, "--part does not apply"},
		"waivers that are missing": {[]string{"--waivers", nowhere}, "--waivers"},
		"waivers mistyped":         {[]string{"--waivers", file(t, []byte("- {rul: feed.order}"))}, "did you mean rule?"},
		"no repeat":                {[]string{"--repeat", "0"}, "--repeat"},
		"too many repeats":         {[]string{"--repeat", "101"}, "--repeat"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := conform(t, wrong.args...)
			o.says(t, exitUsage, wrong.says)
			o.fewLines(t, 3)
			if o.stdout != "" {
				t.Errorf("stdout has %q", o.stdout)
			}
		})
	}
}
