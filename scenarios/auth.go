package scenarios

import (
	"encoding/base64"
	"net/http"
	"slices"
	"sync"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// auth judges the contract's part Authentication.
func auth(s *Suite) {
	insufficientCredentials(s)
	refusedWrites(s)
	malformedCredentials(s)
	isolation(s)
}

func insufficientCredentials(s *Suite) {
	for _, group := range requestGroups() {
		rules := []string{"auth.missing"}
		if !group.writes {
			rules = append(rules, unknownApp)
		}
		if needsSession(group.endpoints[0]) {
			rules = append(rules, "auth.session-missing", "auth.session-unknown")
		}
		// auth.missing: A request without an Authorization header gets 401.
		// auth.app-token-unknown: An app token that was never issued gets 401.
		// auth.session-missing: Where a session is needed, the app token alone gets 401.
		// auth.session-unknown: Where a session is needed, a session token that was never issued gets 401.
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
	judge := func(rule string, insufficient func(session string) []Credentials) {
		if !slices.Contains(rules, rule) {
			return
		}
		t.JudgeAt(at, rule, func(c *Check) {
			request, session := arranged(), ""
			if request.sender != nil {
				session = request.sender.Token()
			}
			for _, as := range insufficient(session) {
				request.refused(c, request.send(as), http.StatusUnauthorized)
			}
		})
	}
	judge("auth.missing", func(string) []Credentials { return []Credentials{Anonymous{}} })
	judge("auth.session-missing", func(string) []Credentials { return []Credentials{t.AppOnly()} })
	const sessions, apps = 2, 4
	judge("auth.session-unknown", func(session string) []Credentials { return inTurns(at, unknownSessions(t, session), sessions) })
	judge(unknownApp, func(session string) []Credentials { return inTurns(at, unknownApps(t, at, session), apps) })
}

// unknownApp is judged beside the effects of what it refuses, where a session writes.
const unknownApp = "auth.app-token-unknown"

// refusedWrites tries each write with what is closest to valid credentials: a
// real session under an unknown app token, and a session that was destroyed.
func refusedWrites(s *Suite) {
	const noEffect, destroys = "auth.no-effect", "sessions.logout.destroys"
	// auth.no-effect: A write that was refused for its credentials has changed nothing.
	s.ScenarioWithRecheck("a user is not created under an unknown app token", CoversAt(CreateUser, noEffect), func(t *T) {
		request := validRequestTo(t, CreateUser)
		t.JudgeAt(CreateUser, noEffect, func(c *Check) {
			request.needRefusal(request.send(Basic{App: madeUp(t, t.AppToken())}), unknownApp)
			request.unchanged(c)
		})
	})
	covered := sessionWritesCovered(noEffect).And(coversEach(sessionWrites(), unknownApp)).And(Covers(destroys))
	// auth.app-token-unknown: An app token that was never issued gets 401.
	// auth.no-effect: A write that was refused for its credentials has changed nothing.
	// sessions.logout.destroys: A session token is invalid after its logout.
	s.ScenarioWithRecheck("a write under an unknown app token or in a destroyed session is refused and has no effect", covered, func(t *T) {
		writes := newRefusals(t)
		writes.send(sessionWrites(), unknownApp, itself, func(c *Check, request *validRequest) {
			unknown := inTurns(request.at, unknownApps(t, request.at, request.sender.Token()), 1)
			request.refused(c, request.send(unknown[0]), http.StatusUnauthorized)
		})
		destroyed := map[*Actor]Basic{}
		others := slices.DeleteFunc(sessionWrites(), is(Logout)) // judged in a scenario of its own
		writes.send(others, destroys, func(Endpoint) Endpoint { return Logout }, func(c *Check, request *validRequest) {
			session, known := destroyed[request.sender]
			if !known {
				if left := t.Send(request.sender, GetMe); refusesSession(left) {
					delete(writes.taken, request.at)
					t.Blocked(noEffect, "needs a user whom the refused requests left alone, and %s answers %d", GetMe, left.Status())
				}
				session = request.sender.Session()
				request.sender.LogOut()
				request.sender.LogIn()
				destroyed[request.sender] = session
			}
			if request.sender.Session() == session {
				delete(writes.taken, request.at)
				t.Skip("the target gives the same token anew")
			}
			answer := request.send(session)
			if answer.Status() != http.StatusUnauthorized {
				request.mustWork(answer)
			}
			refusedAsUnknown(t, c, answer, OneOf(http.StatusUnauthorized), func(as Credentials) *Answer { return request.send(as) })
		})
		writes.judgeEffects(sessionWrites(), noEffect, nearest)
	})
}

// needRefusal blocks what is being judged unless the answer refuses the request; the
// refusal itself is the owner's to judge.
func (r *validRequest) needRefusal(answer *Answer, owner string) {
	if answer.Status()/100 != 4 {
		r.mustWork(answer)
		r.t.Blocked(owner, "needs a refusal of %s, which answered %d", r.at, answer.Status())
	}
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

func malformedCredentials(s *Suite) {
	// auth.malformed: An Authorization header that is not well-formed Basic authentication gets 401.
	s.Scenario("credentials that are not well-formed Basic authentication are refused", Covers("auth.malformed"), func(t *T) {
		request := validRequestTo(t, GetMe)
		noColon := base64.StdEncoding.EncodeToString([]byte(t.AppToken()))
		pair := base64.StdEncoding.EncodeToString([]byte(t.AppToken() + ":" + request.sender.Token()))
		t.Judge("auth.malformed", func(c *Check) {
			for _, value := range []string{"Bearer " + request.sender.Token(), "Bearer " + pair, "Basic !!!", "Basic " + noColon, "Basic"} {
				request.refused(c, request.send(Anonymous{}, Header("Authorization", value)), http.StatusUnauthorized)
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
				{Basic{App: t.AppToken(), Session: madeUp(t, t.Actor().Token())}, "auth.session-unknown"},
			} {
				answer := t.Send(refused.as, GetMe)
				if answer.Status() != http.StatusUnauthorized {
					t.Blocked(refused.owner, "needs a 401 for want of valid credentials, and got %d", answer.Status())
				}
				answer.ExpectHeader("WWW-Authenticate").Alias("WWW-Authenticate with the scheme Basic").Match(basicChallenge)
			}
		})
	})
}

// basicChallenge finds the scheme Basic in a header of one or more challenges, outside of
// quoted parameters.
const basicChallenge = `(?i)^(?:(?:[^"]|"(?:[^"\\]|\\.)*")*,)?\s*basic(?:\s|,|$)`
