//go:build unix

package main

import (
	"encoding/json"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
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

// TestCorpusKeepsWhatShowedSomething has a run at length add its stories to the file, once
// each, and the next run read them.
func TestCorpusKeepsWhatShowedSomething(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "corpus")
	other := strings.Replace(kept, `"slots":2`, `"slots":3`, 1)
	for i, stories := range [][]string{{kept}, {kept, other}, nil} { // the last of each could not be played again
		s := &settings{corpus: path, from: map[string]source{}}
		s.config.Deep = 1
		if err := s.readCorpus(); err != nil {
			t.Fatal(err)
		}
		if len(s.config.Stories) != i {
			t.Errorf("run %d plays %d stories first, want %d", i+1, len(s.config.Stories), i)
		}
		n := &session{settings: s, line: newProgress(os.Stderr, true)}
		shown := withStories(stories...)
		if len(stories) > 0 {
			shown.Rules[0].Checks[len(stories)-1].Status = result.Error
		}
		if err := n.keepStories(shown); err != nil {
			t.Fatal(err)
		}
	}
	if text := read(t, path); text != kept+"\n"+other+"\n" {
		t.Errorf("the corpus is\n%s", text)
	}
}

// TestCorpusStaysReadable has two runs of one session find stories, which are longer together
// than what a run reads of the file: the latest are kept.
func TestCorpusStaysReadable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "corpus")
	s := &settings{corpus: path, from: map[string]source{}}
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
	for text, want := range map[string]string{"": "no such file", "{\n": "holds no drawn story of conform", `{"rule":"feed.unfollow","endpoint":10}`: "neither operations nor inputs"} {
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

// TestKeepWritesAScenario has a report's story written as Go, and says what else there is.
func TestKeepWritesAScenario(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.json")
	text, err := json.Marshal(withStories(kept))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
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
	for rule, want := range map[string]string{"feed.order": "there are stories of feed.unfollow", "": "--rule is empty"} {
		o := conform(t, "keep", path, "--rule", rule)
		o.wants(t, exitUsage)
		o.fewLines(t, 2)
		if !strings.Contains(o.stderr, want) {
			t.Errorf("--rule %q: %s", rule, o.stderr)
		}
	}
}

// TestWhatWasSeenOnceCanBeKept asks for a script and for a scenario of a story that there was no time to
// play again: no script knows its answer, a scenario judges it.
func TestWhatWasSeenOnceCanBeKept(t *testing.T) {
	t.Parallel()
	once := withStories(kept)
	once.Rules[0].Status, once.Rules[0].Checks[0].Status = result.Error, result.Error
	data, err := json.Marshal(once)
	if err != nil {
		t.Fatal(err)
	}
	path := file(t, data)
	conform(t, "reproduce", path, "--rule", "feed.unfollow").says(t, exitUsage, "no time to play it again", "conform replay")
	conform(t, "keep", path, "--rule", "feed.unfollow").says(t, exitConformant, "s.Story(")
}

// TestWhatShouldBeCanBeKept asks for a scenario of a rule of level should, whose stories warn.
func TestWhatShouldBeCanBeKept(t *testing.T) {
	t.Parallel()
	warned := withStories(kept)
	warned.Rules[0].Status, warned.Rules[0].Checks[0].Status = result.Warn, result.Warn
	data, err := json.Marshal(warned)
	if err != nil {
		t.Fatal(err)
	}
	conform(t, "keep", file(t, data), "--rule", "feed.unfollow").says(t, exitConformant, "s.Story(")
}
