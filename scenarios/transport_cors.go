package scenarios

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	. "github.com/socialfeed/conform/conformance"
)

// crossOrigin judges what lets a browser use the API from another origin
// (transport rule 8), as the Fetch standard has browsers read it.
func crossOrigin(s *Suite) {
	const response, preflight = "transport.cors-response", "transport.cors-preflight"
	s.Scenario("an answer may be read from another origin, and so may a 401", Judges(response), func(t *Trial) {
		reader, origin := t.Actor(), "https://"+t.Unique()+".example"
		for _, at := range []Endpoint{GetMe, Feed, Versions} {
			t.JudgeAt(at, response, func(c *Check) {
				request := &specimen{trial: t, at: at, as: reader}
				if at == Versions {
					request = specimenOf(t, at)
				}
				answer := request.send(request.as, Header("Origin", origin))
				answer.Done()
				permitsOrigin(c, answer, origin)
				if at != GetMe {
					return
				}
				refused := request.send(Nobody{}, Header("Origin", origin))
				if refused.Status() != http.StatusUnauthorized {
					t.Blocked("auth.missing", "needs a 401 for want of credentials, and got %d", refused.Status())
				}
				permitsOrigin(c, refused, origin)
			})
		}
	})
	s.Scenario("a browser's preflight is answered without credentials", Judges(preflight), func(t *Trial) {
		origin := "https://" + t.Unique() + ".example"
		for _, at := range []Endpoint{GetMe, UpdateMe, DeleteMe, CreateEvent} {
			t.JudgeAt(at, preflight, func(c *Check) {
				answer := t.SendTo(Nobody{}, http.MethodOptions, at.Path(),
					Header("Origin", origin),
					Header("Access-Control-Request-Method", at.Method()),
					Header("Access-Control-Request-Headers", "authorization,content-type"))
				c.True(answer.Succeeded(), "a 2xx to a preflight without credentials", fmt.Sprintf("a %d", answer.Status()))
				permitsOrigin(c, answer, origin)
				permitsMethod(c, answer, at.Method())
				permitsHeaders(c, answer)
			})
		}
	})
}

func permitsOrigin(c *Check, a *Answer, origin string) {
	values := a.Headers().Values("Access-Control-Allow-Origin")
	c.True(len(values) == 1 && (values[0] == "*" || values[0] == origin),
		fmt.Sprintf("Access-Control-Allow-Origin of * or %s in the %d", origin, a.Status()), shownHeader(values))
}

// permitsMethod judges the permitted methods. GET and POST need no permission.
func permitsMethod(c *Check, a *Answer, method string) {
	permitted := a.Headers().Values("Access-Control-Allow-Methods")
	c.True(method == http.MethodGet || method == http.MethodPost || listsAny(permitted, method, "*"),
		"Access-Control-Allow-Methods with "+method, shownHeader(permitted))
}

// permitsHeaders judges the permitted headers. The wildcard does not stand for
// Authorization, though some browsers take it so.
func permitsHeaders(c *Check, a *Answer) {
	permitted := a.Headers().Values("Access-Control-Allow-Headers")
	for i, value := range permitted {
		permitted[i] = strings.ToLower(value)
	}
	for _, name := range []string{"authorization", "content-type"} {
		c.True(listsAny(permitted, name, "*"), "Access-Control-Allow-Headers with "+name, shownHeader(permitted))
	}
	if !listsAny(permitted, "authorization") {
		c.Warn("Access-Control-Allow-Headers with authorization by name, which the wildcard does not stand for", shownHeader(permitted))
	}
}

// listsAny tells whether one of the items is in a header's comma-separated lines.
func listsAny(lines []string, items ...string) bool {
	for entry := range strings.SplitSeq(strings.Join(lines, ","), ",") {
		if slices.Contains(items, strings.TrimSpace(entry)) {
			return true
		}
	}
	return false
}

func shownHeader(lines []string) string {
	if len(lines) == 0 {
		return "no such header"
	}
	return fmt.Sprintf("%q", lines)
}
