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
	for _, fx := range fixtures(onePerPath()) {
		// errors.method: A method that a path does not have is refused with 405.
		// errors.method-allow (should): A 405 names in an Allow header the methods that the path does have.
		s.Scenario("PATCH is no method of the path of "+fx.text, fx.covers("errors.method", "errors.method-allow"), func(t *T) {
			for _, request := range fx.requests(t) {
				foreignMethod(t, request)
			}
		})
	}
}

func foreignMethod(t *T, request *validRequest) {
	answer := request.patch()
	t.JudgeAt(request.at, "errors.method", func(c *Check) {
		if answer.Succeeded() { // the version may have gained the method
			c.Status(answer, OneOf(http.StatusMethodNotAllowed).Tolerating(answer.Status()))
			return
		}
		request.refused(c, answer, http.StatusMethodNotAllowed)
	})
	t.JudgeAt(request.at, "errors.method-allow", func(c *Check) {
		switch {
		case answer.Succeeded():
			t.Skip("PATCH is a method of this path")
		case answer.Status() != http.StatusMethodNotAllowed:
			t.Blocked("errors.method", "needs a 405, and got %d", answer.Status())
		}
		c.Status(answer, OneOf(http.StatusMethodNotAllowed))
		for _, method := range methodsOf(request.at.Path()) {
			answer.ExpectHeaderItems("Allow").Alias("Allow with " + method).ContainsAny(method)
		}
	})
}

// onePerPath are the first endpoints of all distinct paths.
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
