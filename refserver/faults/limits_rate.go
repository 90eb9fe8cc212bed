package faults

import (
	"net/http"
	"sync"
	"time"

	"github.com/socialfeed/conform/refserver"
)

// promised is the limit of the contract, in requests a minute.
const promised = 1000

// count says what a request is counted as, and how many of those a minute are
// let through; a blank category has no limit.
type count struct {
	category string
	limit    int
}

// rating is a way to limit rates.
type rating struct {
	counts func(method string) count
	span   func(category string) time.Duration // nil: a minute
}

// byTheContract counts as the table of the part Limits does.
func byTheContract(method string) count {
	switch method {
	case http.MethodPost, http.MethodPut:
		return count{"writing", promised}
	case http.MethodDelete:
		return count{"deleting", promised}
	case http.MethodGet:
		return count{"querying", promised}
	}
	return count{}
}

// except counts one method otherwise than the contract does.
func except(method string, other count) func(string) count {
	return func(asked string) count {
		if asked == method {
			return other
		}
		return byTheContract(asked)
	}
}

// rates are the faults of the limits of requests a minute (the contract's part
// Limits, table and items 1 and 2).
func rates() []Fault {
	const get, write, remove, separate, recovers = "limits.rate.get", "limits.rate.write", "limits.rate.delete", "limits.rate.separate", "limits.rate.recovers"
	unlimited := count{}
	return []Fault{
		{
			Name: "limits-reads-unlimited", Rule: get,
			Summary: "GET has no limit",
			Apply:   rating{counts: except(http.MethodGet, unlimited)}.apply,
		},
		{
			Name: "limits-reads-limited-thrice-as-high", Rule: get,
			Summary: "GET is limited to 3,000 a minute",
			Apply:   rating{counts: except(http.MethodGet, count{"querying", 3 * promised})}.apply,
		},
		{
			Name: "limits-reads-answer-403", Rule: get,
			Summary: "a GET beyond the limit is answered with 403",
			Apply:   edit(by(http.MethodGet), instead(http.StatusTooManyRequests, http.StatusForbidden, complaint("no access for now"))),
		},
		{
			Name: "limits-put-uncounted", Rule: write,
			Summary: "POST is limited, and PUT is not",
			Apply:   rating{counts: except(http.MethodPut, unlimited)}.apply,
		},
		{
			Name: "limits-put-counted-apart", Rule: write,
			Summary: "POST and PUT have a limit each",
			Apply:   rating{counts: except(http.MethodPut, count{"updating", promised})}.apply,
		},
		{
			Name: "limits-deletes-unlimited", Rule: remove,
			Summary: "DELETE has no limit",
			Apply:   rating{counts: except(http.MethodDelete, unlimited)}.apply,
		},
		{
			Name: "limits-deletes-answer-503", Rule: remove,
			Summary: "a DELETE beyond the limit is answered with 503",
			Also:    []Unavoidable{{"errors.no-5xx", "a 503 breaks that rule wherever it is answered"}},
			Apply:   edit(by(http.MethodDelete), instead(http.StatusTooManyRequests, http.StatusServiceUnavailable, complaint("try again later"))),
		},
		{
			Name: "limits-reads-share-with-writes", Rule: separate,
			Summary: "GET, POST and PUT share one limit",
			Apply:   rating{counts: except(http.MethodGet, count{"writing", promised})}.apply,
		},
		{
			Name: "limits-deletes-share-with-writes", Rule: separate,
			Summary: "POST, PUT and DELETE share one limit",
			Apply:   rating{counts: except(http.MethodDelete, count{"writing", promised})}.apply,
		},
		{
			Name: "limits-deletes-recover-late", Rule: recovers,
			Summary: "DELETE is limited to 1,000 in a hundred seconds",
			Apply:   rating{counts: byTheContract, span: longer("deleting", 100*time.Second)}.apply,
		},
		{
			Name: "limits-reads-never-recover", Rule: recovers,
			Summary: "GET is refused for an hour once the limit was reached",
			Apply:   rating{counts: byTheContract, span: longer("querying", time.Hour)}.apply,
		},
	}
}

func longer(category string, span time.Duration) func(string) time.Duration {
	return func(asked string) time.Duration {
		if asked == category {
			return span
		}
		return time.Minute
	}
}

// apply puts the rating in the place of the server's own.
func (ra rating) apply(o *refserver.Options) {
	o.RateLimit = -1
	if ra.span == nil {
		ra.span = func(string) time.Duration { return time.Minute }
	}
	spent := &ledger{times: map[string][]time.Time{}}
	front(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			c := ra.counts(r.Method)
			if c.category == "" || spent.take(c, ra.span(c.category)) {
				next.ServeHTTP(w, r)
				return
			}
			resp := &response{status: http.StatusTooManyRequests, header: http.Header{}, body: []byte(complaint("too many requests"))}
			resp.header.Set("Content-Type", "application/json")
			resp.header.Set("Retry-After", "60")
			resp.send(w)
		})
	})(o)
}

// ledger keeps when requests were let through.
type ledger struct {
	mu    sync.Mutex
	times map[string][]time.Time // by category, the oldest first
}

// take lets a request through, unless as many as the limit were within the span.
func (l *ledger) take(c count, span time.Duration) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now, times := time.Now(), l.times[c.category]
	for len(times) > 0 && now.Sub(times[0]) >= span {
		times = times[1:]
	}
	allowed := len(times) < c.limit
	if allowed {
		times = append(times, now)
	}
	l.times[c.category] = times
	return allowed
}
