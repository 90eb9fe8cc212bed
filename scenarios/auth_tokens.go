package scenarios

import (
	"math/rand/v2"
	"slices"
	"strings"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// insufficient are credentials that must be refused, and their defect.
type insufficient struct {
	what string
	Credentials
}

// unknownSessions are credentials with session tokens that were never issued.
func unknownSessions(t *T, session string) []insufficient {
	app := t.AppToken()
	all := []insufficient{
		{"a made-up session token", Basic{App: app, Session: madeUp(t, session)}},
		{"a session token whose second half is made up", Basic{App: app, Session: halfRight(t, session)}},
		{"a session token with a colon and more behind it", Basic{App: app, Session: goingOn(t, session, ":")}},
	}
	if caseMatters(session) {
		all = append(all, insufficient{"a session token in other case", Basic{App: app, Session: t.Secret(otherCase(session))}})
	}
	return all
}

// unknownApps are credentials with app tokens that were never issued.
func unknownApps(t *T, at Endpoint, session string) []insufficient {
	app := t.AppToken()
	all := []insufficient{
		{"a made-up app token", Basic{App: madeUp(t, app), Session: session}},
		{"an app token whose second half is made up", Basic{App: halfRight(t, app), Session: session}},
		{"an app token with more behind it", Basic{App: goingOn(t, app, ""), Session: session}},
		{"an empty app token", Basic{Session: session}},
	}
	const shortest = 10 // a shorter beginning may stand anywhere in a report, and would be hidden there
	if len(app) > shortest {
		all = append(all, insufficient{"an app token without its last character", Basic{App: beginning(t, app), Session: session}})
	}
	if caseMatters(app) && !readsInSession(at) { // where each kind has its turn at some endpoint
		all = append(all, insufficient{"an app token in other case", Basic{App: t.Secret(otherCase(app)), Session: session}})
	}
	return all
}

// inTurns picks the credentials that an endpoint is tried with: as many as given where it
// reads, one elsewhere. The next endpoint gets the next ones.
func inTurns(at Endpoint, all []insufficient, reading int) []insufficient {
	first := int(at) % len(all)
	turned := slices.Concat(all[first:], all[:first])
	if readsInSession(at) {
		return turned[:reading]
	}
	return turned[:1]
}

// caseMatters reports whether a token in other case is another one. That of a UUID or of
// another number in hexadecimal digits is the same.
func caseMatters(token string) bool {
	return strings.ContainsAny(strings.ToLower(token), "ghijklmnopqrstuvwxyz")
}

// madeUp makes a token that was never issued, with the length and the kinds of
// characters of a real one. A token too short to vary gets longer.
func madeUp(t *T, issued string) string {
	vary := func(r rune) rune {
		switch {
		case r >= '0' && r <= '9':
			return '0' + rand.N[rune](10)
		case r >= 'a' && r <= 'f': // a hexadecimal digit stays one
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

// goingOn makes a token that was never issued: a real one with a suffix. A colon separates
// credentials, so a server may drop the rest after one.
func goingOn(t *T, issued, separator string) string { return t.Secret(issued + separator + t.Unique()) }

// beginning makes a token that was never issued: a real one but for its last character.
func beginning(t *T, issued string) string {
	runes := []rune(issued)
	return t.Secret(string(runes[:len(runes)-1]))
}

// halfRight makes a token that was never issued: the first half of a real one, the rest made up.
func halfRight(t *T, issued string) string {
	runes := []rune(issued)
	half := len(runes) / 2
	return t.Secret(string(runes[:half]) + madeUp(t, string(runes[half:])))
}
