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
	const most = 3
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

// TestNoLostWriteIsBlamed plays the scenarios of credentials, each time with one of so many answers to writes
// lost. What was written is there, and nobody knows: what is refused since the judge arranges it once more is
// no fault of the target, nor does it block a check without a culprit.
func TestNoLostWriteIsBlamed(t *testing.T) {
	unique := refserver.Choices{UniqueUserNames: true, UniqueEmails: true, UniqueCustomIDs: true, DuplicateStatus: http.StatusConflict}
	lost := 0
	for of := range int64(6) {
		config := conformance.Config{Hold: time.Millisecond, Settle: 100 * time.Millisecond, Jobs: 1, Seed: of + 1,
			Selection: rules.Selection{Rules: []string{"auth.missing", "auth.session-missing"}}}
		report := judgedAs(t, config, unique, losingWrites(9+of))
		culprits := map[string]result.Status{}
		for _, rule := range report.Rules {
			culprits[rule.ID] = rule.Status
		}
		for _, rule := range report.Rules {
			for _, check := range rule.Checks {
				known := culprits[check.BlockedBy] == result.Error || culprits[check.BlockedBy] == result.Blocked
				switch {
				case check.Status == result.Fail, check.Status == result.Warn, check.Status == result.Blocked && !known:
					t.Errorf("one in %d answers to writes is lost, and %s is a %s: %s", 9+of, rule.ID, check.Status, check.Message)
				case check.Status == result.Error:
					lost++
				}
			}
		}
	}
	if lost == 0 {
		t.Error("nothing was lost")
	}
}

// losingWrites serves all requests, but ends the connection within one of so many answers to writes.
func losingWrites(of int64) func(http.Handler) http.Handler {
	writes := &atomic.Int64{}
	return func(served http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet || writes.Add(1)%of != 0 {
				served.ServeHTTP(w, r)
				return
			}
			lose(w, r, served)
		})
	}
}

// lose serves a request, and ends the connection within the answer: before it, the request would be sent
// again, which excuses all that follows.
func lose(w http.ResponseWriter, r *http.Request, served http.Handler) {
	served.ServeHTTP(httptest.NewRecorder(), r)
	_, _ = w.Write([]byte("{"))
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
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
			lose(w, r, served)
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
