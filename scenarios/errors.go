package scenarios

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// errorResponses judges the contract's part Errors where no endpoint is reached.
func errorResponses(s *Suite) {
	// errors.unknown-path: A path that the contract does not have is answered as not found.
	s.Scenario("a path that the contract does not have is not found", Covers("errors.unknown-path"), func(t *T) {
		reader := t.Actor()
		t.Judge("errors.unknown-path", func(c *Check) {
			for _, path := range []string{
				"/0.2/" + t.Unique(), GetMe.Path() + "/" + t.Unique(), "/" + t.Unique(), Versions.Path() + "/" + t.Unique(),
				CreateUser.Path() + "/" + url.PathEscape(reader.ID.String()) + "/" + t.Unique(), strings.TrimPrefix(GetMe.Path(), "/0.2"),
			} {
				c.Status(t.SendTo(reader, http.MethodGet, path), OneOf(http.StatusNotFound))
			}
		})
	})
	const method, allow = "errors.method", "errors.method-allow"
	// errors.method: A method that a path does not have is refused with 405.
	// errors.method-allow (should): A 405 names in an Allow header the methods that the path does have.
	s.Scenario("PATCH is no method of any path", coversEach(onePerPath(), method, allow), func(t *T) {
		users := newCast(t)
		for _, at := range onePerPath() {
			var answer *Answer
			t.JudgeAt(at, method, func(c *Check) {
				request := users.validRequestTo(at)
				if answer = request.patch(users.sender()); answer.Succeeded() { // the service may support more methods than the contract
					c.Status(answer, OneOf(http.StatusMethodNotAllowed).Tolerating(answer.Status()))
					return
				}
				request.refused(c, answer, http.StatusMethodNotAllowed)
			})
			t.JudgeAt(at, allow, func(c *Check) { allows(t, c, at, answer) })
		}
	})
}

// allows judges the Allow header of a 405: the methods that the path has.
func allows(t *T, c *Check, at Endpoint, answer *Answer) {
	switch {
	case answer == nil || !answer.Succeeded() && answer.Status() != http.StatusMethodNotAllowed:
		t.Blocked("errors.method", "needs a 405 to PATCH at %s", at.Path())
	case answer.Succeeded():
		t.Skip("PATCH is a method of this path")
	}
	c.Status(answer, OneOf(http.StatusMethodNotAllowed))
	for _, method := range methodsOf(at.Path()) {
		answer.ExpectHeaderItems("Allow").Alias("Allow with " + method).ContainsAny(method)
	}
}

// onePerPath is the first endpoint of each path.
func onePerPath() []Endpoint {
	var paths []string
	var first []Endpoint
	for _, at := range Endpoints() {
		if !slices.Contains(paths, at.Path()) {
			paths, first = append(paths, at.Path()), append(first, at)
		}
	}
	return first
}

// methodsOf are the methods that the contract gives a path.
func methodsOf(path string) []string {
	var methods []string
	for _, at := range Endpoints() {
		if at.Path() == path {
			methods = append(methods, at.Method())
		}
	}
	return methods
}
