package faults

import (
	"net/http"
	"slices"
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
	unlimited := count{}
	return slices.Concat(
		breaks("limits.rate.get",
			fault("limits-reads-unlimited", "GET has no limit", rating{counts: except(http.MethodGet, unlimited)}.apply),
			fault("limits-reads-limited-thrice-as-high", "GET is limited to 3,000 a minute",
				rating{counts: except(http.MethodGet, count{"querying", 3 * promised})}.apply),
			fault("limits-reads-answer-403", "a GET beyond the limit is answered with 403",
				rewriteResponse(by(http.MethodGet), replaceStatus(429, 403, complaint("no access for now"))))),
		breaks("limits.rate.write",
			fault("limits-put-uncounted", "POST is limited, and PUT is not", rating{counts: except(http.MethodPut, unlimited)}.apply),
			fault("limits-put-counted-apart", "POST and PUT have a limit each",
				rating{counts: except(http.MethodPut, count{"updating", promised})}.apply)),
		breaks("limits.rate.delete",
			fault("limits-deletes-unlimited", "DELETE has no limit", rating{counts: except(http.MethodDelete, unlimited)}.apply),
			fault("limits-deletes-answer-503", "a DELETE beyond the limit is answered with 503",
				rewriteResponse(by(http.MethodDelete), replaceStatus(429, 503, complaint("try again later")))).
				also("errors.no-5xx", "a 503 breaks that rule wherever it is answered")),
		breaks("limits.rate.separate",
			fault("limits-reads-share-with-writes", "GET, POST and PUT share one limit",
				rating{counts: except(http.MethodGet, count{"writing", promised})}.apply),
			fault("limits-deletes-share-with-writes", "POST, PUT and DELETE share one limit",
				rating{counts: except(http.MethodDelete, count{"writing", promised})}.apply)),
		breaks("limits.rate.recovers",
			fault("limits-deletes-recover-late", "DELETE is limited to 1,000 in a hundred seconds",
				rating{counts: byTheContract, span: longer("deleting", 100*time.Second)}.apply),
			fault("limits-reads-never-recover", "GET is refused for an hour once the limit was reached",
				rating{counts: byTheContract, span: longer("querying", time.Hour)}.apply)),
	)
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
	wrapHandler(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			c := ra.counts(r.Method)
			if c.category == "" || spent.take(c, ra.span(c.category)) {
				next.ServeHTTP(w, r)
				return
			}
			resp := &response{status: 429, header: http.Header{}, body: []byte(complaint("too many requests"))}
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
