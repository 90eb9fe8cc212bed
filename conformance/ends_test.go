package conformance_test

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	. "github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// several are scenarios of which the n-th to be played, from 1, meets a twist.
func several(twist func(n int32, t *T)) (rs []string, register func(*Suite)) {
	rs = []string{"users.me.get", "users.get.other", "users.create.status", "users.create.body", "users.create.echo", "feed.status"}
	return rs, func(s *Suite) {
		var played atomic.Int32
		for _, rule := range rs {
			s.Scenario("judges "+rule, Covers(rule), func(t *T) {
				a := t.Actor()
				twist(played.Add(1), t)
				t.Judge(rule, func(c *Check) { c.Status(t.Send(a, rules.GetMe), OneOf(200)) })
			})
		}
	}
}

// oneByOne is a configuration under which scenarios are played in turn.
func oneByOne(config Config) Config {
	config.Jobs = 1
	return config
}

func TestInterruptLeavesACompleteReport(t *testing.T) {
	f := newFake(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	rules, register := several(func(n int32, _ *T) {
		if n == 3 {
			cancel()
		}
	})
	report, err := newJudge(t, oneByOne(f.config(rules...)), register).Run(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if report.Verdict != result.Incomplete || len(report.Rules) != rulesInAll(t) {
		t.Errorf("%s with %d rules", report.Verdict, len(report.Rules))
	}
	if n := report.Summary.Rules; n[result.Pass] != 2 || n[result.Error] != 4 || n[result.Fail]+n[result.Blocked] != 0 {
		t.Errorf("summary %v", n)
	}
	if notes := strings.Join(report.Notes, "\n"); !strings.Contains(notes, "the run was interrupted; 2 of 6 scenarios were played") {
		t.Errorf("notes %q", notes)
	}
	for _, rule := range report.Rules {
		if rule.Status == result.Error && !strings.Contains(rule.Checks[0].Message, "interrupted") {
			t.Errorf("%s: %s", rule.ID, rule.Checks[0].Message)
		}
	}
	if f.left() != 0 || f.times("DELETE /0.2/user") == 0 {
		t.Errorf("%d users are left behind", f.left())
	}
}

func TestTheRunsTimeIsBounded(t *testing.T) {
	f := newFake(t)
	rules, register := several(func(n int32, trial *T) {
		if n == 2 {
			<-trial.Context().Done()
		}
	})
	config := f.config(rules...)
	config.Timeout = 2 * time.Second
	report, err := newJudge(t, config, register).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if report.Verdict != result.Incomplete || !strings.Contains(strings.Join(report.Notes, "\n"), "the run's time was up") || f.left() != 0 {
		t.Errorf("%s, notes %q, %d users left behind", report.Verdict, report.Notes, f.left())
	}
}

// What a dying target last said is in no part of the report if it is a secret.
func TestLastWordsAreRedacted(t *testing.T) {
	f := newFake(t)
	dead := atomic.Bool{}
	f.instead = func(w http.ResponseWriter, r *http.Request) bool {
		if !dead.Load() {
			return false
		}
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return true
		}
		app, session, _ := r.BasicAuth()
		_, _ = net.Conn.Write(conn, []byte(r.Header.Get("Authorization")+" "+app+" "+session+"\r\n\r\n"))
		conn.Close()
		return true
	}
	var tokens []string
	rules, register := several(func(n int32, trial *T) {
		if n == 2 {
			dead.Store(true)
		}
	})
	report, err := newJudge(t, oneByOne(f.config(rules...)), register).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.Join(report.Notes, "\n"), "malformed HTTP") {
		t.Errorf("notes %q", report.Notes)
	}
	f.mu.Lock()
	for token := range f.sessions {
		tokens = append(tokens, token)
	}
	f.mu.Unlock()
	expectNoSecrets(t, report, append(tokens, appToken)...)
}

func expectNoSecrets(t *testing.T, report *result.Report, secrets ...string) {
	t.Helper()
	text, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	for _, app := range secrets {
		for _, secret := range []string{app, strings.TrimPrefix(basic(app), "Basic ")[:12]} {
			if at := strings.Index(string(text), secret); at >= 0 {
				t.Errorf("the report holds %q: …%s…", secret, text[max(0, at-80):at])
			}
		}
	}
}

func basic(app string) string {
	r := http.Request{Header: http.Header{}}
	r.SetBasicAuth(app, "")
	return r.Header.Get("Authorization")
}

// No connection stays open behind a run.
func TestRunsCloseTheirConnections(t *testing.T) {
	f := newFake(t)
	var open atomic.Int32
	f.server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			open.Add(1)
		case http.StateClosed, http.StateHijacked:
			open.Add(-1)
		}
	}
	stranger := f.config("users.me.get")
	stranger.Target.AppToken = "a-token-that-the-fake-refuses"
	for _, config := range []Config{f.config("users.me.get"), stranger} {
		judge := newJudge(t, config, func(s *Suite) { s.Scenario("reads", Covers("users.me.get"), readsItself) })
		contact := judge.Contact(t.Context())
		if _, err := judge.Run(t.Context()); (err == nil) != (contact == nil) {
			t.Fatalf("the run ends with %v, the contact with %v", err, contact)
		}
	}
	for deadline := time.Now().Add(5 * time.Second); open.Load() > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d connections stay open", open.Load())
		}
	}
}

// TestAnAloneScenarioEndsWhateverItsControlDoes has a scenario that must be alone look at a
// refusal of an endpoint that no control makes serve anything.
func TestAnAloneScenarioEndsWhateverItsControlDoes(t *testing.T) {
	f := newFake(t)
	f.instead = func(w http.ResponseWriter, r *http.Request) bool {
		connects := r.URL.Path == rules.CreateConnection.Path()
		if connects {
			answer(w, http.StatusUnprocessableEntity, map[string]any{})
		}
		return connects
	}
	ended := make(chan *result.Report)
	go func() {
		report, _ := newJudge(t, f.config("connections.create.follow"), func(s *Suite) {
			s.Control(func(*T, rules.Endpoint) {})
			s.ScenarioAlone("alone", Covers("connections.create.follow"), func(t *T) {
				a := t.Actor()
				t.Judge("connections.create.follow", func(c *Check) { c.Status(t.Send(a, rules.CreateConnection), Refused()) })
			})
		}).Run(t.Context())
		ended <- report
	}()
	select {
	case report := <-ended:
		expectRule(t, report, "connections.create.follow", result.Pass, "")
	case <-time.After(5 * time.Second):
		t.Fatal("the run does not end")
	}
}
