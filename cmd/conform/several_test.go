package main

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/socialfeed/conform/refserver"
)

// turns has handlers take turns with requests, as a balancer has servers.
type turns struct {
	all  []http.Handler
	next atomic.Int64
}

func (b *turns) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.all[int(b.next.Add(1))%len(b.all)].ServeHTTP(w, r)
}

// named is a server under a name.
func named(name string, server http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Server", name)
		server.ServeHTTP(w, r)
	})
}

// TestServersThatTakeTurnsAreTold judges two servers behind one address: without shared sessions, and of two versions.
// One server is not told as several.
func TestServersThatTakeTurnsAreTold(t *testing.T) {
	t.Parallel()
	shared := reference(t, func(o *refserver.Options) { o.RateLimit = -1 })
	for name, tc := range map[string]struct {
		target http.Handler
		code   int
		note   string // "" for none
	}{
		"without shared sessions": {&turns{all: []http.Handler{reference(t, nil), reference(t, nil)}}, exitNonConformant, "several servers that do not share their sessions"},
		"of two versions":         {&turns{all: []http.Handler{named("feed/1.0", shared), named("feed/2.0", shared)}}, exitConformant, `differ by Server: feed/1.0 and Server: feed/2.0`},
		"alike":                   {&turns{all: []http.Handler{shared, shared}}, exitConformant, ""},
		"with sessions that end":  {reference(t, func(o *refserver.Options) { o.Choices.SingleSession = true }), exitConformant, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := judged(t, append(servePlain(t, tc.target), "--rate", "10000")...)
			notes := strings.Join(o.report.Notes, "\n")
			o.wants(t, tc.code)
			if tc.note != "" && !strings.Contains(notes, tc.note) || tc.note == "" && strings.Contains(notes, "several servers") {
				t.Errorf("the notes are %q, want %q", notes, tc.note)
			}
		})
	}
}
