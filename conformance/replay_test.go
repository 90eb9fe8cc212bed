package conformance_test

import (
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	. "github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestAStoryThatEndsEarlyIsNotPassed plays a story that was kept on a target that shows what
// another rule is about, and then answers no more.
func TestAStoryThatEndsEarlyIsNotPassed(t *testing.T) {
	f := newFake(t)
	var posts atomic.Int32
	f.instead = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPost || r.URL.Path != rules.CreateEvent.Path() {
			return false
		}
		const learned = 1 // before the story
		switch n := posts.Add(1); {
		case n > learned+1:
			panic(http.ErrAbortHandler)
		case n > learned:
			answer(w, http.StatusOK, map[string]any{"id": "e", "user_id": 1, "verb": "like"})
			return true
		}
		return false
	}
	report := judged(t, f.config("feed.merge"), func(s *Suite) {
		s.Story("kept", `{"rule":"feed.merge","endpoint":21,"story":{"name":"posts","slots":1,"plain":true,"ops":[{"kind":"post","a":0},{"kind":"post","a":0}]}}`)
	})
	if expectRule(t, report, "feed.merge", result.Error, "could not judge"); posts.Load() < 3 {
		t.Errorf("%d events were posted", posts.Load())
	}
}

// TestStoriesThatCannotBeDrawnAreTold asks for drawn stories of a target that does not answer
// what finds out its choices.
func TestStoriesThatCannotBeDrawnAreTold(t *testing.T) {
	f := newFake(t)
	f.instead = func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPost && r.URL.Path == rules.CreateEvent.Path() {
			panic(http.ErrAbortHandler)
		}
		return false
	}
	config := f.config("users.me.get")
	config.Deep = time.Second
	report := judged(t, config, func(s *Suite) { s.Scenario("a user reads itself", Covers("users.me.get"), readsItself) })
	if !slices.ContainsFunc(report.Notes, func(note string) bool { return strings.Contains(note, "no story was drawn") }) {
		t.Errorf("notes: %q", report.Notes)
	}
}
