package scenarios_test

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/refserver"
)

// TestNoLostLoginIsBlamed plays all scenarios, each time with the answers to the logins lost that follow
// one of some logouts. Whoever is left without a session by that must not look like a user whom a
// refused request logged out, or deleted, nor a target like one that refuses sessions.
func TestNoLostLoginIsBlamed(t *testing.T) {
	const most = 4
	config := conformance.Config{Hold: time.Millisecond, Jobs: 1}
	lost := 0
	for of := range int64(most) {
		config.Seed = of + 11
		for which := range of + 1 {
			report := judgedAs(t, config, refserver.Choices{}, losingLogins(which, of+1))
			for _, rule := range report.Rules {
				switch rule.Status {
				case result.Fail, result.Warn:
					t.Errorf("logins after logout %d of each %d are lost, and %s is a %s: %s", which+1, of+1, rule.ID, rule.Status, messages(rule))
				case result.Error, result.Blocked:
					lost++
				}
			}
		}
	}
	if lost == 0 {
		t.Error("nothing was lost")
	}
}

// losingLogins serves all requests, but ends the connection within the answers to the logins after
// one of so many logouts: to as many as are tried.
func losingLogins(which, of int64) func(http.Handler) http.Handler {
	const attempts = 2 // by each name
	logouts, lost := &atomic.Int64{}, &atomic.Int64{}
	return func(served http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == rules.Logout.Path() && (logouts.Add(1)-1)%of == which {
				lost.Store(attempts)
			}
			if r.URL.Path != rules.Login.Path() || lost.Add(-1) < 0 {
				served.ServeHTTP(w, r)
				return
			}
			served.ServeHTTP(httptest.NewRecorder(), r)
			_, _ = w.Write([]byte("{")) // else the request would be sent again, which excuses all that follows
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		})
	}
}

// messages returns what the checks of a rule that did not pass say.
func messages(rule result.Rule) string {
	all := ""
	for _, check := range rule.Checks {
		if check.Status != result.Pass && check.Status != result.Skipped {
			all += check.Endpoint + ": " + string(check.Status) + ": " + check.Message + "\n"
		}
	}
	return all
}
