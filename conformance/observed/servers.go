package observed

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// Servers notices that several servers take turns behind the address of a target: sessions that some of them do not
// know, and one request that they answer in different forms. Either may explain failures of many rules.
type Servers struct {
	mu       sync.Mutex
	sessions map[[2]string]sessionTurns // by application and token
	refused  int                        // sessions that were served again after a 401
	versions []string                   // the forms of the answers to GET /versions, in order, each other than the one before
	forms    map[string]int             // how often each came
}

// sessionTurns is how a session was answered.
type sessionTurns struct {
	refused time.Time // when the first 401 had come; zero where none has
	again   bool
}

// The least that is told.
const (
	fewestSessions = 3
	fewestTurns    = 3 // from one form to another
	mostSessions   = 10_000
)

// Record records an exchange.
func (s *Servers) Record(x *wire.Exchange) {
	if x.Err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if app, session, ok := wire.CredentialsOf(x.Header); ok && session != "" && strings.HasPrefix(x.Header.Get("Authorization"), "Basic ") {
		s.recordSession([2]string{app, session}, x)
	}
	if x.Endpoint == rules.Versions && x.Status/100 == 2 && isPlain(x) {
		s.recordVersions(formOf(x))
	}
}

// isPlain reports whether a request asks for no other form of its answer than others do.
func isPlain(x *wire.Exchange) bool {
	asks := slices.ContainsFunc([]string{"Authorization", "Origin", "Range", "If-None-Match", "If-Modified-Since", "Accept-Encoding"},
		func(name string) bool { return x.Header.Get(name) != "" })
	return x.Method == http.MethodGet && x.URL.RawQuery == "" && !asks
}

// recordSession records how a session was answered. One that was refused does not serve by one server what is sent
// after that: of requests sent at once, one may end the session of another.
func (s *Servers) recordSession(session [2]string, x *wire.Exchange) {
	turns, known := s.sessions[session]
	switch served := x.Status/100 == 2; {
	case !known && len(s.sessions) >= mostSessions:
		return
	case x.Status == http.StatusUnauthorized && turns.refused.IsZero():
		turns.refused = x.Started().Add(x.Took)
	case served && !turns.refused.IsZero() && x.Started().After(turns.refused) && !turns.again:
		turns.again = true
		s.refused++
	}
	if s.sessions == nil {
		s.sessions = map[[2]string]sessionTurns{}
	}
	s.sessions[session] = turns
}

func (s *Servers) recordVersions(form string) {
	if s.forms == nil {
		s.forms = map[string]int{}
	}
	s.forms[form]++
	if len(s.versions) == 0 || s.versions[len(s.versions)-1] != form {
		s.versions = append(s.versions, form)
	}
}

// formOf is the form of an answer, which one server gives each time: the names of its header fields, what names the
// program, and the body.
func formOf(x *wire.Exchange) string {
	const most = 200
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(x.RespHeader)) {
		switch name {
		case "Server", "X-Powered-By", "Via":
			lines = append(lines, name+": "+strings.Join(x.RespHeader[name], ", "))
		case "Date", "Age", "Connection", "Content-Length", "Transfer-Encoding", "Set-Cookie", "Retry-After":
		default:
			lines = append(lines, name)
		}
	}
	body := string(x.RespBody)
	return strings.Join(lines, "\n") + "\n" + body[:min(len(body), most)]
}

// Note tells what was noticed, nothing where that may be chance.
func (s *Servers) Note() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.refused >= fewestSessions:
		return fmt.Sprintf("%s were refused with 401 and then served again: several servers that do not share their sessions may answer at this address, and other failures may come of it",
			result.Plural(s.refused, "session"))
	case len(s.versions) > fewestTurns && len(s.forms) == 2:
		forms := slices.Sorted(maps.Keys(s.forms))
		return fmt.Sprintf("%s was answered in two forms by turns, which differ by %s: two versions of a server may answer at this address, and other failures may come of it",
			rules.Versions, difference(forms[0], forms[1]))
	default:
		return ""
	}
}

// difference is the lines of two forms that the other lacks.
func difference(a, b string) string {
	of, other := strings.Split(a, "\n"), strings.Split(b, "\n")
	lacks := func(all []string) func(string) bool {
		return func(line string) bool { return line == "" || slices.Contains(all, line) }
	}
	only := func(all, other []string) string {
		left := slices.DeleteFunc(slices.Clone(all), lacks(other))
		if len(left) == 0 {
			return "nothing"
		}
		return strings.Join(left, ", ")
	}
	return only(of, other) + " and " + only(other, of)
}
