package scenarios

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/conformance/setting"
)

// transport judges the contract's part What the service does, transport rules 1 to 9, and
// the media types of the part Errors.
func transport(s *Suite) {
	plainHTTP(s)
	userAgent(s)
	contentTypes(s)
	equivalentSpellings(s)
	acceptedTypes(s)
	unicodeText(s)
	crossOrigin(s)
}

func plainHTTP(s *Suite) {
	// transport.https-only: The host and port that serve the API over HTTPS do not serve it over plain HTTP.
	s.Scenario("the API is not served over plain HTTP", Covers("transport.https-only"), func(t *T) {
		t.Judge("transport.https-only", func(c *Check) {
			switch {
			case t.Secure():
			case t.AllowsHTTP():
				t.Skip("the target is given as http://, which %s permits", t.Called(setting.AllowHTTP))
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

const userAgentRequired, userAgentStatus = "transport.user-agent-required", "transport.user-agent-status"

// userAgent judges requests without a User-Agent, except writes in a session.
func userAgent(s *Suite) {
	reads := slices.DeleteFunc(Endpoints(), func(at Endpoint) bool { return !readsInSession(at) })
	for _, some := range []requestGroup{
		{Versions.String(), []Endpoint{Versions}}, {CreateUser.String(), []Endpoint{CreateUser}}, {Login.String(), []Endpoint{Login}},
		{"an endpoint that reads", reads},
	} {
		// transport.user-agent-required: A request without a User-Agent header is rejected and has no effect.
		// transport.user-agent-status (choice): The status that rejects a request without a User-Agent header is left open.
		s.ScenarioWithRecheck(some.text+" without a User-Agent is refused and has no effect", coversEach(some.endpoints, userAgentRequired, userAgentStatus), func(t *T) {
			requests := newRefusals(t)
			requests.withoutUserAgent(some.endpoints)
			requests.judgeEffects(some.endpoints, userAgentRequired, itself)
		})
	}
}

// withoutUserAgent judges the requests to some endpoints without a User-Agent.
func (r *refusals) withoutUserAgent(endpoints []Endpoint) {
	answers := map[Endpoint]*Answer{}
	r.send(endpoints, userAgentRequired, itself, func(c *Check, request *validRequest) {
		answer := request.send(request.as, Without("User-Agent"))
		answers[request.at] = answer
		if answer.Status()/100 != 4 {
			request.mustWork(answer)
		}
		c.Status(answer, Refused())
	})
	for _, at := range endpoints {
		r.t.JudgeAt(at, userAgentStatus, func(c *Check) {
			if answers[at] == nil || answers[at].Status()/100 != 4 {
				r.t.Blocked(userAgentRequired, "needs a request without a User-Agent to be refused")
			}
			c.Observe("refused with %d", answers[at].Status())
		})
	}
}

const (
	contentTypeUnsupported = "transport.content-type-415"
	mergePatch             = "application/merge-patch+json" // the media type of updates at other services
)

// contentTypes judges bodies of other media types, except those of writes in a session.
func contentTypes(s *Suite) {
	endpoints := []Endpoint{CreateUser, Login}
	// transport.content-type-415: A body whose Content-Type is not application/json is refused with 415.
	s.Scenario("a user or login labelled text/plain, or as a form, is not taken", coversEach(endpoints, contentTypeUnsupported), func(t *T) {
		newRefusals(t).ofOtherMediaTypes(endpoints)
	})
	// transport.content-type-charset (should): A charset parameter on application/json does not make the target refuse the request.
	s.Scenario("a body of application/json may name its charset", Covers("transport.content-type-charset"), func(t *T) {
		t.Judge("transport.content-type-charset", func(c *Check) {
			answer := t.Send(t.AppOnly(), CreateUser, JSON(t.NewUser(nil)), Header("Content-Type", "application/json; charset=utf-8"))
			if !answer.Succeeded() {
				needCreates(t) // the control: accepted without the charset
			}
			c.True(answer.Succeeded(), "a user created, as without the charset", fmt.Sprintf("a %d", answer.Status()))
		})
	})
}

// equivalentSpellings judges requests in spellings that HTTP calls equal to the plain ones, and bodies in
// layouts that say the same JSON.
func equivalentSpellings(s *Suite) {
	endpoints := []Endpoint{CreateUser, GetMe, SearchUsers, CreateEvent, Feed}
	covered := coversEach(endpoints, "transport.equivalent-spelling").And(CoversAt(CreateUser, "users.create.status")).And(CoversAt(CreateEvent, "events.create.status"))
	// transport.equivalent-spelling (should): A request in another spelling that HTTP calls equal is answered like the plain one.
	// users.create.status: Creating a user answers 201.
	// events.create.status: Creating an event answers 201.
	s.Scenario("other spellings of the same request are served", covered, func(t *T) {
		users := newCast(t)
		for _, at := range endpoints {
			request := users.validRequestTo(at)
			what, spelling := respelled(at)
			var answer *Answer
			if at.Request().Body != nil {
				t.JudgeAt(at, at.BlockingRule(), func(c *Check) { answer = laidOut(c, request, spelling) })
			}
			t.JudgeAt(at, "transport.equivalent-spelling", func(c *Check) {
				if answer == nil || !answer.Succeeded() {
					answer = request.send(request.as, spelling...)
				}
				if !answer.Succeeded() {
					request.mustWork(answer)
				}
				c.True(answer.Succeeded(), "success, as for the plain spelling", fmt.Sprintf("%d for %s", answer.Status(), what))
			})
		}
	})
}

// laidOut judges that a body in other layouts of the same JSON is taken. The request is in another spelling, too:
// where it is refused, each layout is tried alone.
func laidOut(c *Check, request *validRequest, spelling []With) *Answer {
	answer := request.send(request.as, append(spelling, LaidOut(Layouts()...))...)
	if answer.Succeeded() {
		return answer
	}
	request.mustWork(answer)
	for _, layout := range Layouts() {
		if alone := request.send(request.as, LaidOut(layout)); !alone.Succeeded() {
			c.True(false, "success, as for the plain layout of the same JSON", fmt.Sprintf("%d for %s", alone.Status(), layout.Name))
			break
		}
	}
	return answer
}

// respelled is another spelling of a request to an endpoint, in words and as it is sent.
func respelled(at Endpoint) (what string, spelling []With) {
	if at.Request().Body != nil {
		return "the media type APPLICATION/JSON and a body in chunks", []With{Header("Content-Type", "APPLICATION/JSON"), Chunked()}
	}
	return "the scheme basic in lower case and several accepted types", []With{LowerCaseScheme(), Header("Accept", "application/json, text/plain, */*")}
}

// ofOtherMediaTypes judges the requests to some endpoints with their bodies labelled as something
// else.
func (r *refusals) ofOtherMediaTypes(endpoints []Endpoint) {
	r.send(endpoints, contentTypeUnsupported, itself, func(c *Check, request *validRequest) {
		labels := []string{"text/plain"}
		switch request.at {
		case CreateUser:
			labels = append(labels, "application/x-www-form-urlencoded", "application/json-patch+json")
		case Login, CreateConnection:
			labels = append(labels, "application/x-www-form-urlencoded")
		case CreateEvent:
			labels = []string{"text/plain; charset=utf-8", "application/vnd.api+json"}
		case UpdateMe:
			labels = []string{"text/plain; charset=utf-8", mergePatch}
		case UpdateEvent:
			labels = append(labels, mergePatch)
		}
		for _, label := range labels {
			request.refused(c, "a body labelled "+label, request.send(request.as, Header("Content-Type", label)), http.StatusUnsupportedMediaType)
		}
		if request.at == UpdateMe && request.taken() == contentTypeUnsupported { // whose effect is seen by one reading
			request.unchanged(c)
		}
	})
}

func acceptedTypes(s *Suite) {
	// transport.accept-406 (should): A request that accepts only text/html gets 406.
	s.Scenario("a client that accepts only text/html learns that there is none", Covers("transport.accept-406"), func(t *T) {
		reader := t.Actor()
		for _, at := range []Endpoint{GetMe, SearchUsers, Feed} {
			t.JudgeAt(at, "transport.accept-406", func(c *Check) {
				request := validRequestBy(t, reader, at)
				request.send(request.as) // a cached answer is wrong for the next request
				request.refused(c, "Accept: text/html", request.send(request.as, Header("Accept", "text/html")), http.StatusNotAcceptable)
			})
		}
	})
	// transport.accept-any (choice): How the target answers a request that accepts any type, or that has no Accept header, is left open.
	s.Scenario("a client that accepts anything, or does not say, gets an answer", Covers("transport.accept-any"), func(t *T) {
		reader := t.AnyActor()
		t.Judge("transport.accept-any", func(c *Check) {
			t.Send(reader, GetMe).Done() // the control: accepted with Accept: application/json
			wildcard := t.Send(reader, GetMe, Header("Accept", "*/*"))
			unsaid := t.Send(reader, GetMe, Without("Accept"))
			c.Observe("*/*: %s, none: %s", takenOrNot(wildcard), takenOrNot(unsaid))
		})
	})
}
