package proof_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/clients"
	"github.com/socialfeed/conform/conformance/model/traffic"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/watch"
	"github.com/socialfeed/conform/refserver"
)

// TestNoValidServerIsBlamedByItsTraffic has a crowd of clients do anything at the same time, as the same users too, at the
// reference server in each dialect, behind an intermediary that loses answers and carries out requests late.
// Nobody is blamed by what was written before: neither where all traffic is presumed to be seen, as it is,
// nor where a third of it is not. TRAFFIC_EXCHANGES says how many exchanges, TRAFFIC_SEED what the clients do.
func TestNoValidServerIsBlamedByItsTraffic(t *testing.T) {
	t.Parallel()
	const share = 6_000 // in which chance decides which rules are judged
	all, dialects := fromEnvironment(t, "TRAFFIC_EXCHANGES", share), refserver.Dialects()
	seed, judged := fromEnvironment(t, "TRAFFIC_SEED", 0), map[string]int{}
	for i, dialect := range dialects {
		for _, allTraffic := range []bool{true, false} {
			for rule, n := range watchCrowd(t, dialect, allTraffic, all/len(dialects)/2, uint64(seed*len(dialects)+i)) {
				judged[rule] += n
			}
		}
	}
	rules := []string{"feed.follow.new-events", "feed.only-connected", "feed.event-delete", "sessions.logout.destroys", "connections.lists.follows", "users.me.get"}
	silent := slices.DeleteFunc(slices.Clone(rules), func(rule string) bool { return judged[rule] > 0 })
	if all > share && len(silent) > 0 || len(silent) > len(rules)/2 {
		t.Errorf("%v were not judged", silent)
	}
	t.Logf("%d exchanges; judged were %v", all, judged)
}

// watchCrowd returns how often each rule was judged.
func watchCrowd(t *testing.T, dialect refserver.Dialect, allTraffic bool, exchanges int, seed uint64) map[string]int {
	t.Helper()
	server, err := refserver.New(refserver.Options{AppTokens: []string{crowdToken}, Choices: dialect.Choices, RateLimit: -1, PasswordCost: 1})
	must(t, err)
	catalogue := watch.Catalogue()
	observer := watch.NewObserver(catalogue, clients.Options{})
	observer.Remember(watch.Memory{AllTraffic: allTraffic, Settle: 2 * dialect.Choices.Lag})
	queue := watch.NewQueue(func(x *clients.Exchange) { observer.See(x) })
	var late sync.WaitGroup
	recorder := watch.NewRecorder(moody(server, &late, seed), nil, queue.Put)
	c := &crowd{t: t, watched: recorder}
	if !allTraffic {
		c.unseen = server
	}
	var group sync.WaitGroup
	const atOnce = 8
	for i := range uint64(atOnce) {
		group.Go(func() {
			for r := rand.New(rand.NewPCG(seed, i)); c.seen.Load() < int64(exchanges); {
				c.act(t.Context(), r)
			}
		})
	}
	group.Wait()
	recorder.Wait()
	late.Wait()
	queue.Close()
	var report result.Report
	must(t, observer.Report(&report))
	judged := map[string]int{}
	for rule, check := range report.EachCheck() {
		if slices.Contains(traffic.FollowedRules(), rule.ID) {
			judged[rule.ID] += check.Seen
		}
		if check.Broken > 0 && check.Side == watch.Service && !slices.Contains([]string{"errors.no-5xx"}, rule.ID) {
			t.Errorf("dialect %s, all traffic %v: %s at %s: %s\n%s", dialect.Name, allTraffic, rule.ID, check.Endpoint, check.Message, exchangesOf(check))
		}
	}
	return judged
}

func exchangesOf(c *result.Check) (text string) {
	for _, x := range c.Exchanges {
		text += fmt.Sprintf("%d at %s: %s %s %s\n", x.Number, x.StartedAt, x.Request.Method, x.Request.URL, x.Request.Body)
		if x.Response != nil {
			text += fmt.Sprintf("  %d %s\n", x.Response.Status, x.Response.Body)
		}
	}
	return text
}

// moody passes requests on after a while, answers after a while, and may say that there was no time while a
// request is carried out all the same, or break the connection off.
func moody(next http.Handler, late *sync.WaitGroup, seed uint64) http.Handler {
	var mu sync.Mutex
	r := rand.New(rand.NewPCG(seed, seed))
	draw := func(n int) int {
		mu.Lock()
		defer mu.Unlock()
		return r.IntN(n)
	}
	pause := func() {
		if draw(4) == 0 {
			time.Sleep(time.Duration(draw(100)) * time.Microsecond)
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		pause()
		switch draw(400) {
		case 0:
			delay := time.Duration(draw(5)) * time.Millisecond
			late.Go(func() {
				time.Sleep(delay)
				next.ServeHTTP(httptest.NewRecorder(), request)
			})
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusGatewayTimeout)
			return
		case 1:
			next.ServeHTTP(httptest.NewRecorder(), request)
			panic(http.ErrAbortHandler)
		case 2:
			panic(http.ErrAbortHandler)
		}
		next.ServeHTTP(w, request)
		pause()
	})
}
