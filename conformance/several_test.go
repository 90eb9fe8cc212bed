package conformance

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"

	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/observed"
)

// TestSessionsThatEndMeanwhileAreOfOneServer records what sessions were answered: a success counts behind a 401 where
// its request was sent after that, not where it was under way.
func TestSessionsThatEndMeanwhileAreOfOneServer(t *testing.T) {
	const sessions = 3
	seen := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, session, _ := r.BasicAuth()
		if seen[session]++; seen[session] == 2 {
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	defer server.Close()
	d := drawingOf(t, Config{Target: Target{BaseURL: server.URL, AllowHTTP: true}})
	send := func(session string) *wire.Exchange {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.SetBasicAuth("app", session)
		return d.run.wire.Send(req, nil, false)
	}
	var underWay, after observed.Servers
	for i := range sessions {
		session := strconv.Itoa(i)
		before, refused, later := send(session), send(session), send(session)
		underWay.Record(refused)
		underWay.Record(before)
		after.Record(refused)
		after.Record(later)
	}
	if told := underWay.Note(); told != "" {
		t.Errorf("of what was under way the note is %q", told)
	}
	if after.Note() == "" {
		t.Error("there is no note of sessions that were served again")
	}
}
