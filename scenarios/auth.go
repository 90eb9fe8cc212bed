package scenarios

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"

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
	for _, fx := range fixtures(Endpoints()) {
		rules := []string{"auth.missing", "auth.app-token-unknown"}
		switch fx.endpoints[0] {
		case Versions: // which may need no credentials
			continue
		case CreateUser, Login: // which need no session
		default:
			rules = append(rules, "auth.session-missing", "auth.session-unknown")
		}
		// auth.missing: A request without an Authorization header gets 401.
		// auth.app-token-unknown: An app token that was never issued gets 401.
		// auth.session-missing: Where a session is needed, the app token alone gets 401.
		// auth.session-unknown: Where a session is needed, a session token that was never issued gets 401.
		s.Scenario(fx.text+" is refused without valid credentials", fx.covers(rules...), func(t *T) {
			for _, request := range fx.requests(t) {
				unauthorized(t, request)
			}
		})
	}
}

// unauthorized judges a request under each kind of insufficient credentials.
func unauthorized(t *T, request *validRequest) {
	judge := func(rule string, all ...Credentials) {
		t.JudgeAt(request.at, rule, func(c *Check) {
			for _, as := range all {
				request.refused(c, request.send(as), http.StatusUnauthorized)
			}
		})
	}
	app, session := t.AppToken(), ""
	judge("auth.missing", Anonymous{})
	if request.sender != nil {
		session = request.sender.Token()
		judge("auth.session-missing", t.AppOnly())
		judge("auth.session-unknown", Basic{App: app, Session: madeUp(t, session)},
			Basic{App: app, Session: halfRight(t, session)}, Basic{App: app, Session: goingOn(t, session)})
	}
	unknown := []Credentials{Basic{App: madeUp(t, app), Session: session}, Basic{App: halfRight(t, app), Session: session}}
	if request.at.Method() == http.MethodGet {
		unknown = append(unknown, Basic{App: goingOn(t, app), Session: session}, Basic{Session: session})
	}
	judge("auth.app-token-unknown", unknown...)
}

// refusedWrites tries each write with what is closest to valid credentials: a
// real session under an unknown app token, and a session that was destroyed.
func refusedWrites(s *Suite) {
	const rule = "auth.no-effect"
	const destroys = "sessions.logout.destroys"
	judge := func(t *T, request *validRequest, answer *Answer, owner string) {
		t.Judge(rule, func(c *Check) {
			if answer.Status()/100 != 4 {
				request.mustWork(answer)
				t.Blocked(owner, "needs a refusal of %s, which answered %d", request.at, answer.Status())
			}
			request.unchanged(c)
		})
	}
	for _, at := range []Endpoint{CreateUser, UpdateMe, DeleteMe, CreateConnection, DeleteConnection, CreateEvent, UpdateEvent, DeleteEvent} {
		// auth.no-effect: A write that was refused for its credentials has changed nothing.
		s.ScenarioWithRecheck(fmt.Sprintf("%s under an unknown app token has no effect", at), CoversAt(at, rule), func(t *T) {
			request := validRequestTo(t, at)
			stranger := Basic{App: madeUp(t, t.AppToken())}
			if request.sender != nil {
				stranger.Session = request.sender.Token()
			}
			judge(t, request, request.send(stranger), "auth.app-token-unknown")
		})
		if at == CreateUser { // which needs no session
			continue
		}
		// auth.no-effect: A write that was refused for its credentials has changed nothing.
		// sessions.logout.destroys: A session token that was logged out is worth nothing any more.
		s.ScenarioWithRecheck(fmt.Sprintf("%s in a destroyed session is refused and has no effect", at), CoversAt(at, rule).And(Covers(destroys)), func(t *T) {
			request := validRequestTo(t, at)
			destroyed := request.sender.Session()
			request.sender.LogOut()
			request.sender.LogIn()
			answer := request.send(destroyed)
			t.Judge(destroys, func(c *Check) {
				if request.sender.Session() == destroyed {
					return // the same token was given anew
				}
				if answer.Status() != http.StatusUnauthorized {
					request.mustWork(answer)
				}
				refusedAsUnknown(t, c, answer, OneOf(http.StatusUnauthorized), func(as Credentials) *Answer { return request.send(as) })
			})
			judge(t, request, answer, destroys)
		})
	}
}

func malformedCredentials(s *Suite) {
	// auth.malformed: An Authorization header that is not well-formed Basic authentication gets 401.
	s.Scenario("credentials that are not well-formed Basic authentication are refused", Covers("auth.malformed"), func(t *T) {
		request := validRequestTo(t, GetMe)
		noColon := base64.StdEncoding.EncodeToString([]byte(t.AppToken()))
		t.Judge("auth.malformed", func(c *Check) {
			for _, value := range []string{"Bearer " + request.sender.Token(), "Basic !!!", "Basic " + noColon, "Basic"} {
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

// basicChallenge finds the scheme among challenges, of which a header may hold
// several, and not inside of a quoted parameter.
const basicChallenge = `(?i)^(?:(?:[^"]|"(?:[^"\\]|\\.)*")*,)?\s*basic(?:\s|,|$)`

// madeUp makes a token that was never issued, of a real one's length and kinds
// of characters; a short one, which leaves little to vary, gets longer.
func madeUp(t *T, issued string) string {
	vary := func(r rune) rune {
		switch {
		case r >= '0' && r <= '9':
			return '0' + rand.N[rune](10)
		case r >= 'a' && r <= 'f': // kept hexadecimal
			return 'a' + rand.N[rune](6)
		case r >= 'g' && r <= 'z':
			return 'g' + rand.N[rune](20)
		case r >= 'A' && r <= 'F':
			return 'A' + rand.N[rune](6)
		case r >= 'G' && r <= 'Z':
			return 'G' + rand.N[rune](20)
		}
		return r
	}
	const short = 8
	varied := strings.Map(vary, issued)
	if varied == issued || len(issued) < short {
		return varied + t.Unique()
	}
	return varied
}

// goingOn makes a token that was never issued, which begins with a real one.
func goingOn(t *T, issued string) string { return t.Secret(issued + t.Unique()) }

// halfRight makes a token that was never issued, of which the first half is a real one's.
func halfRight(t *T, issued string) string {
	runes := []rune(issued)
	half := len(runes) / 2
	return t.Secret(string(runes[:half]) + madeUp(t, string(runes[half:])))
}
