package scenarios

import (
	"net/http"
	"slices"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// sessionWritesRefused tries each endpoint that writes in a session with one defect after another:
// without a User-Agent, labelled as another media type, and with insufficient credentials. The closest
// to valid ones are a real session under an unknown app token and a destroyed session.
func sessionWritesRefused(s *Suite) {
	credentials := []string{"auth.missing", "auth.session-missing", "auth.session-unknown", unknownApp}
	covered := sessionWritesCovered("auth.no-effect").And(Covers("sessions.logout.destroys")).
		And(coversEach(sessionWrites(), append(credentials, userAgentRequired, userAgentStatus)...)).
		And(coversEach(writesWithBody(), contentTypeUnsupported))
	// transport.user-agent-required: A request without a User-Agent header is rejected and has no effect.
	// transport.user-agent-status (choice): The status that rejects a request without a User-Agent header is left open.
	// transport.content-type-415: A body whose Content-Type is not application/json is refused with 415.
	// auth.missing: A request without an Authorization header gets 401.
	// auth.app-token-unknown: An app token that was never issued gets 401.
	// auth.session-missing: An endpoint that needs a session answers 401 to the app token alone.
	// auth.session-unknown: An endpoint that needs a session answers 401 to a session token that was never issued.
	// auth.no-effect: A write that was refused for its credentials has changed nothing.
	// sessions.logout.destroys: A session token is invalid after its logout.
	s.ScenarioWithRecheck("a write in a session that lacks a User-Agent, the media type or valid credentials is refused and has no effect", covered, func(t *T) {
		writes := newRefusals(t)
		writes.withoutUserAgent(sessionWrites())
		writes.judgeEffects(sessionWrites(), userAgentRequired, itself)
		writes.ofOtherMediaTypes(writesWithBody())
		for _, rule := range credentials {
			writes.send(sessionWrites(), rule, itself, func(c *Check, request *validRequest) {
				insufficient := insufficientFor(t, rule, request.at, request.sender.Token())
				request.refused(c, insufficient[0].what, request.send(insufficient[0].Credentials), http.StatusUnauthorized)
			})
		}
		writes.inDestroyedSessions()
		writes.judgeEffects(sessionWrites(), "auth.no-effect", nearest)
	})
}

// writesWithBody are the endpoints that write in a session and take a body.
func writesWithBody() []Endpoint {
	return []Endpoint{UpdateMe, CreateConnection, ConnectSocial, CreateEvent, UpdateEvent}
}

// inDestroyedSessions sends the requests in sessions that were destroyed since.
func (r *refusals) inDestroyedSessions() {
	t, destroyed := r.t, map[*Actor]Basic{}
	others := slices.DeleteFunc(sessionWrites(), is(Logout)) // judged in a scenario of its own
	r.send(others, "sessions.logout.destroys", func(Endpoint) Endpoint { return Logout }, func(c *Check, request *validRequest) {
		session, known := destroyed[request.sender]
		if !known {
			request.sender.InSession()
			if left := t.Send(request.sender, GetMe); refusesSession(left) {
				delete(r.taken, request.at)
				t.Blocked("auth.no-effect", "needs the user to exist after the refused requests; %s answers %d", GetMe, left.Status())
			}
			session = request.sender.Session()
			request.sender.LogOut()
			request.sender.LogIn()
			destroyed[request.sender] = session
		}
		if request.sender.Session() == session {
			delete(r.taken, request.at)
			t.Skip("the target gives the same token anew")
		}
		answer := request.send(session)
		if answer.Status() != http.StatusUnauthorized {
			request.mustWork(answer)
		}
		refusedAsUnknown(t, c, answer, OneOf(http.StatusUnauthorized), func(as Credentials) *Answer { return request.send(as) })
	})
}

// sessionWritesCovered is the coverage of a rule at each endpoint that writes in a
// session and that the catalogue lists for the rule.
func sessionWritesCovered(rule string) Coverage {
	var all Coverage
	for _, at := range sessionWrites() {
		if nearest(at) == at {
			all = all.And(CoversAt(at, rule))
		}
	}
	return all
}
