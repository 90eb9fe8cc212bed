package scenarios

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	. "github.com/socialfeed/conform/conformance"
)

// errorResponses judges the contract's part Errors where no endpoint is reached.
func errorResponses(s *Suite) {
	s.Scenario("a path that the contract does not have is not found", Judges("errors.unknown-path"), func(t *Trial) {
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
	for _, st := range stages(onePerPath()) {
		s.Scenario("PATCH is no method of the path of "+st.text, st.claims("errors.method", "errors.method-allow"), func(t *Trial) {
			for _, request := range st.specimens(t) {
				foreignMethod(t, request)
			}
		})
	}
}

func foreignMethod(t *Trial, request *specimen) {
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
		allowed := answer.Headers().Values("Allow")
		for _, method := range methodsOf(request.at.Path()) {
			c.True(listsAny(allowed, method), "Allow with "+method, shownHeader(allowed))
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
