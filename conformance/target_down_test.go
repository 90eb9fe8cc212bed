package conformance_test

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	. "github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
)

func TestTheTargetDies(t *testing.T) {
	f := newFake(t)
	rules, register := several(func(n int32, _ *T) {
		if n == 2 {
			f.server.Config.SetKeepAlivesEnabled(false)
			f.server.Listener.Close()
			f.server.CloseClientConnections()
		}
	})
	report, err := newJudge(t, oneByOne(f.config(rules...)), register).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(report.Notes, "\n")
	if report.Verdict != result.Incomplete || !strings.Contains(notes, "the target stopped answering: the connection was refused") || !strings.Contains(notes, "of 6 scenarios") {
		t.Errorf("%s, notes %q", report.Verdict, notes)
	}
	if n := report.Summary.Rules; n[result.Pass] != 1 || n[result.Error] != 5 || n[result.Fail]+n[result.Blocked] != 0 {
		t.Errorf("summary %v", n)
	}
	if !strings.Contains(notes, "users could not be deleted") {
		t.Errorf("notes %q say nothing of users left behind", notes)
	}
}

// A target that pauses while scenarios clean up has nobody left on it after the run.
func TestAPauseOfTheTargetLeavesNobodyBehind(t *testing.T) {
	const held = 6 // more than it takes until a target counts as gone
	f := newFake(t)
	var unanswered atomic.Int32
	f.instead = func(_ http.ResponseWriter, r *http.Request) bool {
		begins := r.Method == http.MethodDelete && unanswered.CompareAndSwap(0, 1)
		if !begins && (unanswered.Load() == 0 || r.URL.Path == "/versions" || unanswered.Add(1) > held) {
			return false
		}
		io.Copy(io.Discard, r.Body) // before that a server does not notice that its client is gone
		<-r.Context().Done()
		return true
	}
	rules, register := several(func(int32, *T) {})
	config := f.config(rules...)
	config.RequestTimeout = time.Second
	report, err := newJudge(t, config, register).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if f.left() != 0 || unanswered.Load() <= held {
		t.Errorf("%d users are left behind, %d requests had no answer, notes %q", f.left(), unanswered.Load(), report.Notes)
	}
}

// A user whose deletion was carried out without an answer is not told to be left behind.
func TestADeletionWithoutAnAnswerIsLookedAtAgain(t *testing.T) {
	f := newFake(t)
	var lost atomic.Int32
	f.instead = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodDelete || r.URL.Path != "/0.2/user" || lost.Add(1) > 2 {
			return false
		}
		_, token, _ := r.BasicAuth()
		f.mu.Lock()
		delete(f.users, f.sessions[token])
		delete(f.sessions, token)
		f.mu.Unlock()
		panic(http.ErrAbortHandler) // the connection ends
	}
	rules, register := several(func(n int32, trial *T) {
		if n == 1 { // the target has logins
			trial.Actor().LogIn()
		}
	})
	report := judged(t, f.config(rules...), register)
	if f.left() != 0 || lost.Load() < 2 {
		t.Fatalf("%d users are left, %d deletions had no answer", f.left(), lost.Load())
	}
	if notes := strings.Join(report.Notes, "\n"); strings.Contains(notes, "could not be deleted") {
		t.Errorf("notes %q", notes)
	}
}
