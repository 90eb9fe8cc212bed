package conformance_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	. "github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// A target may end a session at any time. An actor gets a new one and never
// notices; what was put together by hand gets what it asked for.
func TestSessionsAreRenewedForActorsAlone(t *testing.T) {
	f := newFake(t)
	report := judged(t, oneByOne(f.config("users.me.get", "users.get.other", "sessions.logout.destroys", "auth.session-unknown", "feed.status")), func(s *Suite) {
		s.Scenario("an actor", Covers("users.me.get", "users.get.other"), func(t *T) {
			a := t.Actor()
			token := a.Token()
			f.endSessions()
			t.Judge("users.me.get", func(c *Check) {
				c.Status(t.Send(a, rules.GetMe), OneOf(200))
				c.True(a.Token() != token, "another token", "the old one")
			})
			f.endSessions()
			a.Post(nil) // arranging renews as well
			t.Judge("users.get.other", func(c *Check) { c.Status(t.Send(a, rules.GetUser, ID(a.ID)), OneOf(200)) })
		})
		s.Scenario("by hand", CoversAt(rules.GetMe, "auth.session-unknown"), func(t *T) {
			session := t.Actor().Session()
			f.endSessions()
			t.JudgeAt(rules.GetMe, "auth.session-unknown", func(c *Check) { c.Status(t.Send(session, rules.GetMe), OneOf(401)) })
		})
		s.Scenario("ended on purpose", Covers("sessions.logout.destroys"), func(t *T) {
			a := t.Actor()
			a.LogOut()
			t.Judge("sessions.logout.destroys", func(c *Check) { c.Status(t.Send(a, rules.GetMe), OneOf(401)) })
		})
		s.Scenario("logged in anew", Covers("feed.status"), func(t *T) {
			a := t.Actor()
			a.LogOut()
			a.LogIn()
			f.endSessions()
			t.Judge("feed.status", func(c *Check) { c.Status(t.Send(a, rules.Feed), OneOf(200)) })
		})
	})
	for _, rule := range []string{"users.me.get", "users.get.other", "sessions.logout.destroys", "feed.status"} {
		expectRule(t, report, rule, result.Pass, "")
	}
	for _, check := range ruleOf(t, report, "auth.session-unknown").Checks {
		if check.Endpoint == rules.GetMe.String() && check.Status != result.Pass {
			t.Errorf("a session put together by hand: %s, %s", check.Status, check.Message)
		}
	}
	if f.left() != 0 {
		t.Errorf("%d users are left behind", f.left())
	}
}

// Of a session that is over nothing is said where logging in anew got no answer, though what
// was tried next is refused: that it was over is not known then.
func TestAnUnansweredLoginIsNoRefusal(t *testing.T) {
	f := newFake(t)
	ended := false
	f.instead = func(w http.ResponseWriter, r *http.Request) bool {
		if !ended || r.URL.Path != "/0.2/user/login" {
			return false
		}
		body, err := io.ReadAll(r.Body)
		if err != nil || bytes.Contains(body, []byte("user_name")) {
			panic(http.ErrAbortHandler)
		}
		answer(w, 401, map[string]any{})
		return true
	}
	report := judged(t, oneByOne(f.config("users.me.get")), func(s *Suite) {
		s.Scenario("an actor", Covers("users.me.get"), func(t *T) {
			a := t.Actor()
			f.endSessions()
			ended = true
			t.Judge("users.me.get", func(c *Check) { c.Status(t.Send(a, rules.GetMe), OneOf(200)) })
		})
	})
	expectRule(t, report, "users.me.get", result.Error, "")
}

// A login that got no answer after a logout leaves the actor without a session. What is arranged
// with the actor next begins with a login: its refusal would be blamed on what was arranged.
func TestAnActorLoggedOutLogsInForWhatIsArranged(t *testing.T) {
	f := newFake(t)
	var lost atomic.Bool
	f.instead = func(_ http.ResponseWriter, r *http.Request) bool {
		if lost.Load() && r.URL.Path == rules.Login.Path() {
			panic(http.ErrAbortHandler)
		}
		return false
	}
	report := judged(t, oneByOne(f.config("sessions.logout.destroys", "events.create.status")), func(s *Suite) {
		s.Scenario("an actor", Covers("sessions.logout.destroys", "events.create.status"), func(t *T) {
			a := t.Actor()
			lost.Store(true)
			t.Judge("sessions.logout.destroys", func(*Check) {
				a.LogOut()
				a.LogIn()
			})
			lost.Store(false)
			t.Judge("events.create.status", func(*Check) { a.Post(nil) })
		})
	})
	expectRule(t, report, "sessions.logout.destroys", result.Error, "")
	expectRule(t, report, "events.create.status", result.Pass, "")
}

// An update may give the user another name, and end the session. Where its answer is lost and it is
// sent once more, that is refused, and so is a login by what the judge knows: nothing is told
// by it, and the scenario is played once more.
func TestAnUpdateWhoseAnswerIsLostIsNotRefused(t *testing.T) {
	f := newFake(t)
	served := 0
	f.instead = func(w http.ResponseWriter, r *http.Request) bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		if r.URL.Path == rules.Login.Path() {
			answer(w, 401, map[string]any{})
			return true
		}
		_, token, _ := r.BasicAuth()
		if _, live := f.sessions[token]; !live || r.Method != http.MethodPut {
			return false
		}
		if served++; served == 1 {
			delete(f.sessions, token)
			panic(http.ErrAbortHandler)
		}
		answer(w, 200, map[string]any{})
		return true
	}
	report := judged(t, oneByOne(f.config("users.me.get")), func(s *Suite) {
		s.Scenario("an actor", Covers("users.me.get"), func(t *T) {
			a := t.Actor()
			t.Judge("users.me.get", func(c *Check) { c.Status(t.Send(a, rules.UpdateMe, JSON(Fields{})), OneOf(200)) })
		})
	})
	expectRule(t, report, "users.me.get", result.Pass, "")
	if served != 2 {
		t.Errorf("served %d updates, want 2", served)
	}
}

// A 401 of the endpoint's own stays what it is, though the session is found to live.
func TestARefusalOfALiveSessionIsTheAnswer(t *testing.T) {
	f := newFake(t)
	f.instead = func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/0.2/user/feed" {
			return false
		}
		answer(w, 401, map[string]string{"reason": "no feed for you"})
		return true
	}
	report := judged(t, f.config("feed.status", "feed.empty"), func(s *Suite) {
		s.Scenario("reads the feed", Covers("feed.status", "feed.empty"), func(t *T) {
			a := t.Actor()
			t.Judge("feed.status", func(c *Check) { c.Status(t.Send(a, rules.Feed), OneOf(200)) })
			t.Judge("feed.empty", func(*Check) { t.Send(a, rules.Feed).Records() })
		})
	})
	check := expectRule(t, report, "feed.status", result.Fail, "got 401 with").Checks[0]
	if last := check.Exchanges[len(check.Exchanges)-1]; !strings.HasSuffix(last.Request.URL, "/feed") || last.Response.Status != 401 {
		t.Errorf("the evidence ends with %s, a %d", last.Request.URL, last.Response.Status)
	}
	expectRule(t, report, "feed.empty", result.Blocked, "GET /0.2/user/feed, which answered 401")
}

// A session that a login gave to a second user may be ended by that one: what its end seems to show is
// for the rule of that login.
func TestAnEndOfASharedSessionIsTheLogins(t *testing.T) {
	f := newFake(t)
	given := ""
	f.instead = func(w http.ResponseWriter, r *http.Request) bool {
		if given == "" || r.URL.Path != "/0.2/user/login" {
			return false
		}
		sent := decoded(r)
		answer(w, 200, map[string]any{"id": sent["first_name"], "session_token": given})
		return true
	}
	report := judged(t, oneByOne(f.config("users.me.get", "sessions.login.email")), func(s *Suite) {
		s.Scenario("another's session ends", Covers("users.me.get"), func(t *T) {
			a, b := t.Actor(), t.Actor()
			session := a.Session()
			given = session.Session
			t.Send(t.AppOnly(), rules.Login, JSON(Fields{"email": b.Email, "password": b.Password, "first_name": b.ID}))
			given = ""
			t.Send(session, rules.Logout)
			t.Judge("users.me.get", func(c *Check) { c.Status(t.Send(session, rules.GetMe), OneOf(200)) })
		})
	})
	if got := ruleOf(t, report, "users.me.get"); got.Status != result.Blocked || got.Checks[0].BlockedBy != "sessions.login.email" {
		t.Errorf("the end of a session that two users have: %s, blocked by %q, %s", got.Status, got.Checks[0].BlockedBy, got.Checks[0].Message)
	}
}
