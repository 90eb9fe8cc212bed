package conformance

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/socialfeed/conform/conformance/internal/wire"
)

// TestSessionsThatEndMeanwhileAreOfOneServer records what sessions were answered: a success counts behind a 401 where
// its request was sent after that, not where it was under way.
func TestSessionsThatEndMeanwhileAreOfOneServer(t *testing.T) {
	answered := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if answered++; answered == 2 {
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	defer server.Close()
	d := drawingOf(t, Config{Target: Target{BaseURL: server.URL, AllowHTTP: true}})
	send := func() *wire.Exchange {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		return d.run.wire.Send(req, nil, false)
	}
	before, refused, later := send(), send(), send()
	for name, test := range map[string]struct {
		served *wire.Exchange
		told   bool
	}{"under way": {before, false}, "sent after it": {later, true}} {
		s := &several{}
		for i := range fewestSessions {
			session := Basic{"app", string(rune('a' + i))}
			s.recordSession(session, refused)
			s.recordSession(session, test.served)
		}
		if told := s.note() != ""; told != test.told {
			t.Errorf("%s: the note is %q", name, s.note())
		}
	}
}
