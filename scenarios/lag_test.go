package scenarios_test

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/refserver"
)

// staleOnce shows each session, in the read that follows its first update, its user as before.
func staleOnce(served http.Handler) http.Handler {
	var mu sync.Mutex
	updated, stale := map[string]bool{}, map[string]*httptest.ResponseRecorder{}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		session := r.Header.Get("Authorization")
		switch old := stale[session]; {
		case r.URL.Path != "/0.2/user":
		case r.Method == http.MethodPut && !updated[session]:
			read, err := http.NewRequestWithContext(r.Context(), http.MethodGet, r.URL.String(), http.NoBody)
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			read.Host, read.RemoteAddr, read.TLS = r.Host, r.RemoteAddr, r.TLS
			read.Header = http.Header{"Authorization": {session}, "User-Agent": {r.UserAgent()}}
			updated[session], stale[session] = true, httptest.NewRecorder()
			served.ServeHTTP(stale[session], read)
		case r.Method == http.MethodGet && old != nil:
			delete(stale, session)
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(old.Code)
			_, _ = w.Write(old.Body.Bytes())
			return
		}
		served.ServeHTTP(w, r)
	})
}

// TestRecordsBeforeRefusalsMayBeLate judges what a refused update leaves unchanged on a server where the read before
// it is from before an earlier update.
func TestRecordsBeforeRefusalsMayBeLate(t *testing.T) {
	selection := rules.Selection{Rules: []string{"users.me.update.wrong-type", "users.me.update.user-name-required"}}
	config := conformance.Config{Seed: 1, Settle: time.Second, Hold: time.Millisecond, Selection: selection}
	for rule, check := range judgedAs(t, config, refserver.Choices{}, staleOnce).EachCheck() {
		if check.Status == result.Fail || check.Status == result.Blocked || check.Status == result.Error {
			t.Errorf("%s: %s, %s", rule.ID, check.Status, check.Message)
		}
	}
}
