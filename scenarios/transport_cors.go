package scenarios

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// crossOrigin judges the headers by which a browser may use the API from another origin
// (transport rule 8), read as the Fetch standard prescribes.
func crossOrigin(s *Suite) {
	const response, preflight = "transport.cors-response", "transport.cors-preflight"
	// transport.cors-response: A request from another origin gets an answer that the browser may hand to that origin, refusals for lack of credentials included.
	s.Scenario("an answer may be read from another origin, and so may a 401", Covers(response), func(t *T) {
		reader, origin := t.AnyActor(), "https://"+t.Unique()+".example"
		for _, at := range []Endpoint{GetMe, Feed, Versions} {
			t.JudgeAt(at, response, func(c *Check) {
				request := &validRequest{t: t, at: at, as: reader}
				if at == Versions {
					request = validRequestTo(t, at)
				}
				request.send(request.as) // an answer to no browser, which must not be kept for one
				answer := request.send(request.as, Header("Origin", origin))
				answer.Done()
				permitsOrigin(answer, origin)
				if at != GetMe {
					return
				}
				refused := request.send(Anonymous{}, Header("Origin", origin))
				if refused.Status() != http.StatusUnauthorized {
					t.Blocked("auth.missing", "needs a 401 for missing credentials; got %d", refused.Status())
				}
				permitsOrigin(refused, origin)
				for _, other := range []*Answer{ // other statuses, other methods
					t.Send(reader, GetUser, ID(UnusedID(reader.ID)), Header("Origin", origin)),
					t.Send(reader, CreateEvent, JSON(Fields{"verb": t.Unique()}), Header("Origin", origin)),
					t.Send(reader, DeleteEvent, IDText(t.Unique()), Header("Origin", origin)),
					t.Send(t.AppOnly(), Login, JSON(Fields{"user_name": reader.UserName, "password": t.Password()}), Header("Origin", origin)),
				} {
					permitsOrigin(other, origin)
				}
			})
		}
	})
	// transport.cors-preflight: A browser's preflight is answered without credentials and permits the origin, the method and the headers that the API needs.
	s.Scenario("a browser's preflight is answered without credentials", Covers(preflight), func(t *T) {
		author := t.AnyActor()
		event := author.Post(nil)
		for _, at := range Endpoints() { // the others are judged at the listed endpoint of the same method
			t.JudgeAt(preflighted(at), preflight, func(c *Check) {
				id := author.ID.String()
				if at == UpdateEvent || at == DeleteEvent {
					id = event.ID()
				}
				permitsRequest(t, c, at.Method(), at.Expand(id))
			})
		}
	})
}

// preflighted is the endpoint at which the preflight of an endpoint is judged.
func preflighted(at Endpoint) Endpoint {
	switch at.Method() {
	case http.MethodGet:
		return GetMe
	case http.MethodPut:
		return UpdateMe
	case http.MethodDelete:
		return DeleteMe
	}
	return CreateEvent
}

// permitsRequest judges that a browser may send a request of the method to the path.
func permitsRequest(t *T, c *Check, method, path string) {
	origin := "https://" + t.Unique() + ".example"
	answer := t.SendTo(Anonymous{}, http.MethodOptions, path,
		Header("Origin", origin),
		Header("Access-Control-Request-Method", method),
		Header("Access-Control-Request-Headers", "authorization,content-type"))
	c.True(answer.Succeeded(), "a 2xx to a preflight without credentials", fmt.Sprintf("a %d", answer.Status()))
	permitsOrigin(answer, origin)
	permitsMethod(answer, method)
	permitsHeaders(c, answer)
}

func permitsOrigin(a *Answer, origin string) {
	a.ExpectHeader("Access-Control-Allow-Origin").
		Alias(fmt.Sprintf("Access-Control-Allow-Origin of * or %s in the %d", origin, a.Status())).InList("*", origin)
}

// permitsMethod judges the permitted methods. GET and POST need no permission.
func permitsMethod(a *Answer, method string) {
	if method != http.MethodGet && method != http.MethodPost {
		a.ExpectHeaderItems("Access-Control-Allow-Methods").
			Alias("Access-Control-Allow-Methods with "+method).ContainsAny(method, "*")
	}
}

// permitsHeaders judges the permitted headers. By the standard, the wildcard does not
// include Authorization.
func permitsHeaders(c *Check, a *Answer) {
	const header = "Access-Control-Allow-Headers"
	lower := func(_ int, name any) any { return strings.ToLower(name.(string)) }
	for _, name := range []string{"authorization", "content-type"} {
		a.ExpectHeaderItems(header).Transform(lower).Alias(header+" with "+name).ContainsAny(name, "*")
	}
	if !slices.ContainsFunc(a.HeaderItems(header), func(item string) bool { return strings.EqualFold(item, "authorization") }) {
		c.Warn(header+" with authorization by name, which the wildcard does not stand for", fmt.Sprintf("%q", a.Headers().Values(header)))
	}
}
