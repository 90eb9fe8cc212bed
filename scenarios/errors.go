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
		reader := t.AnyActor()
		t.Judge("errors.unknown-path", func(c *Check) {
			for _, path := range []string{
				"/0.2/" + t.Unique(), GetMe.Path() + "/" + t.Unique(), "/" + t.Unique(), Versions.Path() + "/" + t.Unique(),
				CreateUser.Path() + "/" + url.PathEscape(reader.ID.String()) + "/" + t.Unique(), strings.TrimPrefix(GetMe.Path(), "/0.2"),
				Feed.Path() + "/" + t.Unique(), MyFollows.Path() + "/" + t.Unique(), MyFollowers.Path() + "/" + t.Unique(), MyFriends.Path() + "/" + t.Unique(),
				FollowsOf.Expand(reader.ID.String()) + "/" + t.Unique(), FollowersOf.Expand(reader.ID.String()) + "/" + t.Unique(), FriendsOf.Expand(reader.ID.String()) + "/" + t.Unique(),
			} {
				c.Status(t.SendTo(reader, http.MethodGet, path), OneOf(http.StatusNotFound))
			}
			notRead := OneOf(http.StatusNotFound).Tolerating(http.StatusMethodNotAllowed) // a target may answer all reads that it does not know by one route
			c.Status(t.SendTo(reader, http.MethodPost, "/0.2/"+t.Unique(), JSON(Fields{})), notRead)
			c.Status(t.SendTo(reader, http.MethodDelete, "/0.2/"+t.Unique()), notRead)
		})
	})
	const method, allow = "errors.method", "errors.method-allow"
	// errors.method: A method that a path does not have is refused with 405.
	// errors.method-allow (should): A 405 names in an Allow header the methods that the path does have.
	s.Scenario("PATCH is no method of any path, and DELETE of few", coversEach(onePerPath(), method, allow), func(t *T) {
		users := newCast(t)
		users.target = users.followed // neither is connected to, or deleted
		for _, at := range onePerPath() {
			var answer *Answer
			t.JudgeAt(at, method, func(c *Check) {
				request := users.validRequestTo(at)
				answer = request.patch(users.sender())
				request.methodRefused(c, http.MethodPatch, answer)
				if !deletes(at.Path()) {
					request.methodRefused(c, http.MethodDelete, request.sendBy(users.sender(), http.MethodDelete))
				}
			})
			t.JudgeAt(at, allow, func(c *Check) { allows(t, c, at, answer) })
		}
	})
}

// deletes reports whether a path is one that the contract has a DELETE for, by its name or
// with a part of it for a parameter.
func deletes(path string) bool {
	return slices.ContainsFunc(Endpoints(), func(at Endpoint) bool {
		return at.Method() == http.MethodDelete && slices.EqualFunc(strings.Split(at.Path(), "/"), strings.Split(path, "/"),
			func(part, other string) bool { return part == other || strings.HasPrefix(part, "{") })
	})
}

// methodRefused judges the answer to a method that the contract does not give a path. The
// service may support more of them.
func (r *validRequest) methodRefused(c *Check, method string, answer *Answer) {
	if answer.Succeeded() {
		c.Status(answer, OneOf(http.StatusMethodNotAllowed).Tolerating(answer.Status()))
		return
	}
	r.refused(c, method, answer, http.StatusMethodNotAllowed)
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
