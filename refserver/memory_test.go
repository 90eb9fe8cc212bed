package refserver_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/refserver"
)

// TestMemoryBudget: once the budget is used up, writes are refused and say why;
// reads and deletions go on, and make room.
func TestMemoryBudget(t *testing.T) {
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	x := start(t, func(o *refserver.Options) {
		o.RateLimit, o.MaxMemory = -1, int64(before.HeapAlloc)+48<<20
	})
	ann := x.actor("ann")
	const most = 400 // of half a MiB each: well beyond the budget
	fill := func() (taken int, last answer) {
		for taken < most {
			last = ann.send("POST", "/0.2/user/events", object{"verb": "like", "location": strings.Repeat("x", 1<<19)})
			if last.status != 201 {
				return taken, last
			}
			taken++
		}
		return taken, last
	}
	taken, refused := fill()
	if refused.status != 503 || refused.header.Get("Retry-After") == "" || !strings.Contains(refused.text, "memory budget") {
		t.Fatalf("after %d large events: %d %s", taken, refused.status, refused.text)
	}
	ann.must(200, "GET", "/0.2/user", nil)
	ann.must(204, "DELETE", "/0.2/user", nil)
	for deadline := time.Now().Add(30 * time.Second); ; {
		if x.do(call{method: "POST", path: "/0.2/users", body: object{"user_name": "bob"}}).status == 201 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("there is no room after everything was deleted")
		}
	}
}
