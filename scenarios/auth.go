package scenarios

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strings"

	. "github.com/socialfeed/conform/conformance"
)

// auth judges the contract's part Authentication.
func auth(s *Suite) {
	insufficientCredentials(s)
	refusedWrites(s)
	malformedCredentials(s)
	isolation(s)
}

func insufficientCredentials(s *Suite) {
	for _, st := range stages(Endpoints()) {
		rules := []string{"auth.missing", "auth.app-token-unknown"}
		switch st.endpoints[0] {
		case Versions: // which may need no credentials
			continue
		case CreateUser, Login: // which need no session
		default:
			rules = append(rules, "auth.session-missing", "auth.session-unknown")
		}
		s.Scenario(st.text+" is refused without valid credentials", st.claims(rules...), func(t *Trial) {
			for _, request := range st.specimens(t) {
				unauthorized(t, request)
			}
		})
	}
}

// unauthorized judges a request under each kind of insufficient credentials.
func unauthorized(t *Trial, request *specimen) {
	judge := func(rule string, all ...Credentials) {
		t.JudgeAt(request.at, rule, func(c *Check) {
			for _, as := range all {
				request.refused(c, request.send(as), http.StatusUnauthorized)
			}
		})
	}
	app, session := t.AppToken(), ""
	judge("auth.missing", Nobody{})
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

// refusedWrites tries each write with what looks most like valid credentials: a
// real session under an unknown app token, and a session that was destroyed.
func refusedWrites(s *Suite) {
	const rule = "auth.no-effect"
	const destroys = "sessions.logout.destroys"
	judge := func(t *Trial, request *specimen, answer *Answer, owner string) {
		t.Judge(rule, func(c *Check) {
			if answer.Status()/100 != 4 {
				request.mustWork(answer)
				t.Blocked(owner, "needs a refusal of %s, which answered %d", request.at, answer.Status())
			}
			request.unchanged(c)
		})
	}
	for _, at := range []Endpoint{CreateUser, UpdateMe, DeleteMe, CreateConnection, DeleteConnection, CreateEvent, UpdateEvent, DeleteEvent} {
		s.Scenario(fmt.Sprintf("%s under an unknown app token has no effect", at), JudgesAt(at, rule), func(t *Trial) {
			request := specimenOf(t, at)
			stranger := Basic{App: madeUp(t, t.AppToken())}
			if request.sender != nil {
				stranger.Session = request.sender.Token()
			}
			judge(t, request, request.send(stranger), "auth.app-token-unknown")
		})
		if at == CreateUser { // which needs no session
			continue
		}
		s.Scenario(fmt.Sprintf("%s in a destroyed session is refused and has no effect", at), JudgesAt(at, rule).And(Judges(destroys)), func(t *Trial) {
			request := specimenOf(t, at)
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
	s.Scenario("credentials that are not well-formed Basic authentication are refused", Judges("auth.malformed"), func(t *Trial) {
		request := specimenOf(t, GetMe)
		noColon := base64.StdEncoding.EncodeToString([]byte(t.AppToken()))
		t.Judge("auth.malformed", func(c *Check) {
			for _, value := range []string{"Bearer " + request.sender.Token(), "Basic !!!", "Basic " + noColon, "Basic"} {
				request.refused(c, request.send(Nobody{}, Header("Authorization", value)), http.StatusUnauthorized)
			}
		})
	})
	s.Scenario("a 401 asks for Basic authentication", Judges("auth.challenge"), func(t *Trial) {
		t.Judge("auth.challenge", func(c *Check) {
			for _, refused := range []struct {
				as    Credentials
				owner string
			}{
				{Nobody{}, "auth.missing"},
				{t.AppOnly(), "auth.session-missing"},
				{Basic{App: t.AppToken(), Session: madeUp(t, t.Actor().Token())}, "auth.session-unknown"},
			} {
				answer := t.Send(refused.as, GetMe)
				if answer.Status() != http.StatusUnauthorized {
					t.Blocked(refused.owner, "needs a 401 for want of valid credentials, and got %d", answer.Status())
				}
				challenges := answer.Headers().Values("WWW-Authenticate")
				c.True(namesBasic(challenges), "WWW-Authenticate with the scheme Basic", shownHeader(challenges))
			}
		})
	})
}

// namesBasic looks for the scheme among the challenges, of which a line may hold
// several, and not inside of quoted parameters.
func namesBasic(challenges []string) bool {
	unquoted := regexp.MustCompile(`"(?:[^"\\]|\\.)*"`).ReplaceAllString(strings.Join(challenges, ","), "")
	return regexp.MustCompile(`(?i)(?:^|,)\s*basic(?:\s|,|$)`).MatchString(unquoted)
}

// madeUp makes a token that was never issued, of a real one's length and kinds
// of characters; a short one, which leaves little to vary, gets longer.
func madeUp(t *Trial, issued string) string {
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
func goingOn(t *Trial, issued string) string { return t.Secret(issued + t.Unique()) }

// halfRight makes a token that was never issued, of which the first half is a real one's.
func halfRight(t *Trial, issued string) string {
	runes := []rune(issued)
	half := len(runes) / 2
	return t.Secret(string(runes[:half]) + madeUp(t, string(runes[half:])))
}
