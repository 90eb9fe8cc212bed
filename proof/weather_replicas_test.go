package proof_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"golang.org/x/sync/errgroup"
)

// replicas stand for servers that read from copies which lag: what is read may be as it
// was a while ago, and what is read next newer or older than that.
type replicas struct {
	behind time.Duration // at most; 0: there are none
	late   bool          // a copy may not know a new user yet

	mu   sync.Mutex
	seen map[string][]reading // what was answered, oldest first
	born map[string]time.Time // when users were created, by their ids
}

type reading struct {
	at     time.Time
	answer *httptest.ResponseRecorder
}

// lags finds what may lag: feeds, lists and search.
var lags = regexp.MustCompile(`/(feed|follows|followers|friends|search)$`)

// ofUser finds the lists of another user, of whom a copy may not know yet.
var ofUser = regexp.MustCompile(`/users/([^/]+)/(follows|followers|friends)$`)

// read is what a copy answers, given what the server does: that, or an earlier answer
// to the same question. Refusals do not lag. A copy that does not know a new user yet says so.
func (c *replicas) read(r *http.Request, now *httptest.ResponseRecorder, below func(int) int) *httptest.ResponseRecorder {
	c.recordBirth(r, now)
	if c.behind == 0 || r.Method != http.MethodGet || now.Code != http.StatusOK || !lags.MatchString(r.URL.Path) {
		return now
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if who := ofUser.FindStringSubmatch(r.URL.Path); who != nil && c.late && time.Since(c.born[who[1]]) < c.behind && below(2) == 0 {
		return unknownUser()
	}
	key, kept := fmt.Sprint(r.URL, r.Header), []reading{}
	for _, each := range c.seen[key] {
		if time.Since(each.at) < c.behind {
			kept = append(kept, each)
		}
	}
	c.seen[key] = append(kept, reading{time.Now(), now})
	return c.seen[key][below(len(kept)+1)].answer
}

func (c *replicas) recordBirth(r *http.Request, now *httptest.ResponseRecorder) {
	var user struct {
		ID json.Number `json:"id"`
	}
	if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/users") || now.Code != http.StatusCreated || json.Unmarshal(now.Body.Bytes(), &user) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.born[user.ID.String()] = time.Now()
}

func unknownUser() *httptest.ResponseRecorder {
	answer := httptest.NewRecorder()
	answer.Header().Set("Content-Type", "application/json")
	answer.WriteHeader(http.StatusNotFound)
	_, _ = answer.WriteString(`{"reason":"there is no such user"}`)
	return answer
}

// calm is the climate without weather, where what is read lags as long as it may.
func (c climate) calm() climate {
	const settle, margin = time.Second, 50 * time.Millisecond
	config := conformance.Config{Settle: settle, Rate: 100_000, Seed: c.config.Seed, Jobs: c.config.Jobs}
	return climate{Dialect: c.Dialect, late: true, behind: settle - lag - margin, config: config}
}

// TestCopiesThatLagAreNobodysFault judges whole runs of servers that read from copies:
// what is there may be gone once more and back within the settle time, and no check is
// decided by that.
func TestCopiesThatLagAreNobodysFault(t *testing.T) {
	const fewRuns = 6
	runs := fromEnvironment(t, "COPIES_RUNS", fewRuns)
	all := startJudges(t, sideBySide)
	var group errgroup.Group
	for seed := range int64(runs) {
		group.Go(func() error {
			report, err := all.judged(order{Weather: seed + 1, Calm: true})
			if err != nil {
				return err
			}
			for _, rule := range report.Rules {
				switch rule.Status {
				case result.Fail, result.Warn, result.Error, result.Blocked:
					t.Errorf("seed %d, %s: %s is a %s: %s", seed+1, climateOf(seed+1).calm(), rule.ID, rule.Status, messages(rule))
				}
			}
			if report.Verdict != result.Conformant {
				return fmt.Errorf("seed %d: %s", seed+1, report.Verdict)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
}
