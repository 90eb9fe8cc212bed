package conformance_test

import (
	"net/http"
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
