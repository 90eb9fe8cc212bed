package conformance_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	. "github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/rules"
)

// What is not there is waited for once, and not by each scenario that needs it, also where it was
// another such endpoint that was waited for.
func TestAnAbsentEndpointIsWaitedForOnce(t *testing.T) {
	f := newFake(t)
	f.instead = func(w http.ResponseWriter, r *http.Request) bool {
		if at := rules.EndpointOf(r.Method, r.URL.Path); at != rules.GetUser && at != rules.Feed {
			return false
		}
		answer(w, http.StatusNotFound, map[string]string{"reason": "no such page"})
		return true
	}
	var sent []int // in the order in which they are played
	config := oneByOne(f.config("users.get.other", "feed.status", "users.me.get"))
	config.Settle = 500 * time.Millisecond // in which several readings fit on a busy machine, too
	judged(t, config, func(s *Suite) {
		for i, to := range []rules.Endpoint{rules.GetUser, rules.GetUser, rules.Feed} {
			s.Scenario([]string{"one", "another", "a third"}[i], Covers("users.get.other", "feed.status"), func(t *T) {
				a := t.Actor()
				before := f.count(to.Method() + " ")
				t.Judge("users.get.other", func(*Check) { t.SendSettled(a, to, ID(a.ID)).Done() })
				sent = append(sent, f.count(to.Method()+" ")-before)
			})
		}
	})
	if len(sent) != 3 || sent[0] < 2 || sent[1] != 1 || sent[2] != 1 {
		t.Errorf("sent %v reads, want several, one and one", sent)
	}
}

// count is how many requests there were that begin so.
func (f *fake) count(prefix string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for _, asked := range f.asked {
		if strings.HasPrefix(asked, prefix) {
			n++
		}
	}
	return n
}
