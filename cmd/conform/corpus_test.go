//go:build unix

package main

import (
	"encoding/json"
	"go/parser"
	"go/token"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/refserver"
)

// kept is a story as a report and the corpus have it.
const kept = `{"rule":"feed.unfollow","endpoint":10,"story":{"name":"kept","slots":2,"ops":[{"kind":"post","a":1},{"kind":"follow","a":0,"b":1},{"kind":"end","a":0,"b":1}]}}`

// withStories is a report in which drawn stories broke a rule.
func withStories(stories ...string) *result.Report {
	rule := result.Rule{ID: "feed.unfollow", Level: "must", Part: "feed", Status: result.Fail}
	for _, story := range stories {
		rule.Checks = append(rule.Checks, result.Check{Endpoint: "DELETE /0.2/user/connections/{UserID}", Drawn: true, Status: result.Fail,
			Scenario: "drawn from seed 7: user 0 ends\nits follow", Story: json.RawMessage(story), Exchanges: []result.Exchange{}})
	}
	return &result.Report{Schema: result.Schema, Verdict: result.NonConformant, Rules: []result.Rule{rule}}
}

// storyAs writes a report in which a drawn story showed something, as this status, and returns its path.
func storyAs(t *testing.T, status result.Status) string {
	t.Helper()
	r := withStories(kept)
	r.Rules[0].Status, r.Rules[0].Checks[0].Status = status, status
	return file(t, handmade(t, r))
}

// TestCorpusKeepsWhatShowedSomething has a run at length add its stories to the file, once
// each, and the next run read them: also those of rules of level should, and those that could
// not be played again.
func TestCorpusKeepsWhatShowedSomething(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "corpus")
	warned, once := strings.Replace(kept, `"slots":2`, `"slots":4`, 1), strings.Replace(kept, `"slots":2`, `"slots":3`, 1)
	for i, run := range []struct {
		before  int // stories in the file
		stories []string
		as      []result.Status
	}{
		{0, []string{kept}, []result.Status{result.Error}},
		{1, []string{kept, warned, once}, []result.Status{result.Fail, result.Warn, result.Error}},
		{3, nil, nil},
	} {
		s := &settings{corpus: path, from: map[string]source{"corpus": fromFlag}}
		s.config.Deep = 1
		if err := s.readCorpus(); err != nil {
			t.Fatal(err)
		}
		if len(s.config.Stories) != run.before {
			t.Errorf("run %d plays %d stories first, want %d", i+1, len(s.config.Stories), run.before)
		}
		n := &session{settings: s, line: newProgress(os.Stderr, true)}
		shown := withStories(run.stories...)
		for j, status := range run.as {
			shown.Rules[0].Checks[j].Status = status
		}
		if err := n.keepStories(shown); err != nil {
			t.Fatal(err)
		}
	}
	if text := read(t, path); text != kept+"\n"+warned+"\n"+once+"\n" {
		t.Errorf("the corpus is\n%s", text)
	}
}

// TestCorpusSaysWhatBecameOfIt plays kept stories to their end, however short the time of a deep run is,
// and says how many showed something again, and how many a plain run had no requests for.
func TestCorpusSaysWhatBecameOfIt(t *testing.T) {
	t.Parallel()
	unlimited := func(o *refserver.Options) { o.RateLimit = -1 } // several runs share a target
	valid, broken := serve(t, reference(t, unlimited)), serve(t, reference(t, func(o *refserver.Options) {
		unlimited(o)
		faultOf(t, "feed-unfollow-keeps-events").Apply(o)
	}))
	first := `"ops":[` // a rest there takes longer than the run draws, and posts take more writes than are left
	rested := strings.Replace(kept, first, first+`{"kind":"rest"},`, 1)
	long := strings.Replace(kept, first, first+strings.Repeat(`{"kind":"post","a":1},`, 300), 1)
	apart := strings.Replace(kept, first, `"apps":2,`+first, 1)
	briefly := []string{"--deep", "10ms", "--rule", "feed.unfollow", "--hold", "3s"}
	for name, run := range map[string]struct {
		target, flags []string
		corpus        string
		want          result.KeptStories
		says          string
	}{
		"mended":       {valid, briefly, rested, result.KeptStories{Of: 1, Played: 1}, "1 kept, 1 played, of which 0 showed a difference again"},
		"still there":  {broken, briefly, rested + "\n" + kept, result.KeptStories{Of: 2, Played: 2, Showed: 2}, "2 kept, 2 played, of which 2 showed"},
		"no budget":    {valid, nil, long + "\n" + kept, result.KeptStories{Of: 2, Played: 2}, "2 kept, 2 played, of which 0 showed a difference again"},
		"not alone":    {valid, nil, apart + "\n" + kept, result.KeptStories{Of: 2, Played: 1, Apart: 1}, "1 not, for lack of a second app token"},
		"nothing kept": {valid, nil, "", result.KeptStories{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := judged(t, slices.Concat(run.target, run.flags, []string{"--rate", "5000", "--corpus", file(t, []byte(run.corpus))})...)
			if o.report.Stories == nil {
				t.Fatal(o.stdout)
			}
			if got := o.report.Stories.Kept; got == nil && run.says != "" || got != nil && *got != run.want {
				t.Errorf("%+v, want %+v", got, run.want)
			}
			if !contains(o.stdout, run.says) || run.says == "" && strings.Contains(o.stdout, "  corpus") {
				t.Errorf("it does not say %q:\n%s", run.says, o.stdout)
			}
		})
	}
}

// TestCorpusStaysReadable has two runs of one session find stories, which are longer together
// than what a run reads of the file: the latest are kept.
func TestCorpusStaysReadable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "corpus")
	s := &settings{corpus: path, from: map[string]source{"corpus": fromFlag}}
	s.config.Deep = 1
	n := &session{settings: s, line: newProgress(os.Stderr, true)}
	long := func(name string) string {
		return strings.Replace(kept, `"name":"kept"`, `"name":"`+strings.Repeat(name, maxFile/3)+`"`, 1)
	}
	for _, stories := range [][]string{{long("a"), long("b")}, {long("c"), kept}} {
		if err := n.keepStories(withStories(stories...)); err != nil {
			t.Fatal(err)
		}
	}
	if text := read(t, path); text != long("b")+"\n"+long("c")+"\n"+kept+"\n" {
		t.Errorf("the corpus has %d bytes, in %d lines", len(text), strings.Count(text, "\n"))
	}
}

// TestCorpusThatCannotBePlayedIsAMistake tells of a missing file and of a broken line.
func TestCorpusThatCannotBePlayedIsAMistake(t *testing.T) {
	for text, want := range map[string]string{
		"": "no such file", kept + "\n{\n": "line 2 of ",
		`{"rule":"feed.unfollow","endpoint":10}`:                "neither operations nor inputs",
		kept + "\n" + strings.Replace(kept, "follow", "fly", 2): "story 2 of --corpus ",
	} {
		path := filepath.Join(t.TempDir(), "corpus")
		if text != "" {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		o := conform(t, "--corpus", path, "--self", "--part", "versions")
		o.wants(t, exitUsage)
		o.fewLines(t, 3)
		if !strings.Contains(o.stderr, want) {
			t.Errorf("%q is refused with %q, want %q", text, o.stderr, want)
		}
	}
}

// A story that was kept for a rule of another name stops no run: a note says that it was not played.
func TestStoryOfARenamedRuleIsLeftOut(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "corpus")
	if err := os.WriteFile(path, []byte(strings.Replace(kept, "feed.unfollow", "feed.nope", 1)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := judged(t, "--corpus", path, "--self", "--part", "versions")
	o.wants(t, exitConformant)
	if told := strings.Join(o.report.Notes, "\n"); !strings.Contains(told, `story 1 of --corpus `+path+` was not played: there is no rule "feed.nope"`) {
		t.Errorf("the notes say %q", told)
	}
}

// TestKeepWritesAScenario has a report's story written as Go, and says what else there is.
func TestKeepWritesAScenario(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.json")
	shown := withStories(kept)
	shown.Rules = append(shown.Rules, result.Rule{ID: "feed.merge", Level: "must", Part: "feed", Status: result.Fail,
		Checks: []result.Check{{Status: result.Fail, Scenario: "a feed merges", Exchanges: []result.Exchange{}}}})
	if err := os.WriteFile(path, handmade(t, shown), 0o600); err != nil {
		t.Fatal(err)
	}
	conform(t, "keep", path, "--rule", "feed.unfollow", "--package", "ours\n\nfunc init() {}\n").says(t, exitUsage, "", "--package")
	o := conform(t, "keep", path, "--rule", "feed.unfollow", "--package", "ours")
	o.wants(t, exitConformant)
	if _, err := parser.ParseFile(token.NewFileSet(), "kept.go", o.stdout, parser.AllErrors); err != nil {
		t.Errorf("%v\n%s", err, o.stdout)
	}
	for _, want := range []string{"package ours", "func KeptFeedUnfollow(s *Suite)", "s.Story(", kept} {
		if !strings.Contains(o.stdout, want) {
			t.Errorf("there is no %q in\n%s", want, o.stdout)
		}
	}
	for rule, want := range map[string]string{"feed.order": "there are stories of feed.unfollow", "": "--rule is empty",
		"feed.unfolow": "did you mean feed.unfollow?", "feed.merge": "scenarios found it broken; conform replay"} {
		o := conform(t, "keep", path, "--rule", rule)
		o.wants(t, exitUsage)
		o.fewLines(t, 2)
		if !strings.Contains(o.stderr, want) {
			t.Errorf("--rule %q: %s", rule, o.stderr)
		}
	}
}

// TestStoriesCanBeKept asks for a scenario of what a drawn story showed, which judges it, whatever
// became of it.
func TestStoriesCanBeKept(t *testing.T) {
	t.Parallel()
	for _, status := range []result.Status{result.Fail, result.Warn, result.Error} {
		conform(t, "keep", storyAs(t, status), "--rule", "feed.unfollow").says(t, exitConformant, "s.Story(")
	}
}

// TestWhatNoScriptShows asks for a script of a story that there was no time to play again, whose answer
// none knows, and of one that came out differently, which none shows surely.
func TestWhatNoScriptShows(t *testing.T) {
	t.Parallel()
	for status, why := range map[result.Status]string{result.Error: "no time to play it again", result.Unstable: "came out differently when repeated"} {
		conform(t, "reproduce", storyAs(t, status), "--rule", "feed.unfollow").says(t, exitUsage, why, "conform replay")
	}
}

// TestKeptStoryThatIsCutOffIsNotPassed has the target close the connection of a kept story, and serve
// whatever else.
func TestKeptStoryThatIsCutOffIsNotPassed(t *testing.T) {
	t.Parallel()
	good := reference(t, nil)
	target := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.Header.Get("X-Conform-Scenario"), "a drawn story: kept") && r.Method == http.MethodDelete && strings.HasPrefix(r.URL.Path, "/0.2/user/connections/") {
			panic(http.ErrAbortHandler)
		}
		good.ServeHTTP(w, r)
	})
	o := judged(t, append(serve(t, target), fast("--corpus", file(t, []byte(kept)))...)...)
	i := slices.IndexFunc(o.report.Rules, func(r result.Rule) bool { return r.ID == "feed.unfollow" })
	if got := o.report.Rules[i]; got.Status != result.Error || !strings.Contains(o.stdout, "a saved story for this rule was interrupted") {
		t.Errorf("%s\n%s", got.Status, o.stdout)
	}
	if o.code == exitConformant {
		t.Error("the run passed")
	}
}
