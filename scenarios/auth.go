package scenarios

import (
	"encoding/base64"
	"net/http"
	"sync"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// auth judges the contract's part Authentication.
func auth(s *Suite) {
	insufficientCredentials(s)
	creationUnderUnknownApp(s)
	sessionWritesRefused(s)
	malformedCredentials(s)
	isolation(s)
}

func insufficientCredentials(s *Suite) {
	for _, group := range requestGroups() {
		rules := []string{"auth.missing", unknownApp}
		if needsSession(group.endpoints[0]) {
			rules = append(rules, "auth.session-missing", "auth.session-unknown")
		}
		// auth.missing: A request without an Authorization header gets 401.
		// auth.app-token-unknown: An app token that was never issued gets 401.
		// auth.session-missing: An endpoint that needs a session answers 401 to the app token alone.
		// auth.session-unknown: An endpoint that needs a session answers 401 to a session token that was never issued.
		s.Scenario(group.text+" is refused without valid credentials", coversEach(group.endpoints, rules...), func(t *T) {
			users := newCast(t)
			for _, at := range group.endpoints {
				unauthorized(t, at, rules, sync.OnceValue(func() *validRequest { return users.validRequestTo(at) }))
			}
		})
	}
}

// unauthorized judges the request to an endpoint under each kind of insufficient credentials
// that one of the rules is about.
func unauthorized(t *T, at Endpoint, rules []string, arranged func() *validRequest) {
	for _, rule := range rules {
		t.JudgeAt(at, rule, func(c *Check) {
			request, session := arranged(), ""
			if request.sender != nil {
				session = request.sender.Token()
			}
			for _, as := range insufficientFor(t, rule, at, session) {
				request.refused(c, as.what, request.send(as.Credentials), http.StatusUnauthorized)
			}
		})
	}
}

// insufficientFor returns the insufficient credentials that a rule is about, for the valid request
// to an endpoint in a session.
func insufficientFor(t *T, rule string, at Endpoint, session string) []insufficient {
	const sessions, apps = 2, 4
	switch rule {
	case "auth.missing":
		return []insufficient{{"no credentials", Anonymous{}}}
	case "auth.session-missing":
		return []insufficient{{"the app token alone", t.AppOnly()}}
	case "auth.session-unknown":
		return inTurns(at, unknownSessions(t, session), sessions)
	}
	return inTurns(at, unknownApps(t, at, session), apps)
}

const unknownApp = "auth.app-token-unknown"

// creationUnderUnknownApp tries to create a user with almost valid credentials.
func creationUnderUnknownApp(s *Suite) {
	const noEffect = "auth.no-effect"
	// auth.no-effect: A write that was refused for its credentials has changed nothing.
	s.ScenarioWithRecheck("a user is not created under an unknown app token", CoversAt(CreateUser, noEffect), func(t *T) {
		request := validRequestTo(t, CreateUser)
		t.JudgeAt(CreateUser, noEffect, func(c *Check) {
			request.needRefusal(request.send(Basic{App: madeUp(t, t.AppToken())}), unknownApp)
			request.unchanged(c)
		})
	})
}

// needRefusal blocks the check unless the answer refuses the request; the refusal itself
// belongs to its own rule.
func (r *validRequest) needRefusal(answer *Answer, owner string) {
	if answer.Status()/100 != 4 {
		r.mustWork(answer)
		r.t.Blocked(owner, "needs a refusal of %s, which answered %d", r.at, answer.Status())
	}
}

func malformedCredentials(s *Suite) {
	// auth.malformed: An Authorization header that is not well-formed Basic authentication gets 401.
	s.Scenario("credentials that are not well-formed Basic authentication are refused", Covers("auth.malformed"), func(t *T) {
		request := validRequestTo(t, GetMe)
		noColon := base64.StdEncoding.EncodeToString([]byte(t.AppToken()))
		pair := base64.StdEncoding.EncodeToString([]byte(t.AppToken() + ":" + request.sender.Token()))
		t.Judge("auth.malformed", func(c *Check) {
			for _, malformed := range []struct{ what, value string }{
				{"the scheme Bearer and the session token", "Bearer " + request.sender.Token()}, {"the scheme Bearer and valid credentials", "Bearer " + pair},
				{"Basic !!!, which is not base64", "Basic !!!"}, {"credentials without a colon", "Basic " + noColon}, {"Basic without credentials", "Basic"},
				{"!* in front of the base64", "Basic !*" + noColon},
			} {
				request.refused(c, malformed.what, request.send(Anonymous{}, Header("Authorization", malformed.value)), http.StatusUnauthorized)
			}
		})
	})
	// auth.challenge (should): A 401 says in WWW-Authenticate that Basic authentication is expected.
	s.Scenario("a 401 asks for Basic authentication", Covers("auth.challenge"), func(t *T) {
		t.Judge("auth.challenge", func(c *Check) {
			for _, refused := range []struct {
				as    Credentials
				owner string
			}{
				{Anonymous{}, "auth.missing"},
				{t.AppOnly(), "auth.session-missing"},
				{Basic{App: t.AppToken(), Session: madeUp(t, t.AnyActor().Token())}, "auth.session-unknown"},
			} {
				answer := t.Send(refused.as, GetMe)
				if answer.Status() != http.StatusUnauthorized {
					t.Blocked(refused.owner, "needs a 401 for these credentials; got %d", answer.Status())
				}
				answer.ExpectHeader("WWW-Authenticate").Alias("WWW-Authenticate with the scheme Basic").Match(basicChallenge)
			}
		})
	})
}

// basicChallenge finds the scheme Basic in a header of one or more challenges, outside of
// quoted parameters.
const basicChallenge = `(?i)^(?:(?:[^"]|"(?:[^"\\]|\\.)*")*,)?\s*basic(?:\s|,|$)`
