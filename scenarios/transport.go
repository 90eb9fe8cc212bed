package scenarios

import (
	"encoding/json"
	"fmt"
	"net/http"

	. "github.com/socialfeed/conform/conformance"
)

// transport judges the contract's part What the service does, transport rules 1
// to 9, and what the part Errors says of media types.
func transport(s *Suite) {
	plainHTTP(s)
	userAgent(s)
	contentTypes(s)
	acceptedTypes(s)
	unicodeText(s)
	crossOrigin(s)
}

func plainHTTP(s *Suite) {
	s.Scenario("the API is not served over plain HTTP", Judges("transport.https-only"), func(t *Trial) {
		t.Judge("transport.https-only", func(c *Check) {
			switch {
			case t.Secure():
			case t.AllowsHTTP():
				t.Skip("the target is given as http://, which --allow-http permits")
			default:
				c.Fail("a target that is reached over https://", "one that is given as http://")
			}
			for _, path := range []string{Versions.Path(), GetMe.Path()} {
				status, body, err := t.PlainExchange(http.MethodGet, path)
				c.True(err != nil || status/100 != 2 || !json.Valid(body), "no service over plain HTTP",
					fmt.Sprintf("%d with JSON from http:// at %s", status, path))
			}
		})
	})
}

func userAgent(s *Suite) {
	for _, st := range stages(Endpoints()) {
		claims := st.claims("transport.user-agent-required", "transport.user-agent-status")
		s.Scenario(st.text+" without a User-Agent is refused and has no effect", claims, func(t *Trial) {
			for _, request := range st.specimens(t) {
				anonymousAgent(t, request)
			}
		})
	}
}

// anonymousAgent judges a request without a User-Agent.
func anonymousAgent(t *Trial, request *specimen) {
	const required, status = "transport.user-agent-required", "transport.user-agent-status"
	answer := request.send(request.as, Without("User-Agent"))
	t.JudgeAt(request.at, required, func(c *Check) {
		if answer.Status()/100 != 4 {
			request.mustWork(answer)
		}
		c.Status(answer, Refused())
		if request.unchanged != nil {
			request.unchanged(c)
		}
	})
	t.JudgeAt(request.at, status, func(c *Check) {
		if answer.Status()/100 != 4 {
			t.Blocked(required, "needs a refusal, and got %d", answer.Status())
		}
		c.Observe("refused with %d", answer.Status())
	})
}

func contentTypes(s *Suite) {
	for _, at := range []Endpoint{CreateUser, Login, UpdateMe, CreateConnection, ConnectSocial, CreateEvent, UpdateEvent} {
		s.Scenario(fmt.Sprintf("%s takes no body labelled text/plain", at), JudgesAt(at, "transport.content-type-415"), func(t *Trial) {
			request := specimenOf(t, at)
			t.Judge("transport.content-type-415", func(c *Check) {
				request.refused(c, request.send(request.as, Header("Content-Type", "text/plain")), http.StatusUnsupportedMediaType)
			})
		})
	}
	s.Scenario("a body of application/json may name its charset", Judges("transport.content-type-charset"), func(t *Trial) {
		t.Judge("transport.content-type-charset", func(c *Check) {
			answer := t.Send(t.AppOnly(), CreateUser, JSON(t.NewUser(nil)), Header("Content-Type", "application/json; charset=utf-8"))
			if !answer.Succeeded() {
				createPlainUser(t) // works without the charset
			}
			c.True(answer.Succeeded(), "a user created, as without the charset", fmt.Sprintf("a %d", answer.Status()))
		})
	})
}

func acceptedTypes(s *Suite) {
	s.Scenario("a client that accepts only text/html learns that there is none", Judges("transport.accept-406"), func(t *Trial) {
		reader := t.Actor()
		for _, at := range []Endpoint{GetMe, SearchUsers, Feed} {
			t.JudgeAt(at, "transport.accept-406", func(c *Check) {
				request := specimenBy(t, reader, at)
				request.refused(c, request.send(request.as, Header("Accept", "text/html")), http.StatusNotAcceptable)
			})
		}
	})
	s.Scenario("a client that accepts anything, or does not say, gets an answer", Judges("transport.accept-any"), func(t *Trial) {
		reader := t.Actor()
		t.Judge("transport.accept-any", func(c *Check) {
			t.Send(reader, GetMe).Done() // reading works with the Accept header that is asked for
			wildcard := t.Send(reader, GetMe, Header("Accept", "*/*"))
			unsaid := t.Send(reader, GetMe, Without("Accept"))
			c.Observe("*/*: %s, none: %s", reception(wildcard), reception(unsaid))
		})
	})
}

// reception says in a choice's words what became of a request.
func reception(a *Answer) string {
	if a.Succeeded() {
		return "accepted"
	}
	return fmt.Sprintf("refused with %d", a.Status())
}
