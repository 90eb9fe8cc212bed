package conformance_test

import (
	"net/http"
	"sync"
	"testing"

	. "github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// httpexpect passes over whatever follows a failed assertion: an answer that was
// found wanting once is found wanting again.
func TestAnAnswerFailsInEveryCheck(t *testing.T) {
	f := newFake(t)
	report := judged(t, f.config("users.me.get", "users.get.other", "users.get.unknown"), func(s *Suite) {
		s.Scenario("asserts again", Covers("users.me.get", "users.get.other", "users.get.unknown"), func(t *T) {
			answer := t.Send(t.Actor(), rules.GetMe)
			t.Judge("users.me.get", func(c *Check) { c.Status(answer, OneOf(201, 204)) })
			t.Judge("users.get.other", func(c *Check) { c.Status(answer, Refused()) })
			t.Judge("users.get.unknown", func(c *Check) { c.Status(answer, OneOf(404).Tolerating(200)) })
		})
	})
	expectRule(t, report, "users.me.get", result.Fail, "expected 201 Created or 204 No Content; got 200 with {")
	expectRule(t, report, "users.get.other", result.Fail, "expected a refusal (any 4xx); got 200 with {")
	expectRule(t, report, "users.get.unknown", result.Warn, "expected 404 Not Found; got 200 with {")
}

func TestHeadersAreAsserted(t *testing.T) {
	f := newFake(t)
	f.instead = func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/0.2/user/feed" {
			w.Header()["Allow"] = []string{"GET, HEAD", "PUT"}
			answer(w, 200, []any{})
			return true
		}
		return false
	}
	judge := func(assert func(*Answer)) func(*Suite) {
		return func(s *Suite) {
			s.Scenario("asserts", Covers("feed.status"), func(t *T) {
				reader := t.Actor()
				t.Judge("feed.status", func(*Check) { assert(t.Send(reader, rules.Feed)) })
			})
		}
	}
	for name, tc := range map[string]struct {
		assert func(*Answer)
		status result.Status
		says   string
	}{
		"an item of any line": {func(a *Answer) { a.ExpectHeaderItems("Allow").Alias("Allow with PUT").ContainsAll("HEAD", "PUT") }, result.Pass, ""},
		"an item that is not": {func(a *Answer) { a.ExpectHeaderItems("Allow").Alias("Allow with POST").ContainsAny("POST") },
			result.Fail, `expected Allow with POST; got ["GET, HEAD" "PUT"]`},
		"all lines":          {func(a *Answer) { a.ExpectHeader("Allow").IsEqual("GET, HEAD, PUT") }, result.Pass, ""},
		"another value":      {func(a *Answer) { a.ExpectHeader("Allow").IsEqual("GET") }, result.Fail, `expected "GET"; got ["GET, HEAD" "PUT"]`},
		"no such header":     {func(a *Answer) { a.ExpectHeader("ETag").Alias("an ETag").NotEmpty() }, result.Fail, "expected an ETag; got no such header"},
		"of the response":    {func(a *Answer) { a.Expect().Alias("a type of text").HasContentType("text/plain") }, result.Fail, "expected a type of text; got 200 with []"},
		"of the response, 2": {func(a *Answer) { a.Expect().HasContentType("application/json") }, result.Pass, ""},
	} {
		t.Run(name, func(t *testing.T) {
			expectRule(t, judged(t, f.config("feed.status"), judge(tc.assert)), "feed.status", tc.status, tc.says)
		})
	}
}

// Two requests at once get each its own answer, also where the target ended the
// session of both before.
func TestRequestsAtOnce(t *testing.T) {
	f := newFake(t)
	var both sync.WaitGroup
	f.instead = func(w http.ResponseWriter, r *http.Request) bool {
		_, token, _ := r.BasicAuth()
		f.mu.Lock()
		id, live := f.sessions[token]
		f.mu.Unlock()
		if !live || r.Method != http.MethodGet || r.URL.Path != "/0.2/users/"+id {
			return false
		}
		both.Done()
		both.Wait() // neither is answered before the other has come
		return false
	}
	var actors []*Actor
	var names []string
	report := judged(t, f.config("users.me.get", "users.get.other", "users.get.unknown"), func(s *Suite) {
		s.Scenario("at once", Covers("users.me.get", "users.get.other", "users.get.unknown"), func(t *T) {
			actors = t.Actors(2)
			names = make([]string, len(actors))
			f.endSessions()
			read := func(i int) func() {
				return func() { names[i] = t.Send(actors[i], rules.GetUser, ID(actors[i].ID)).Record().Text("user_name") }
			}
			t.Judge("users.me.get", func(c *Check) {
				both.Add(2)
				t.AtOnce(read(0), read(1))
				for i, a := range actors {
					c.Same("user_name", a.UserName, names[i])
				}
			})
			t.Judge("users.get.other", func(*Check) {
				both.Add(2)
				t.AtOnce(read(0), func() { t.Send(actors[1], rules.GetUser, IDText("99")).Done() }, read(1))
			})
			t.Judge("users.get.unknown", func(*Check) { t.AtOnce(func() {}, func() { panic("in a step") }) })
		})
	})
	expectRule(t, report, "users.me.get", result.Pass, "")
	own := expectRule(t, report, "users.get.other", result.Fail, "expected success from GET /0.2/users/{UserID}; got 404").Checks[0]
	if own.BlockedBy != "" || len(own.Exchanges) != 3 {
		t.Errorf("what a rule needs of itself blocks it by %q on %d exchanges", own.BlockedBy, len(own.Exchanges))
	}
	expectRule(t, report, "users.get.unknown", result.Error, "the suite itself is at fault: in a step")
	if f.left() != 0 {
		t.Errorf("%d users are left behind", f.left())
	}
}
